package io.understudy.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.util.ObjectMap;
import java.util.List;

/**
 * Objects by the names of their fields, so that versions of a class read each other. A field that is missing in the bytes has its
 * type's default, as no constructor runs. One that is not here is read, as others may refer to what it holds, and dropped.
 *
 * <p>Not Kryo's CompatibleFieldSerializer: it takes two superclasses with one simple name for one, loses nulls, the values of fields that
 * move in the hierarchy, and numbers whose type is widened.
 */
final class BeanByNameSerializer extends Serializer<Object> {

    private final BeanShape shape;

    BeanByNameSerializer(Class<?> type) {
        shape = new BeanShape(type);
    }

    @Override
    @SuppressWarnings("unchecked") // Kryo's own signatures.
    public void write(Kryo kryo, Output output, Object bean) {
        ObjectMap<Object, Object> graph = kryo.getGraphContext();
        if (!graph.containsKey(this)) {
            graph.put(this, shape);
            shape.write(output);
        }
        for (BeanField field : shape.fields()) {
            try {
                field.write(kryo, output, bean);
            } catch (KryoException e) {
                e.addTrace(field.name() + " (" + bean.getClass().getName() + ")");
                throw e;
            } catch (IllegalAccessException e) {
                throw new KryoException(e);
            }
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public Object read(Kryo kryo, Input input, Class<?> type) {
        ObjectMap<Object, Object> graph = kryo.getGraphContext();
        List<BeanShape.Written> fields = (List<BeanShape.Written>) graph.get(this);
        if (fields == null) {
            fields = shape.read(input);
            graph.put(this, fields);
        }
        Object bean = kryo.newInstance(type);
        kryo.reference(bean);
        for (BeanShape.Written field : fields) {
            try {
                Object value = BeanField.read(kryo, input, field.code());
                if (field.target() != null) {
                    field.target().set(bean, value);
                } else if (!BeanField.isDefault(value)) {
                    ((FaithfulKryo) kryo).dropped(type, field.name());
                }
            } catch (KryoException e) {
                e.addTrace(field.name() + " (" + type.getName() + ")");
                throw e;
            } catch (IllegalAccessException e) {
                throw new KryoException(e);
            }
        }
        return bean;
    }
}
