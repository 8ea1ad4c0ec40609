package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import jakarta.persistence.CascadeType;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StaleObjectStateException;
import org.hibernate.cfg.Configuration;
import org.hibernate.proxy.HibernateProxy;

/** Entities after the session that loaded them was closed. Each node has a database of its own with the same rows. */
final class Hibernate {

    private Hibernate() {}

    @Entity
    @Table(name = "customer")
    static class Customer implements Serializable {

        private static final long serialVersionUID = 1L;

        @Id
        long id;

        String name;

        String getName() {
            return name;
        }
    }

    @Entity
    @Table(name = "purchase")
    static class Purchase implements Serializable {

        private static final long serialVersionUID = 1L;

        @Id
        long id;

        @ManyToOne(fetch = FetchType.LAZY)
        Customer customer;

        @ElementCollection(fetch = FetchType.EAGER)
        List<String> lines = new ArrayList<>();

        @ElementCollection(fetch = FetchType.EAGER)
        Set<String> tags = new HashSet<>();

        @ElementCollection(fetch = FetchType.EAGER)
        Map<String, Integer> amounts = new HashMap<>();

        @OneToMany(cascade = CascadeType.ALL)
        List<Customer> others = new ArrayList<>();
    }

    /** Made when a node needs it first. */
    private static final class Database {

        static final SessionFactory FACTORY = open();

        private static SessionFactory open() {
            SessionFactory factory = new Configuration()
                    .addAnnotatedClass(Customer.class)
                    .addAnnotatedClass(Purchase.class)
                    .setProperty("hibernate.connection.url", "jdbc:h2:mem:" + System.identityHashCode(Database.class))
                    .setProperty("hibernate.hbm2ddl.auto", "create-drop")
                    .buildSessionFactory();
            factory.inTransaction(session -> {
                Customer ada = new Customer();
                ada.id = 1;
                ada.name = "ada";
                session.persist(ada);
                Purchase purchase = new Purchase();
                purchase.id = 2;
                purchase.customer = ada;
                purchase.lines.addAll(List.of("pen", "ink"));
                purchase.tags.add("gift");
                purchase.amounts.put("pen", 3);
                session.persist(purchase);
            });
            return factory;
        }
    }

    static Row row() {
        return Row.of(
                "Hibernate ORM",
                List.of("hibernate-core", "h2"),
                value(
                        "entity with loaded collections",
                        () -> loaded(session -> session.find(Purchase.class, 2L)),
                        (Purchase purchase) -> List.copyOf(purchase.lines)
                                + " "
                                + purchase.tags
                                + purchase.amounts
                                + purchase.lines.getClass().getName()),
                value(
                        "entity with a lazy proxy",
                        () -> loaded(session -> session.find(Purchase.class, 2L)),
                        (Purchase purchase) -> lazy(purchase.customer)),
                value(
                        "collection that is not loaded",
                        () -> loaded(session -> session.find(Purchase.class, 2L)),
                        (Purchase purchase) -> purchase.others.getClass().getName()
                                + org.hibernate.Hibernate.isInitialized(purchase.others)),
                value(
                        "loaded proxy",
                        () -> loaded(session -> {
                            Customer ada = session.getReference(Customer.class, 1L);
                            org.hibernate.Hibernate.initialize(ada);
                            return ada;
                        }),
                        Customer::getName),
                value(
                        "StaleObjectStateException",
                        () -> new StaleObjectStateException("Purchase", 2L),
                        Throwable::toString));
    }

    private static <T> T loaded(Function<Session, T> query) {
        return Database.FACTORY.fromTransaction(query);
    }

    private static String lazy(Customer customer) {
        return "id " + ((HibernateProxy) customer).getHibernateLazyInitializer().getIdentifier() + ", loaded "
                + org.hibernate.Hibernate.isInitialized(customer);
    }
}
