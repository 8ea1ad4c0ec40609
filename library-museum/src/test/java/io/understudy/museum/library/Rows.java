package io.understudy.museum.library;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All libraries, in the order of the design page. A new one is a class beside this one, and a line here. */
final class Rows {

    private Rows() {}

    /**
     * Starts what an application has to start. Returns all samples by their names, with their rows': {@code
     * Guava/ImmutableList}.
     */
    static Map<String, Sample> start() throws Exception {
        Map<String, Sample> samples = new LinkedHashMap<>();
        for (Row row : all()) {
            row.start().call();
            row.samples().forEach(sample -> samples.put(row.library() + "/" + sample.name(), sample));
        }
        return samples;
    }

    static List<Row> all() {
        return List.of(
                // Logins.
                SpringSecurity.row(),
                SpringOAuth2.row(),
                SpringSaml.row(),
                SpringLdap.row(),
                SpringCas.row(),
                Shiro.row(),
                Pac4j.row(),
                Nimbus.row(),
                ScribeJava.row(),
                Keycloak.row(),
                BouncyCastle.row(),
                // Web frameworks.
                Weld.row(),
                OpenWebBeans.row(),
                SpringMvc.row(),
                SpringWebFlow.row(),
                Struts.row(),
                Vaadin.row(),
                Wicket.row(),
                // Languages.
                Kotlin.row(),
                Scala.row(),
                Groovy.row(),
                ClojureValues.row(),
                // Collections.
                Guava.row(),
                EclipseCollections.row(),
                Vavr.row(),
                CommonsCollections4.row(),
                CommonsCollections3.row(),
                PCollections.row(),
                Fastutil.row(),
                Javatuples.row(),
                // Values.
                CommonsLang.row(),
                CommonsBeanUtils.row(),
                CommonsMath.row(),
                CommonsCsv.row(),
                JodaTime.row(),
                JodaMoney.row(),
                ThreetenExtra.row(),
                Moneta.row(),
                Indriya.row(),
                Icu.row(),
                PhoneNumbers.row(),
                Jts.row(),
                // Documents and messages.
                Protobuf.row(),
                Jackson2.row(),
                Jackson3.row(),
                Gson.row(),
                JsonSmart.row(),
                Bson.row(),
                Dom4j.row(),
                Jdom.row(),
                Jaxb.row(),
                Mail.row(),
                // Databases.
                Hibernate.row(),
                Postgres.row(),
                Jooq.row(),
                Querydsl.row(),
                SpringData.row());
    }
}
