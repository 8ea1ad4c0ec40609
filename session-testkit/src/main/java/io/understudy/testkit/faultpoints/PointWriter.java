package io.understudy.testkit.faultpoints;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Puts a call of {@link FaultPoints#at} before each place of one class that may throw. */
final class PointWriter extends ClassVisitor {

    private static final String POINTS = Type.getInternalName(FaultPoints.class);

    /** Of the JDK's collections: may have to grow. */
    private static final Set<String> GROWING = Set.of(
            "add",
            "addAll",
            "put",
            "putIfAbsent",
            "compute",
            "computeIfAbsent",
            "merge",
            "offer",
            "of",
            "copyOf",
            "toList",
            "toArray",
            "collect");

    /** Classes of a node's parts, of which each method may fail at its beginning: in what is theirs, or beneath them. */
    private static final Set<String> PARTS = Set.of(
            "io/understudy/codec/GuardedCodec",
            "io/understudy/wire/WireCodec",
            "io/understudy/store/ReplicaStore",
            "io/understudy/store/SpillSegment",
            "io/understudy/store/SpillDirectory",
            "io/understudy/cluster/messaging/FrameSender",
            "io/understudy/cluster/DeltaReceiver",
            "io/understudy/cluster/convergence/ReconcileResponder");

    /** The adapters, whose calls of all other code may throw. */
    private static final Set<String> ADAPTERS = Set.of("io/understudy/tomcat/", "io/understudy/jetty/");

    /** That code: the core, the containers, and what waits. */
    private static final List<String> OTHERS = List.of(
            "io/understudy/",
            "org/apache/",
            "org/eclipse/jetty/",
            "jakarta/servlet/",
            "java/util/concurrent/Completable");

    /** Calls by which something ends: they are made, and what fails inside of them is a place of theirs. */
    private static final Set<String> ENDING =
            Set.of("close", "end", "exit", "expire", "invalidate", "succeeded", "failed", "survived");

    private String owner = "";
    private String ownPackage = "";
    private boolean adapter;

    PointWriter(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(
            int version,
            int access,
            String name,
            @Nullable String signature,
            @Nullable String superName,
            String @Nullable [] interfaces) {
        owner = name;
        ownPackage = name.substring(0, name.lastIndexOf('/') + 1);
        adapter = ADAPTERS.contains(ownPackage);
        super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
        boolean initializer = name.equals("<clinit>"); // A class whose initializer failed is of no use any more.
        return initializer ? next : new Method(next, name, access);
    }

    private boolean ofOthers(String called, String method) {
        return !called.startsWith(ownPackage)
                && !ENDING.contains(method)
                && OTHERS.stream().anyMatch(called::startsWith);
    }

    private final class Method extends MethodVisitor {

        private final String name;
        private final boolean part;
        private int line;

        Method(MethodVisitor next, String name, int access) {
            super(Opcodes.ASM9, next);
            this.name = name;
            boolean constructor = name.equals("<init>");
            boolean generated = (access & Opcodes.ACC_SYNTHETIC) != 0;
            this.part = PARTS.contains(owner) && !constructor && !generated;
        }

        private void point(FaultKind kind, String what) {
            String place = owner.substring(owner.lastIndexOf('/') + 1) + "." + name + ":" + line + " " + what;
            visitLdcInsn(FaultPoints.add(kind, place));
            super.visitMethodInsn(Opcodes.INVOKESTATIC, POINTS, "at", "(I)V", false);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            if (part) {
                point(FaultKind.EXCEPTION, "call");
            }
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
            super.visitLineNumber(number, start);
        }

        /** Behind it, as a frame names the place of an object that is not initialized. */
        @Override
        public void visitTypeInsn(int opcode, String type) {
            super.visitTypeInsn(opcode, type);
            if (opcode == Opcodes.NEW || opcode == Opcodes.ANEWARRAY) {
                point(FaultKind.MEMORY, "new " + type.substring(type.lastIndexOf('/') + 1));
            }
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            if (opcode == Opcodes.NEWARRAY) {
                point(FaultKind.MEMORY, "new array");
            }
            super.visitIntInsn(opcode, operand);
        }

        @Override
        public void visitInvokeDynamicInsn(String method, String descriptor, Handle bootstrap, Object... arguments) {
            point(FaultKind.MEMORY, "new " + method);
            super.visitInvokeDynamicInsn(method, descriptor, bootstrap, arguments);
        }

        @Override
        public void visitMethodInsn(int opcode, String called, String method, String descriptor, boolean ofInterface) {
            if (called.startsWith("java/util/") && GROWING.contains(method)) {
                point(FaultKind.MEMORY, called.substring(called.lastIndexOf('/') + 1) + "." + method);
            } else if (adapter && opcode != Opcodes.INVOKESPECIAL && ofOthers(called, method)) {
                point(FaultKind.LINKAGE, "call " + called.substring(called.lastIndexOf('/') + 1) + "." + method);
            }
            super.visitMethodInsn(opcode, called, method, descriptor, ofInterface);
        }
    }
}
