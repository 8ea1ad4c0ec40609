package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;

final class Jackson2 {

    private Jackson2() {}

    static Row row() {
        return Row.of(
                "Jackson 2",
                "com.fasterxml.jackson.core:jackson-databind",
                value("ObjectNode", () -> new ObjectMapper().readTree("{\"a\":[1,2.5,null,{\"b\":true}]}")),
                value("ArrayNode", () -> new ObjectMapper().readTree("[1,\"x\"]")),
                value("TextNode", () -> JsonNodeFactory.instance.textNode("a")),
                value(
                        "BinaryNode",
                        () -> JsonNodeFactory.instance.binaryNode(new byte[] {1, 2}),
                        (JsonNode node) -> node.asText()),
                value("JavaType", () -> new ObjectMapper().constructType(String.class)),
                value("ObjectMapper", ObjectMapper::new, (ObjectMapper mapper) -> mapper.readValue("[1]", List.class)));
    }
}
