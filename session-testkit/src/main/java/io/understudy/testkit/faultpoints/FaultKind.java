package io.understudy.testkit.faultpoints;

import java.util.List;

/** What happens to code that passes a {@linkplain FaultPoints place}. */
public enum FaultKind {
    /** The heap is full for a moment. */
    MEMORY {
        @Override
        void happen() {
            throw new OutOfMemoryError("a test's");
        }
    },
    /** Code that has a defect, or a call that is refused. */
    EXCEPTION {
        @Override
        void happen() {
            throw new IllegalStateException("a test's");
        }
    },
    /** A class is missing. */
    LINKAGE {
        @Override
        void happen() {
            throw new NoClassDefFoundError("a/test's");
        }
    },
    /** Somebody interrupts the thread. */
    INTERRUPT {
        @Override
        void happen() {
            Thread.currentThread().interrupt();
        }
    };

    /** What may happen where an allocation can fail. */
    private static final List<FaultKind> OF_ALLOCATIONS = List.of(MEMORY);

    /** What other code may throw. */
    private static final List<FaultKind> OF_OTHERS = List.of(EXCEPTION, LINKAGE, MEMORY);

    abstract void happen();

    /** What may happen at a place of this kind: a call may throw anything, and one of other code interrupts nobody. */
    public List<FaultKind> possible() {
        return switch (this) {
            case MEMORY -> OF_ALLOCATIONS;
            case LINKAGE -> OF_OTHERS;
            case EXCEPTION, INTERRUPT -> List.of(values());
        };
    }
}
