package io.understudy.tomcat.barrier;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;

/** The body as bytes, with the barrier before its end. */
final class BarrierStream extends ServletOutputStream {

    private final ServletOutputStream out;
    private final BarrierResponse response;

    BarrierStream(ServletOutputStream out, BarrierResponse response) {
        this.out = out;
        this.response = response;
    }

    boolean standsOn(ServletOutputStream stream) {
        return out == stream;
    }

    @Override
    public void write(int b) throws IOException {
        response.beforeWrite(1);
        out.write(b);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        response.beforeWrite(length);
        out.write(bytes, from, length);
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

    @Override
    public boolean isReady() {
        return out.isReady();
    }

    @Override
    public void setWriteListener(WriteListener listener) {
        out.setWriteListener(listener);
    }
}
