package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.StringValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;

final class Protobuf {

    private Protobuf() {}

    static Row row() {
        return Row.of(
                "Protocol Buffers",
                "protobuf-java",
                value("message", () -> Timestamp.newBuilder().setSeconds(7).build()),
                value(
                        "message with a map",
                        () -> Struct.newBuilder()
                                .putFields(
                                        "a",
                                        Value.newBuilder().setNumberValue(1).build())
                                .build()),
                value("message in an Any", () -> Any.pack(StringValue.of("a"))),
                value("ByteString", () -> ByteString.copyFromUtf8("a")));
    }
}
