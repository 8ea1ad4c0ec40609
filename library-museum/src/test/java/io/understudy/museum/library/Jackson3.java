package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

final class Jackson3 {

    private Jackson3() {}

    static Row row() {
        return Row.of(
                "Jackson 3",
                "tools.jackson.core:jackson-databind",
                value("ObjectNode", () -> new JsonMapper().readTree("{\"a\":[1,2.5,null,{\"b\":true}]}")),
                value("StringNode", () -> JsonNodeFactory.instance.stringNode("a")),
                value("JsonMapper", JsonMapper::new, (JsonMapper mapper) -> mapper.readValue("[1]", List.class)));
    }
}
