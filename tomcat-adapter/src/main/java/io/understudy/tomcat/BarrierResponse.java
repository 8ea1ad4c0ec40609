package io.understudy.tomcat;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Response;
import org.jspecify.annotations.Nullable;

/**
 * The response of a coherent application: runs the barrier before the client could have the whole of it, that is before
 * the writer or stream is closed, and before the write that reaches a declared {@code Content-Length}.
 *
 * <p>What else completes a response happens in the container after the host valve's barrier.
 *
 * <p>Threads: those of the request, one at a time, as for any response.
 */
final class BarrierResponse extends HttpServletResponseWrapper {

    private final Response response;
    private final RequestScope scope;
    private final boolean head;

    private @Nullable ServletOutputStream stream;
    private @Nullable PrintWriter writer;

    /** Bytes of the body so far, or more: too high a count costs a needless barrier, too low a one would leak. */
    private long written;

    BarrierResponse(Response response, RequestScope scope, String method) {
        super(response.getResponse());
        this.response = response;
        this.scope = scope;
        this.head = "HEAD".equals(method);
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        ServletOutputStream present = stream;
        if (present == null) {
            present = new BarrierStream(super.getOutputStream(), this);
            stream = present;
        }
        return present;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        PrintWriter present = writer;
        if (present == null) {
            present = BarrierWriter.around(super.getWriter(), this);
            writer = present;
        }
        return present;
    }

    @Override
    public void flushBuffer() throws IOException {
        beforeFlush();
        super.flushBuffer();
    }

    @Override
    public void reset() {
        super.reset();
        written = 0;
        stream = null;
        writer = null;
    }

    @Override
    public void resetBuffer() {
        super.resetBuffer();
        written = 0;
    }

    void beforeClose() throws IOException {
        scope.settleOrRefuse();
    }

    void beforeWrite(long bytes) throws IOException {
        written += bytes;
        long declared = declaredLength();
        if (head || (declared >= 0 && written >= declared)) {
            scope.settleOrRefuse();
        }
    }

    /** A flush alone completes a response that has no body. */
    void beforeFlush() throws IOException {
        int status = getStatus();
        if (head || declaredLength() == 0 || status == SC_NO_CONTENT || status == SC_NOT_MODIFIED) {
            scope.settleOrRefuse();
        }
    }

    /** How many bytes the characters become at most. */
    long encodedLength(CharSequence text, int from, int length) {
        Charset charset = charset();
        if (StandardCharsets.ISO_8859_1.equals(charset) || StandardCharsets.US_ASCII.equals(charset)) {
            return length;
        }
        if (!StandardCharsets.UTF_8.equals(charset)) {
            return 4L * length;
        }
        long bytes = 0;
        for (int i = from; i < from + length; i++) {
            char c = text.charAt(i);
            // Each half of a surrogate pair counts for two of its four bytes.
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }

    boolean hasDeclaredLength() {
        return declaredLength() >= 0;
    }

    private long declaredLength() {
        return response.getCoyoteResponse().getContentLengthLong();
    }

    private @Nullable Charset charset() {
        try {
            return Charset.forName(getCharacterEncoding());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
