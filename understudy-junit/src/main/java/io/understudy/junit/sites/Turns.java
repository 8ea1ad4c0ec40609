package io.understudy.junit.sites;

/**
 * How the two servers of a {@link ClusterSite} take turns in one run.
 *
 * @param switching whether each request is on the other server than the one before
 * @param kill whether a node is killed
 * @param lastBeforeKill the number of the request after which it is killed, as soon as no request is under way
 */
public record Turns(boolean switching, boolean kill, int lastBeforeKill) {}
