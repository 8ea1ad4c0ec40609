package io.understudy.jetty;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One jar for all environments of Jetty: it may know none of them. */
@Tag("rules")
final class ServletApiTest {

    private final JavaClasses adapter = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.understudy.jetty");

    @Test
    void theAdapterRefersToNoServletApiAndNoEnvironment() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jakarta..", "javax.servlet..", "org.eclipse.jetty.ee..", "org.eclipse.jetty.ee*..")
                .check(adapter);
    }

    @Test
    void theAdapterRefersToTheSupportedApiOfTheCoreOnly() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.understudy.cluster..",
                        "io.understudy.store..",
                        "io.understudy.metrics..",
                        "org.jgroups..",
                        "com.esotericsoftware..",
                        "com.github.benmanes..")
                .check(adapter);
    }

    @Test
    void onlyTheFactoryIsPublic() {
        classes()
                .that()
                .haveModifier(JavaModifier.PUBLIC)
                .should()
                .haveSimpleName("UnderstudySessionFactory")
                .check(adapter);
    }
}
