package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import com.ibm.icu.math.BigDecimal;
import com.ibm.icu.util.Currency;
import com.ibm.icu.util.DateInterval;
import com.ibm.icu.util.GregorianCalendar;
import com.ibm.icu.util.MeasureUnit;
import com.ibm.icu.util.TimeZone;
import com.ibm.icu.util.ULocale;

final class Icu {

    private Icu() {}

    static Row row() {
        return Row.of(
                "ICU4J",
                "icu4j",
                value("ULocale", () -> new ULocale("de_DE@currency=EUR")),
                value("Currency", () -> Currency.getInstance("EUR")),
                value("TimeZone", () -> TimeZone.getTimeZone("Europe/Berlin")),
                value("BigDecimal", () -> new BigDecimal("1.10"), BigDecimal::toString),
                value("GregorianCalendar", () -> {
                    GregorianCalendar calendar =
                            new GregorianCalendar(TimeZone.getTimeZone("Europe/Berlin"), ULocale.GERMANY);
                    calendar.setTimeInMillis(7);
                    return calendar;
                }),
                value("DateInterval", () -> new DateInterval(1, 9)),
                value("MeasureUnit", () -> MeasureUnit.KILOGRAM));
    }
}
