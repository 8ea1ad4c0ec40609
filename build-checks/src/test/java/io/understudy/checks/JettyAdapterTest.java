package io.understudy.checks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One jar for all environments of Jetty: it may know none of them. */
@Tag("cluster")
final class JettyAdapterTest {

    private final JavaClasses adapter = Modules.classesOf("jetty-adapter");

    @Test
    void theAdapterRefersToNoServletApiAndNoEnvironment() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jakarta..", "javax.servlet..", "org.eclipse.jetty.ee..", "org.eclipse.jetty.ee*..")
                .check(adapter);
    }

    @Test
    void theAdapterRefersToNoLibraryOfTheCore() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.jgroups..", "com.esotericsoftware..", "com.github.benmanes..")
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
