package io.understudy.doctor;

import org.jspecify.annotations.Nullable;

/** Objects as a finding shows them, without calling a method of the application. */
final class SafeToString {

    /** Characters of a value: a log is no place for documents. */
    private static final int MAX_CHARACTERS = 40;

    private SafeToString() {}

    /** A plain value itself, shortened; of anything else the class. */
    static String value(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof String text) {
            return '"' + shortened(text) + '"';
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof Class<?> type) {
            return type.getName();
        }
        return ObjectGraph.leaf(value) ? shortened(value.toString()) : "an object of " + type(value);
    }

    static String type(Object value) {
        return value.getClass().getTypeName();
    }

    private static String shortened(String text) {
        String line = text.replaceAll("\\p{Cntrl}", " ");
        return line.length() <= MAX_CHARACTERS ? line : line.substring(0, MAX_CHARACTERS) + "...";
    }
}
