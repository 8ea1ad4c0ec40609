package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import org.apache.commons.math3.complex.Complex;
import org.apache.commons.math3.fraction.BigFraction;
import org.apache.commons.math3.geometry.euclidean.threed.Vector3D;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;

final class CommonsMath {

    private CommonsMath() {}

    static Row row() {
        return Row.of(
                "Apache Commons Math",
                "commons-math3",
                value("Complex", () -> new Complex(1, 2)),
                value("BigFraction", () -> new BigFraction(1, 3)),
                value("Vector3D", () -> new Vector3D(1, 2, 3)),
                value("Array2DRowRealMatrix", () -> new Array2DRowRealMatrix(new double[][] {{1, 2}, {3, 4}})),
                value("ArrayRealVector", () -> new ArrayRealVector(new double[] {1, 2})),
                value(
                        "SummaryStatistics",
                        () -> {
                            SummaryStatistics statistics = new SummaryStatistics();
                            statistics.addValue(1);
                            statistics.addValue(3);
                            return statistics;
                        },
                        (SummaryStatistics statistics) -> statistics.getMean() + " " + statistics.getVariance()));
    }
}
