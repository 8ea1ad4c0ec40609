package io.understudy.codec;

import com.esotericsoftware.kryo.KryoException;

/** The filter refuses a class in Kryo's format. */
final class RefusedKryoClassException extends KryoException implements Refusal {

    private static final long serialVersionUID = 1L;

    RefusedKryoClassException(String objection) {
        super(objection);
    }
}
