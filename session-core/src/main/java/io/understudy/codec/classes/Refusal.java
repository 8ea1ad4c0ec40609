package io.understudy.codec.classes;

/** A failure because the filter refuses a class. */
public interface Refusal {}
