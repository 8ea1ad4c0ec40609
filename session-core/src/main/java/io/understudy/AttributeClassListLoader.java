package io.understudy;

import io.understudy.codec.classes.ClassList;
import io.understudy.config.AttributeClasses;
import io.understudy.config.ConfigException;
import java.io.IOException;
import java.nio.file.Path;

/** The list of classes that an application's setting asks for. */
final class AttributeClassListLoader {

    private AttributeClassListLoader() {}

    /**
     * Opens it.
     *
     * @param label of the application and node, for logs
     * @throws ConfigException if its file can't be used
     */
    static ClassList open(AttributeClasses setting, String label) {
        try {
            return switch (setting.mode()) {
                case LOADER -> ClassList.any();
                case LEARN -> ClassList.learn(Path.of(setting.file()), label);
                case ENFORCE -> ClassList.enforce(Path.of(setting.file()));
            };
        } catch (IOException e) {
            throw setting.unusable(String.valueOf(e.getMessage()));
        }
    }
}
