package org.apache.catalina;

import io.understudy.codec.Canaries;
import java.io.Serializable;

/** In a package of a container. Its name is all that anybody uses of it. */
final class ContainerCanary implements Serializable {

    private static final long serialVersionUID = 1L;

    static {
        Canaries.sing(ContainerCanary.class);
    }
}
