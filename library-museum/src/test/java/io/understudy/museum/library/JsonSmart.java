package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import net.minidev.json.JSONValue;

final class JsonSmart {

    private JsonSmart() {}

    static Row row() {
        return Row.of(
                "json-smart",
                "json-smart",
                value("JSONObject", () -> JSONValue.parseStrict("{\"a\":[1,{\"b\":true}]}")),
                value("JSONArray", () -> JSONValue.parseStrict("[1,\"x\",null]")));
    }
}
