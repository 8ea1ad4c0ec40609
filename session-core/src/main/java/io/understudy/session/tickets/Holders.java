package io.understudy.session.tickets;

/**
 * Who may hold an object that is given out, and change it.
 *
 * @param tickets of requests; nobody changes them
 * @param outside whether a thread may that works for no request, or for one that is not known: nobody tells when it is done
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
public record Holders(long[] tickets, boolean outside) {}
