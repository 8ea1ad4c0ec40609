package io.understudy.codec;

/** A failure because the filter refuses a class. */
interface Refusal {}
