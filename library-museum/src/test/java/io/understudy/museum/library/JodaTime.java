package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import org.joda.time.DateTime;
import org.joda.time.DateTimeZone;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.joda.time.Interval;
import org.joda.time.LocalDate;
import org.joda.time.LocalDateTime;
import org.joda.time.LocalTime;
import org.joda.time.MutableDateTime;
import org.joda.time.Period;
import org.joda.time.YearMonth;
import org.joda.time.chrono.BuddhistChronology;

final class JodaTime {

    private static final DateTimeZone BERLIN = DateTimeZone.forID("Europe/Berlin");

    private JodaTime() {}

    static Row row() {
        return Row.of(
                "Joda-Time",
                "joda-time",
                value("DateTime", () -> new DateTime(2026, 10, 25, 2, 30, BERLIN)),
                value(
                        "DateTime in the later hour",
                        () -> new DateTime(2026, 10, 25, 2, 30, BERLIN).withLaterOffsetAtOverlap()),
                value("DateTime of another calendar", () -> new DateTime(0, BuddhistChronology.getInstance(BERLIN))),
                value(
                        "LocalDate",
                        () -> new LocalDate(2026, 2, 28),
                        (LocalDate date) -> date.plusDays(1).toString()),
                value("LocalTime", () -> new LocalTime(1, 2)),
                value("LocalDateTime", () -> new LocalDateTime(2026, 1, 2, 3, 4)),
                value("MutableDateTime", () -> new MutableDateTime(0, BERLIN)),
                value("Instant", () -> Instant.ofEpochMilli(7)),
                value("Interval", () -> new Interval(0, 9, BERLIN)),
                value("Period", () -> Period.days(3).withHours(2)),
                value("Duration", () -> Duration.standardHours(2)),
                value("YearMonth", () -> new YearMonth(2026, 2)),
                value("DateTimeZone", () -> BERLIN));
    }
}
