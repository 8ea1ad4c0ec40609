package io.understudy;

import java.util.Collection;

/**
 * Who may hold an object that is given out, and change it.
 *
 * @param tickets of requests
 * @param outside whether a thread may that works for no request, or for one that is not known: nobody tells when it is done
 */
record Holders(Collection<Long> tickets, boolean outside) {}
