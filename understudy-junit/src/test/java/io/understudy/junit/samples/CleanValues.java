package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** No fault: values of many kinds. */
@WebServlet("/*")
public final class CleanValues extends Sample {

    enum Size {
        SMALL,
        LARGE
    }

    record Product(String name, BigDecimal price, Size size) implements Serializable {}

    static final class Stock implements Serializable {
        private final Map<Size, Integer> bySize = new EnumMap<>(Size.class);
        private final Map<String, Product> byName = new LinkedHashMap<>();
        private final Set<Product> all = new HashSet<>();
        private final TreeMap<LocalDate, String> deliveries = new TreeMap<>();
        private final ArrayDeque<String> history = new ArrayDeque<>();
        private final int[] counts = new int[3];
    }

    @Override
    String page(HttpServletRequest request) {
        Stock stock = attribute(request, "stock");
        if (stock == null) {
            stock = new Stock();
            request.getSession().setAttribute("stock", stock);
        }
        int number = stock.history.size();
        Size size = number % 2 == 0 ? Size.SMALL : Size.LARGE;
        Product product = new Product("tea " + number, new BigDecimal("9.95"), size);
        stock.bySize.merge(size, 1, Integer::sum);
        stock.byName.put(product.name(), product);
        stock.all.add(product);
        stock.deliveries.put(LocalDate.of(2020, 1, 1 + number), product.name());
        stock.history.addLast(product.name());
        stock.counts[number % stock.counts.length]++;
        Optional<Product> first = Optional.ofNullable(stock.byName.get("tea 0"));
        return stock.bySize + " " + stock.all.contains(product) + " " + stock.deliveries + " " + stock.history + " "
                + stock.counts[0] + " " + first.map(Product::price).orElse(BigDecimal.ZERO);
    }
}
