package bsh;

import io.understudy.codec.Canaries;
import java.io.Serializable;

/** In the package of a known gadget. Its name is all that anybody uses of it. */
final class GadgetCanary implements Serializable {

    private static final long serialVersionUID = 1L;

    static {
        Canaries.sing(GadgetCanary.class);
    }
}
