package io.understudy.museum.attacks;

import clojure.lang.AFn;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.reflect.Type;
import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.NoInitialContextException;
import javax.naming.spi.InitialContextFactory;
import org.jspecify.annotations.Nullable;

/** The target of payloads, in place of commands: it notes that a chain called it, and nothing more. */
public final class Canary implements Type, Serializable {

    private static final long serialVersionUID = 1L;

    private static volatile boolean touched;

    static void release() {
        touched = false;
    }

    static boolean touched() {
        return touched;
    }

    /** For chains that call a method. */
    public Type touch() {
        touched = true;
        return this;
    }

    /** For chains that call getters. */
    public String getSong() {
        touched = true;
        return "";
    }

    /** For chains that call a constructor. */
    public static final class Built {

        public Built(Canary argument) {
            argument.touch();
        }
    }

    /** For chains that read other bytes, past the filter. */
    static final class Read implements Serializable {

        private static final long serialVersionUID = 1L;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            touched = true;
        }
    }

    /** For chains that call functions of Clojure. */
    static final class Function extends AFn implements Serializable {

        private static final long serialVersionUID = 1L;

        @Override
        public Object invoke(Object argument) {
            touched = true;
            throw new IllegalStateException("ends the sequence, which has no end");
        }
    }

    /** For chains that look names up. Finds nothing. */
    public static final class Names implements InitialContextFactory {

        @Override
        public Context getInitialContext(@Nullable Hashtable<?, ?> environment) throws NoInitialContextException {
            touched = true;
            throw new NoInitialContextException();
        }
    }
}
