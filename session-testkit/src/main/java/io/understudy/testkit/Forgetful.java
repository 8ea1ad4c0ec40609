package io.understudy.testkit;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.math.BigDecimal;

/** An attribute whose author wrote it in a form of his own, and left out the cents: 9.95 comes back as 9. */
public final class Forgetful implements Serializable {

    private static final long serialVersionUID = 1L;

    private BigDecimal price = new BigDecimal("9.95");

    private void writeObject(ObjectOutputStream out) throws IOException {
        out.writeInt(price.intValue());
    }

    private void readObject(ObjectInputStream in) throws IOException {
        price = BigDecimal.valueOf(in.readInt());
    }
}
