package io.understudy.config.session;

/** Whether the attributes of sessions are examined at the end of each request, for development. */
public enum SessionDoctorMode {
    OFF,
    /** Findings are logged, each once, and listed by {@code Understudy.findings()} and JMX. */
    LOG
}
