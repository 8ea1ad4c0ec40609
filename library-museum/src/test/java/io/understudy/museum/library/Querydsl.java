package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import com.querydsl.core.BooleanBuilder;
import com.querydsl.core.QueryModifiers;
import com.querydsl.core.types.Order;
import com.querydsl.core.types.OrderSpecifier;
import com.querydsl.core.types.dsl.Expressions;
import com.querydsl.core.types.dsl.StringPath;

final class Querydsl {

    private static final StringPath NAME = Expressions.stringPath("name");

    private Querydsl() {}

    static Row row() {
        return Row.of(
                "Querydsl",
                "querydsl-core",
                value("Predicate", () -> NAME.eq("ada").and(NAME.startsWith("a"))),
                value("BooleanBuilder", () -> new BooleanBuilder(NAME.isNotNull())),
                value("OrderSpecifier", () -> new OrderSpecifier<>(Order.DESC, NAME)),
                value("QueryModifiers", () -> new QueryModifiers(10L, 20L)));
    }
}
