package io.understudy.museum.attacks;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Gives the objects of a class the name of another one in a {@link PayloadStream}. The fields have the names of its. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface WrittenAs {
    String value();
}
