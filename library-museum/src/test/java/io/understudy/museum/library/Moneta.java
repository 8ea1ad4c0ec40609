package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import javax.money.Monetary;
import org.javamoney.moneta.FastMoney;
import org.javamoney.moneta.Money;
import org.javamoney.moneta.RoundedMoney;

final class Moneta {

    private Moneta() {}

    static Row row() {
        return Row.of(
                "Moneta",
                "moneta-core",
                value("Money", () -> Money.of(19.9, "EUR")),
                value("FastMoney", () -> FastMoney.of(19.9, "EUR")),
                value(
                        "RoundedMoney",
                        () -> Monetary.getAmountFactory(RoundedMoney.class)
                                .setCurrency("EUR")
                                .setNumber(19.9)
                                .create()),
                value("CurrencyUnit", () -> Monetary.getCurrency("CHF")));
    }
}
