package io.understudy.testkit.faultsweep;

import io.understudy.session.activation.Activation;
import io.understudy.testkit.faultpoints.FaultKind;
import io.understudy.testkit.faultpoints.FaultPoints;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/** An attribute of an application whose own code runs while it is encoded, decoded and told: that may throw, too. */
final class Told implements Serializable {

    private static final long serialVersionUID = 1L;

    private static final int ENCODED = FaultPoints.add(FaultKind.EXCEPTION, "Told.writeObject");
    private static final int DECODED = FaultPoints.add(FaultKind.EXCEPTION, "Told.readObject");
    private static final int TOLD = FaultPoints.add(FaultKind.EXCEPTION, "Told is told");

    private final int number;

    Told(int number) {
        this.number = number;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
        FaultPoints.at(ENCODED);
        out.defaultWriteObject();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        FaultPoints.at(DECODED);
        in.defaultReadObject();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Told told && told.number == number;
    }

    @Override
    public int hashCode() {
        return number;
    }

    @Override
    public String toString() {
        return "Told " + number;
    }

    /** As the adapters do for listeners among attributes. */
    static final class Listening implements Activation {

        @Override
        public boolean concerns(Class<?> type) {
            return type == Told.class;
        }

        @Override
        public void willPassivate(String name, Object value) {
            FaultPoints.at(TOLD);
        }

        @Override
        public void didActivate(String name, Object value) {
            FaultPoints.at(TOLD);
        }
    }
}
