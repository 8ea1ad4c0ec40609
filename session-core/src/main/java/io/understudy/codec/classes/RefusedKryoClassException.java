package io.understudy.codec.classes;

import com.esotericsoftware.kryo.KryoException;

/** The filter refuses a class in Kryo's format. */
public final class RefusedKryoClassException extends KryoException implements Refusal {

    private static final long serialVersionUID = 1L;

    public RefusedKryoClassException(String objection) {
        super(objection);
    }
}
