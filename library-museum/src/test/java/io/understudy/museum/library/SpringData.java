package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import java.util.List;
import org.springframework.data.domain.PageImpl;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Sort;
import org.springframework.data.geo.Distance;
import org.springframework.data.geo.Metrics;
import org.springframework.data.geo.Point;

final class SpringData {

    private SpringData() {}

    static Row row() {
        return Row.of(
                "Spring Data Commons",
                "spring-data-commons",
                value("Page", () -> new PageImpl<>(List.of("a", "b"), PageRequest.of(1, 2, Sort.by("name")), 9)),
                value("PageRequest", () -> PageRequest.of(1, 2, Sort.by(Sort.Direction.DESC, "name"))),
                value("Sort", () -> Sort.by(Sort.Order.asc("name").ignoreCase())),
                value("Point", () -> new Point(1, 2)),
                value("Distance", () -> new Distance(3, Metrics.KILOMETERS)));
    }
}
