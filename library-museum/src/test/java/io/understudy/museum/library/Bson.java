package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.types.Binary;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;

final class Bson {

    private Bson() {}

    static Row row() {
        return Row.of(
                "BSON (MongoDB)",
                "bson",
                value("Document", () -> Document.parse("{\"a\": [1, {\"b\": null}]}")),
                value("BsonDocument", () -> BsonDocument.parse("{\"a\": [1, {\"b\": null}]}")),
                value("ObjectId", () -> new ObjectId("65a0b0c0d0e0f00102030405")),
                value("Decimal128", () -> Decimal128.parse("1.10")),
                value("Binary", () -> new Binary(new byte[] {1, 2})));
    }
}
