package io.understudy.store;

import java.nio.file.Path;

/** Does what each node does when it starts: deletes the files of dead ones. */
final class SpillCleaning {

    private SpillCleaning() {}

    /** @param args the configured directory */
    public static void main(String[] args) throws Exception {
        SpillDirectory.clean(Path.of(args[0]));
    }
}
