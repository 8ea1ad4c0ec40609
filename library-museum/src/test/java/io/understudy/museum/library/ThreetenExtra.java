package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import java.time.Instant;
import org.threeten.extra.Days;
import org.threeten.extra.Interval;
import org.threeten.extra.LocalDateRange;
import org.threeten.extra.PeriodDuration;
import org.threeten.extra.YearQuarter;
import org.threeten.extra.YearWeek;
import org.threeten.extra.chrono.JulianDate;

final class ThreetenExtra {

    private ThreetenExtra() {}

    static Row row() {
        return Row.of(
                "ThreeTen-Extra",
                "threeten-extra",
                value("Interval", () -> Interval.of(Instant.EPOCH, Instant.ofEpochSecond(9))),
                value("LocalDateRange", () -> LocalDateRange.parse("2026-01-01/2026-02-01")),
                value("YearQuarter", () -> YearQuarter.of(2026, 2)),
                value("YearWeek", () -> YearWeek.of(2026, 7)),
                value("Days", () -> Days.of(3)),
                value("PeriodDuration", () -> PeriodDuration.parse("P1DT2H")),
                value("JulianDate", () -> JulianDate.of(2026, 1, 2)));
    }
}
