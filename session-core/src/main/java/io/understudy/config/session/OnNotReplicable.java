package io.understudy.config.session;

/** What happens to an attribute that can't be replicated when an application sets it. */
public enum OnNotReplicable {
    /** It stays on its node, named in a warning. */
    WARN,
    /** {@code setAttribute} throws {@link IllegalArgumentException} with the reason; the attribute is as it was before. */
    FAIL
}
