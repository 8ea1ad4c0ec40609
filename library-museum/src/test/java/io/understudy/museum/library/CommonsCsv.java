package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import java.util.ArrayList;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

final class CommonsCsv {

    private CommonsCsv() {}

    static Row row() {
        return Row.of(
                "Apache Commons CSV",
                "commons-csv",
                value(
                        "CSVRecord",
                        () -> new ArrayList<>(
                                CSVParser.parse("ada,36", CSVFormat.DEFAULT).getRecords()),
                        (ArrayList<CSVRecord> records) ->
                                records.get(0).toList().toString()),
                value("CSVFormat", () -> CSVFormat.EXCEL));
    }
}
