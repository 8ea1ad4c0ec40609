package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import org.postgresql.geometric.PGpoint;
import org.postgresql.util.PGInterval;
import org.postgresql.util.PGmoney;
import org.postgresql.util.PGobject;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

final class Postgres {

    private Postgres() {}

    static Row row() {
        return Row.of(
                "PostgreSQL JDBC",
                "postgresql",
                value("PGobject", () -> {
                    PGobject json = new PGobject();
                    json.setType("jsonb");
                    json.setValue("{\"a\": 1}");
                    return json;
                }),
                value("PGpoint", () -> new PGpoint(1, 2)),
                value("PGInterval", () -> new PGInterval("1 years 2 mons 3 days")),
                value("PGmoney", () -> new PGmoney("$19.90")),
                value(
                        "PSQLException",
                        () -> new PSQLException("no", PSQLState.UNIQUE_VIOLATION),
                        (PSQLException failed) -> failed.getMessage() + failed.getSQLState()));
    }
}
