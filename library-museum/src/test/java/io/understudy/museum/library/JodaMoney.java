package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import org.joda.money.BigMoney;
import org.joda.money.CurrencyUnit;
import org.joda.money.Money;

final class JodaMoney {

    private JodaMoney() {}

    static Row row() {
        return Row.of(
                "Joda-Money",
                "joda-money",
                value("Money", () -> Money.parse("EUR 19.90")),
                value("BigMoney", () -> BigMoney.parse("EUR 19.90123")),
                value("CurrencyUnit", () -> CurrencyUnit.JPY));
    }
}
