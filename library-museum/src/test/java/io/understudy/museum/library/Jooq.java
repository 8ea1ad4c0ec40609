package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record2;
import org.jooq.Result;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.types.UInteger;

final class Jooq {

    private static final DSLContext CONTEXT = DSL.using(SQLDialect.H2);
    private static final Field<Integer> ID = DSL.field("id", SQLDataType.INTEGER);
    private static final Field<String> NAME = DSL.field("name", SQLDataType.VARCHAR);

    private Jooq() {}

    static Row row() {
        return Row.of(
                "jOOQ",
                "jooq",
                value("Record", Jooq::ada),
                value("Result", () -> {
                    Result<Record2<Integer, String>> result = CONTEXT.newResult(ID, NAME);
                    result.add(ada());
                    return result;
                }),
                value("Condition", () -> ID.eq(1).and(NAME.like("a%"))),
                value("UInteger", () -> UInteger.valueOf(7)));
    }

    private static Record2<Integer, String> ada() {
        return CONTEXT.newRecord(ID, NAME).values(1, "ada");
    }
}
