package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import com.google.gson.JsonSyntaxException;
import com.google.gson.internal.LinkedTreeMap;
import com.google.gson.reflect.TypeToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

final class Gson {

    private Gson() {}

    static Row row() {
        return Row.of(
                "Gson",
                "gson",
                value("maps of a document", () -> new ArrayList<>(List.of(document()))),
                value(
                        "numbers as they were written",
                        () -> new ArrayList<>(document().values()),
                        Object::toString),
                value("JsonSyntaxException", () -> new JsonSyntaxException("no"), Throwable::toString));
    }

    private static Map<String, Object> document() {
        return new com.google.gson.GsonBuilder()
                .setObjectToNumberStrategy(com.google.gson.ToNumberPolicy.LAZILY_PARSED_NUMBER)
                .create()
                .fromJson("{\"b\":[\"x\"],\"a\":{\"c\":true}}", new TypeToken<LinkedTreeMap<String, Object>>() {});
    }
}
