package io.understudy.store;

/**
 * Where on disk a session's attributes are. No two records have the same one.
 *
 * @param segment the file
 * @param offset of the record in it
 * @param length of the record, in bytes
 */
record SpillLocation(SpillSegment segment, int offset, int length) {}
