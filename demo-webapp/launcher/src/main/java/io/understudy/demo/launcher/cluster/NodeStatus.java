package io.understudy.demo.launcher.cluster;

/**
 * What is known of a node at one moment.
 *
 * @param container {@code jetty} or {@code tomcat}
 * @param pid of its process, {@code -1} without one
 * @param reason one line: why it is in that state
 * @param sessions how many sessions it holds, {@code -1} if it did not report that
 * @param starts how many times it was started
 * @param becameReady how many times it became ready
 */
public record NodeStatus(
        String name,
        String container,
        int httpPort,
        int healthPort,
        long pid,
        NodeState state,
        String reason,
        long sessions,
        int starts,
        int becameReady) {}
