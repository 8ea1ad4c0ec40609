package io.understudy.tomcat.barrier;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import org.apache.catalina.connector.Response;
import org.jspecify.annotations.Nullable;

/**
 * The response of a request to a replicated application. It runs the barrier before the client could have the whole of
 * it: before the writer or stream is closed, and before the write that reaches a declared {@code Content-Length}.
 *
 * <p>What else completes a response happens in the container after the host valve's barrier.
 *
 * <p>Threads: those of the request, one at a time, as for any response.
 */
public final class BarrierResponse extends HttpServletResponseWrapper {

    /** Of a character, in the encodings that need the most of the JDK's: ISO-2022-JP-2 has escape sequences. */
    static final long MOST_BYTES = 9;

    private final Response response;
    private final Barrier barrier;
    private final boolean head;

    /** Whether the client may learn the id of the request's session. */
    private final BooleanSupplier idKnown;

    private @Nullable BarrierStream stream;
    private @Nullable BarrierWriter writer;

    /** Bytes of the body so far, or more: too high a count costs a needless barrier, too low a one would leak. */
    private long written;

    /**
     * @param idKnown whether the client may learn the id of the request's session; asked for each link
     * @param method of the request
     */
    public BarrierResponse(Response response, Barrier barrier, BooleanSupplier idKnown, String method) {
        super(response.getResponse());
        this.response = response;
        this.barrier = barrier;
        this.idKnown = idKnown;
        this.head = "HEAD".equals(method);
    }

    /**
     * The barrier of the request whose response this is, perhaps wrapped by the application; {@code null} if it has
     * none, or is over.
     */
    public static @Nullable Barrier barrierOf(ServletResponse response) {
        ServletResponse inner = response;
        while (!(inner instanceof BarrierResponse) && inner instanceof ServletResponseWrapper wrapper) {
            inner = wrapper.getResponse();
        }
        return inner instanceof BarrierResponse found && !found.barrier.isOver() ? found.barrier : null;
    }

    /** Asks Tomcat each time: it forgets which of the two is in use when it resets the response for an error page. */
    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        ServletOutputStream tomcat = super.getOutputStream();
        BarrierStream present = stream;
        if (present == null || !present.standsOn(tomcat)) {
            present = new BarrierStream(tomcat, this);
            stream = present;
        }
        return present;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        PrintWriter tomcat = super.getWriter();
        BarrierWriter present = writer;
        if (present == null || !present.standsOn(tomcat)) {
            present = new BarrierWriter(tomcat, this);
            writer = present;
        }
        return present;
    }

    @Override
    public String encodeURL(String url) {
        return known(url, super.encodeURL(url));
    }

    @Override
    public String encodeRedirectURL(String url) {
        return known(url, super.encodeRedirectURL(url));
    }

    /** Looks after the encoding: an id that the client may learn then may be learned also a moment earlier. */
    private String known(String url, String encoded) {
        return idKnown.getAsBoolean() ? encoded : url;
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
    }

    @Override
    public void resetBuffer() {
        super.resetBuffer();
        written = 0;
    }

    void beforeClose() throws IOException {
        // A closed writer takes no more, but an error page may follow if the barrier refuses the response.
        writer = null;
        barrier.settleOrRefuse();
    }

    void beforeWrite(long bytes) throws IOException {
        written += bytes;
        long declared = declaredLength();
        // A response without a body is complete with its headers, which leave when the buffer is full.
        boolean completes =
                withoutBody() ? !isCommitted() && written >= getBufferSize() : declared >= 0 && written >= declared;
        if (completes) {
            barrier.settleOrRefuse();
        }
    }

    /** A flush alone completes a response that has no body, or whose length was declared after it. */
    void beforeFlush() throws IOException {
        long declared = declaredLength();
        if (withoutBody() || (declared >= 0 && written >= declared)) {
            barrier.settleOrRefuse();
        }
    }

    private boolean withoutBody() {
        return head
                || switch (getStatus()) {
                    case SC_NO_CONTENT, SC_RESET_CONTENT, SC_NOT_MODIFIED -> true;
                    default -> false;
                };
    }

    /** How many bytes the characters become at most. */
    long encodedLength(CharSequence text, int from, int length) {
        Charset charset = charset();
        if (StandardCharsets.ISO_8859_1.equals(charset) || StandardCharsets.US_ASCII.equals(charset)) {
            return length;
        }
        if (!StandardCharsets.UTF_8.equals(charset)) {
            return MOST_BYTES * length;
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
