package io.understudy.tomcat.barrier;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.CharBuffer;

/** The body as characters, with the barrier before its end. Not buffered: Tomcat's own writer does that. */
final class BarrierWriter extends PrintWriter {

    private final PrintWriter tomcat;

    BarrierWriter(PrintWriter tomcat, BarrierResponse response) {
        super(new Counted(tomcat, response));
        this.tomcat = tomcat;
    }

    boolean standsOn(PrintWriter writer) {
        return tomcat == writer;
    }

    @Override
    public boolean checkError() {
        return super.checkError() || tomcat.checkError();
    }

    /** Where all the print methods end. */
    private static final class Counted extends Writer {

        private final PrintWriter tomcat;
        private final BarrierResponse response;

        Counted(PrintWriter tomcat, BarrierResponse response) {
            this.tomcat = tomcat;
            this.response = response;
        }

        @Override
        public void write(char[] chars, int from, int length) throws IOException {
            before(CharBuffer.wrap(chars), from, length);
            tomcat.write(chars, from, length);
        }

        @Override
        public void write(String text, int from, int length) throws IOException {
            before(text, from, length);
            tomcat.write(text, from, length);
        }

        private void before(CharSequence text, int from, int length) throws IOException {
            // Before a length is declared an upper bound will do: it saves looking at each character of most responses.
            response.beforeWrite(
                    response.hasDeclaredLength()
                            ? response.encodedLength(text, from, length)
                            : BarrierResponse.MOST_BYTES * length);
        }

        @Override
        public void flush() throws IOException {
            response.beforeFlush();
            tomcat.flush();
        }

        @Override
        public void close() throws IOException {
            response.beforeClose();
            tomcat.close();
        }
    }
}
