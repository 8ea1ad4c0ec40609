package io.understudy.sims;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.prefs.AbstractPreferences;
import java.util.prefs.Preferences;
import java.util.prefs.PreferencesFactory;
import org.jspecify.annotations.Nullable;

/**
 * Preferences of the JVM that Gatling runs in: in memory only, and saying that the search for a newer Gatling was just
 * done. Gatling asks repo1.maven.org once a day, has no setting against it, and notes in the user's preferences when it
 * did.
 */
public final class NoUpdateCheck implements PreferencesFactory {

    private final Preferences user = new InMemory(null, "");
    private final Preferences system = new InMemory(null, "");

    /** Called by the JDK, for {@code -Djava.util.prefs.PreferencesFactory}. */
    public NoUpdateCheck() {
        Preferences gatling = user.node("io/gatling/latestVersion");
        gatling.putLong("lastCheckTimestamp", System.currentTimeMillis());
        gatling.putBoolean("lastCheckSuccess", false);
    }

    @Override
    public Preferences userRoot() {
        return user;
    }

    @Override
    public Preferences systemRoot() {
        return system;
    }

    private static final class InMemory extends AbstractPreferences {

        private final Map<String, String> values = new ConcurrentHashMap<>();

        InMemory(@Nullable AbstractPreferences parent, String name) {
            super(parent, name);
        }

        @Override
        protected void putSpi(String key, String value) {
            values.put(key, value);
        }

        @Override
        protected @Nullable String getSpi(String key) {
            return values.get(key);
        }

        @Override
        protected void removeSpi(String key) {
            values.remove(key);
        }

        @Override
        protected void removeNodeSpi() {
            values.clear();
        }

        @Override
        protected String[] keysSpi() {
            return values.keySet().toArray(String[]::new);
        }

        /** None but those in use, which the superclass knows. */
        @Override
        protected String[] childrenNamesSpi() {
            return new String[0];
        }

        @Override
        protected AbstractPreferences childSpi(String name) {
            return new InMemory(this, name);
        }

        @Override
        protected void syncSpi() {
            // There is nothing to be in step with.
        }

        @Override
        protected void flushSpi() {
            // There is nowhere to write to.
        }
    }
}
