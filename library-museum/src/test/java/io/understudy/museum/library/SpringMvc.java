package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.bean;
import static io.understudy.museum.library.Sample.code;
import static io.understudy.museum.library.Sample.value;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import jakarta.servlet.http.HttpSession;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.mock.web.MockServletContext;
import org.springframework.stereotype.Controller;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.ui.Model;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.validation.BeanPropertyBindingResult;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.SessionAttributes;
import org.springframework.web.context.annotation.SessionScope;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.FlashMap;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import org.springframework.web.servlet.support.SessionFlashMapManager;

/** Each node has a bean factory of its own, with the same id, as one application has on all nodes. */
final class SpringMvc {

    private SpringMvc() {}

    /** Public, as its proxies are classes of the context's loader. */
    public interface Colored {
        String color();
    }

    static class Prefs implements Colored, DisposableBean, Serializable {

        private static final long serialVersionUID = 1L;

        private String color = "green";

        @Override
        public String color() {
            return color;
        }

        @Override
        public void destroy() {
            color = "none";
        }
    }

    static class Basket implements Serializable {

        private static final long serialVersionUID = 1L;

        private Prefs byClass;
        private Colored byInterface;
        private int count;

        Basket() {}

        Basket(Prefs byClass, Colored byInterface) {
            this.byClass = byClass;
            this.byInterface = byInterface;
        }

        void add() {
            count++;
        }

        String text() {
            return count + byClass.color() + byInterface.color();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        @SessionScope
        Prefs prefs() {
            return new Prefs();
        }

        @Bean
        @Scope(scopeName = "session", proxyMode = ScopedProxyMode.INTERFACES)
        Prefs colored() {
            return new Prefs();
        }

        @Bean
        @SessionScope
        Basket basket(Prefs prefs, @Qualifier("colored") Colored colored) {
            return new Basket(prefs, colored);
        }
    }

    @Controller
    @SessionAttributes("order")
    static class Orders {

        @GetMapping("/order")
        @ResponseBody
        String order(Model model) {
            model.addAttribute("order", new ArrayList<>(List.of("pen", 3)));
            return "";
        }

        @GetMapping("/save")
        String save(RedirectAttributes attributes) {
            attributes.addFlashAttribute("message", "Saved");
            BindingResult errors = new BeanPropertyBindingResult(new ArrayList<>(List.of(1)), "order");
            errors.reject("incomplete", new Object[] {7}, "is not complete");
            attributes.addFlashAttribute(BindingResult.MODEL_KEY_PREFIX + "order", errors);
            return "redirect:/order";
        }
    }

    /** Made when a node needs it first. */
    private static final class Application {

        static final AnnotationConfigWebApplicationContext CONTEXT = started("museum", Beans.class);
    }

    /** @param id by which a copy of a bean finds its factory on another node */
    static AnnotationConfigWebApplicationContext started(String id, Class<?> beans) {
        AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext();
        context.setId(id);
        context.setServletContext(new MockServletContext());
        context.register(beans);
        context.refresh();
        return context;
    }

    static Row row() {
        List<Sample> samples = new ArrayList<>(samples());
        samples.addAll(SpringBeans.samples());
        return Row.of(
                        "Spring MVC",
                        List.of("spring-webmvc", "spring-test", "spring-tx"),
                        samples.toArray(Sample[]::new))
                .after(() -> List.of(Application.CONTEXT, SpringBeans.start()));
    }

    private static List<Sample> samples() {
        return List.of(
                bean(
                        "bean with scoped proxies",
                        () -> scoped("scopedTarget.basket"),
                        (Basket basket) -> inRequest(new MockHttpSession(), basket::text)),
                bean("session scoped bean", () -> scoped("scopedTarget.prefs"), Prefs::color),
                bean("@SessionAttributes", () -> attribute("/order", "order"), (Object order) -> order),
                bean(
                        "Flash attributes with binding errors",
                        () -> attribute("/save", SessionFlashMapManager.class.getName() + ".FLASH_MAPS"),
                        SpringMvc::flash),
                value("MultiValueMap", () -> new LinkedMultiValueMap<>(Map.of("a", List.of("b")))),
                code(
                                "callback that destroys a bean",
                                () -> scoped(ServletRequestAttributes.DESTRUCTION_CALLBACK_NAME_PREFIX
                                        + "scopedTarget.prefs"))
                        .refused(
                                "org.springframework.beans.factory.support.DisposableBeanAdapter",
                                "it calls a method that the bytes name"));
    }

    private static <T> T inRequest(HttpSession session, Callable<T> call) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setSession(session);
        ServletRequestAttributes attributes = new ServletRequestAttributes(request);
        RequestContextHolder.setRequestAttributes(attributes);
        try {
            return call.call();
        } finally {
            attributes.requestCompleted();
            RequestContextHolder.resetRequestAttributes();
        }
    }

    /** What Spring's session scope sets, in a session in which a basket was used. */
    private static Object scoped(String name) throws Exception {
        HttpSession session = new MockHttpSession();
        inRequest(session, () -> {
            Basket basket = Application.CONTEXT.getBean("basket", Basket.class);
            basket.add();
            return basket.text();
        });
        return session.getAttribute(name);
    }

    private static Object attribute(String path, String name) throws Exception {
        HttpSession session = new MockHttpSession();
        MockMvcBuilders.standaloneSetup(new Orders()).build().perform(get(path).session((MockHttpSession) session));
        return session.getAttribute(name);
    }

    private static String flash(List<FlashMap> maps) {
        FlashMap map = maps.get(0);
        BindingResult errors = (BindingResult) map.get(BindingResult.MODEL_KEY_PREFIX + "order");
        return map.getTargetRequestPath() + map.get("message") + errors.getTarget() + errors.getAllErrors();
    }
}
