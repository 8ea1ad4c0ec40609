package io.understudy.tomcat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.CharBuffer;

/** The body as characters, with the barrier before its end. Not buffered: Tomcat's own writer does that. */
final class BarrierWriter extends Writer {

    private final PrintWriter out;
    private final BarrierResponse response;

    private BarrierWriter(PrintWriter out, BarrierResponse response) {
        this.out = out;
        this.response = response;
    }

    static PrintWriter around(PrintWriter tomcat, BarrierResponse response) {
        return new PrintWriter(new BarrierWriter(tomcat, response)) {
            @Override
            public boolean checkError() {
                return super.checkError() || tomcat.checkError();
            }
        };
    }

    @Override
    public void write(char[] chars, int from, int length) throws IOException {
        before(CharBuffer.wrap(chars), from, length);
        out.write(chars, from, length);
    }

    @Override
    public void write(String text, int from, int length) throws IOException {
        before(text, from, length);
        out.write(text, from, length);
    }

    private void before(CharSequence text, int from, int length) throws IOException {
        // Before a length is declared an upper bound will do: it saves looking at each character of most responses.
        response.beforeWrite(response.hasDeclaredLength() ? response.encodedLength(text, from, length) : 4L * length);
    }

    @Override
    public void flush() throws IOException {
        response.beforeFlush();
        out.flush();
    }

    @Override
    public void close() throws IOException {
        response.beforeClose();
        out.close();
    }
}
