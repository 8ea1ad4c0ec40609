package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import javax.measure.MetricPrefix;
import tech.units.indriya.quantity.Quantities;
import tech.units.indriya.unit.Units;

final class Indriya {

    private Indriya() {}

    static Row row() {
        return Row.of(
                "Indriya (units of measurement)",
                "indriya",
                value("quantity", () -> Quantities.getQuantity(3, Units.KILOGRAM)),
                value("product unit", () -> Units.METRE.divide(Units.SECOND)),
                value("prefixed unit", () -> Units.METRE.prefix(MetricPrefix.KILO)));
    }
}
