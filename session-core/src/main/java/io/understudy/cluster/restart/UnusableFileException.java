package io.understudy.cluster.restart;

import java.io.IOException;

/** A file is not what it should be: damaged, cut off, of another kind or version. */
public final class UnusableFileException extends IOException {

    private static final long serialVersionUID = 1L;

    UnusableFileException(String what) {
        super(what);
    }
}
