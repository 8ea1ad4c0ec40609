package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.PrecisionModel;
import org.locationtech.jts.io.WKTReader;

final class Jts {

    private static final GeometryFactory FACTORY = new GeometryFactory(new PrecisionModel(), 4326);

    private Jts() {}

    static Row row() {
        return Row.of(
                "JTS",
                "jts-core",
                value("Point", () -> FACTORY.createPoint(new Coordinate(1, 2)), Jts::text),
                value("Polygon", () -> wkt("POLYGON ((0 0, 4 0, 4 4, 0 0), (1 0.5, 2 0.5, 2 1, 1 0.5))"), Jts::text),
                value(
                        "GeometryCollection",
                        () -> wkt("GEOMETRYCOLLECTION (POINT (1 1), LINESTRING (0 0, 1 1))"),
                        Jts::text),
                value("Envelope", () -> new Envelope(0, 1, 2, 3)),
                value("Coordinate", () -> new Coordinate(1, 2, 3)));
    }

    private static Geometry wkt(String text) throws Exception {
        return new WKTReader(FACTORY).read(text);
    }

    private static String text(Geometry geometry) {
        return geometry.toText() + geometry.getSRID() + geometry.isValid();
    }
}
