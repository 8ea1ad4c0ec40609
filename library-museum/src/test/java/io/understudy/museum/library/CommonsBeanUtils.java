package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.code;
import static io.understudy.museum.library.Sample.value;

import org.apache.commons.beanutils.BasicDynaClass;
import org.apache.commons.beanutils.BeanComparator;
import org.apache.commons.beanutils.DynaBean;
import org.apache.commons.beanutils.DynaProperty;
import org.apache.commons.beanutils.LazyDynaBean;
import org.apache.commons.beanutils.LazyDynaMap;

final class CommonsBeanUtils {

    private CommonsBeanUtils() {}

    static Row row() {
        return Row.of(
                "Apache Commons BeanUtils",
                "commons-beanutils",
                value("BasicDynaBean", CommonsBeanUtils::employee, CommonsBeanUtils::text),
                value("LazyDynaBean", () -> filled(new LazyDynaBean("employee")), CommonsBeanUtils::text),
                value("LazyDynaMap", () -> filled(new LazyDynaMap("employee")), CommonsBeanUtils::text),
                value("DynaProperty", () -> new DynaProperty("age", int.class)),
                code("BeanComparator", () -> new BeanComparator<>("age"))
                        .refused(
                                "BeanComparator is known for turning deserialization into code execution",
                                "it calls the getter that the bytes name"));
    }

    private static DynaBean employee() throws ReflectiveOperationException {
        DynaProperty[] properties = {new DynaProperty("name", String.class), new DynaProperty("age", Integer.class)};
        return filled(new BasicDynaClass("employee", null, properties).newInstance());
    }

    private static DynaBean filled(DynaBean bean) {
        bean.set("name", "ada");
        bean.set("age", 36);
        return bean;
    }

    private static String text(DynaBean bean) {
        return bean.getDynaClass().getName() + bean.get("name") + bean.get("age");
    }
}
