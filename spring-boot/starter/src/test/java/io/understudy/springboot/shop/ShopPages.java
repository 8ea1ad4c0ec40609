package io.understudy.springboot.shop;

import io.understudy.Understudy;
import io.understudy.testkit.Await;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public final class ShopPages {

    /** What it prints when it holds a request. */
    public static final String HELD = "HELD";

    private static final String CART = "cart";

    private final ObjectProvider<Understudy> node;
    private final ServletContext servlets;

    ShopPages(ObjectProvider<Understudy> node, ServletContext servlets) {
        this.node = node;
        this.servlets = servlets;
    }

    @GetMapping("/cart")
    String cart(HttpSession session) {
        return String.valueOf(session.getAttribute(CART));
    }

    /** A cart that is there is changed in place. */
    @GetMapping("/add")
    String add(@RequestParam("item") String item, HttpSession session) {
        Cart cart = (Cart) session.getAttribute(CART);
        if (cart == null) {
            cart = new Cart();
            session.setAttribute(CART, cart);
        }
        cart.add(item);
        return cart.toString();
    }

    /** Holds the request until the node is not ready. */
    @GetMapping("/hold")
    String hold() {
        Understudy running = node.getObject();
        System.out.println(HELD);
        Await.that("the node is not ready", () -> !running.readiness().ready());
        return running.readiness().reason();
    }

    /** What serves, with which settings, and with whom. */
    @GetMapping("/node")
    String node() throws JMException {
        Understudy running = node.getIfAvailable();
        if (running == null) {
            return "no node in " + servlets.getServerInfo();
        }
        return "%s in %s, ackTimeout %s, touchInterval %s, ready %s, %s"
                .formatted(
                        running.config().clusterName(),
                        servlets.getServerInfo(),
                        running.config().ackTimeout(),
                        running.config().touchInterval(),
                        running.readiness().ready(),
                        view());
    }

    private static Object view() throws JMException {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName node = beans.queryNames(new ObjectName("io.understudy:type=Node,*"), null)
                .iterator()
                .next();
        return beans.getAttribute(node, "View");
    }
}
