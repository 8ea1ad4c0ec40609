package io.understudy.codec.kryo;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.util.DefaultInstantiatorStrategy;
import io.understudy.codec.classes.JdkValues;
import java.lang.reflect.Modifier;
import org.objenesis.instantiator.ObjectInstantiator;
import org.objenesis.strategy.InstantiatorStrategy;
import org.objenesis.strategy.StdInstantiatorStrategy;

/**
 * How objects are made that are read: as JDK streams do it, without the application's constructors, which may do anything, and
 * give values to fields that the bytes do not have. The JDK's are made by their constructors where they have one.
 */
final class Instantiation implements InstantiatorStrategy {

    private final InstantiatorStrategy without = new StdInstantiatorStrategy();
    private final InstantiatorStrategy ofJdk = new DefaultInstantiatorStrategy(without);

    @Override
    public <T> ObjectInstantiator<T> newInstantiatorOf(Class<T> type) {
        if (Modifier.isAbstract(type.getModifiers())) {
            throw new KryoException(type.getName() + ": expected a class that may have objects, found "
                    + (type.isInterface() ? "an interface" : "an abstract class"));
        }
        return JdkValues.ofJdk(type) ? ofJdk.newInstantiatorOf(type) : without.newInstantiatorOf(type);
    }
}
