package io.understudy.museum.attacks;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Gives the objects of a class another class's name in a {@link PayloadStream}. The fields are called as that one's are. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface WrittenAs {
    String value();
}
