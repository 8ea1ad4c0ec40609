package io.understudy.tomcat.barrier;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.nio.CharBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The body as characters, with the barrier before its end. Not buffered: Tomcat's own writer does that.
 *
 * <p>Each method is its own, as in Tomcat's writer: those of PrintWriter hold a monitor, and a virtual thread that waits
 * for acknowledgements in a monitor keeps its carrier before Java 24 (JEP 491).
 *
 * <p>Threads: those of the request, one at a time.
 */
final class BarrierWriter extends PrintWriter {

    private final PrintWriter tomcat;
    private final BarrierResponse response;
    private boolean closed;
    private boolean failed;

    BarrierWriter(PrintWriter tomcat, BarrierResponse response) {
        super(tomcat);
        this.tomcat = tomcat;
        this.response = response;
    }

    boolean standsOn(PrintWriter writer) {
        return tomcat == writer;
    }

    @Override
    public void write(char[] chars, int from, int length) {
        if (open(CharBuffer.wrap(chars), from, length)) {
            tomcat.write(chars, from, length);
        }
    }

    @Override
    public void write(String text, int from, int length) {
        if (open(text, from, length)) {
            tomcat.write(text, from, length);
        }
    }

    /** Whether the text may go on: the barrier refuses the end of a degraded response. */
    private boolean open(CharSequence text, int from, int length) {
        if (closed) {
            failed = true;
            return false;
        }
        try {
            // Before a length is declared an upper bound will do: it saves looking at each character of most responses.
            response.beforeWrite(
                    response.hasDeclaredLength()
                            ? response.encodedLength(text, from, length)
                            : BarrierResponse.MOST_BYTES * length);
            return true;
        } catch (IOException e) {
            failed(e);
            return false;
        }
    }

    @Override
    public void flush() {
        if (closed) {
            failed = true;
            return;
        }
        try {
            response.beforeFlush();
            tomcat.flush();
        } catch (IOException e) {
            failed(e);
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            response.beforeClose();
            tomcat.close();
        } catch (IOException e) {
            failed(e);
        }
    }

    private void failed(IOException failure) {
        failed = true;
        if (failure instanceof InterruptedIOException) {
            Thread.currentThread().interrupt(); // As PrintWriter does.
        }
    }

    /** Flushes first, as the interface demands. Tomcat's writer may serve another response once this one is closed. */
    @Override
    public boolean checkError() {
        if (closed) {
            return failed;
        }
        flush();
        return failed || tomcat.checkError();
    }

    @Override
    public void write(int c) {
        write(new char[] {(char) c}, 0, 1);
    }

    @Override
    public void write(char[] chars) {
        write(chars, 0, chars.length);
    }

    @Override
    public void write(String text) {
        write(text, 0, text.length());
    }

    @Override
    public PrintWriter format(String format, @Nullable Object... values) {
        return format(Locale.getDefault(Locale.Category.FORMAT), format, values);
    }

    @Override
    public PrintWriter format(@Nullable Locale locale, String format, @Nullable Object... values) {
        write(String.format(locale, format, values));
        return this;
    }

    @Override
    public void println() {
        write(System.lineSeparator());
    }

    @Override
    public void println(boolean value) {
        line(String.valueOf(value));
    }

    @Override
    public void println(char value) {
        line(String.valueOf(value));
    }

    @Override
    public void println(int value) {
        line(String.valueOf(value));
    }

    @Override
    public void println(long value) {
        line(String.valueOf(value));
    }

    @Override
    public void println(float value) {
        line(String.valueOf(value));
    }

    @Override
    public void println(double value) {
        line(String.valueOf(value));
    }

    @Override
    public void println(char[] value) {
        line(String.valueOf(value));
    }

    @Override
    public void println(@Nullable String value) {
        line(String.valueOf(value));
    }

    @Override
    public void println(@Nullable Object value) {
        line(String.valueOf(value));
    }

    private void line(String text) {
        write(text);
        println();
    }
}
