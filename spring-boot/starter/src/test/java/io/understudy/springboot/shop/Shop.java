package io.understudy.springboot.shop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The application. It runs until its standard input ends; each line of it starts it again in the same JVM. */
@SpringBootApplication(proxyBeanMethods = false)
public class Shop {

    /** What it prints when it listens; then its port, and the one of its management server. */
    public static final String LISTENING = "LISTENING ";

    public static void main(String[] arguments) throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        do {
            try (ConfigurableApplicationContext running = SpringApplication.run(Shop.class, arguments)) {
                System.out.println(LISTENING + running.getEnvironment().getProperty("local.server.port") + " "
                        + running.getEnvironment().getProperty("local.management.port"));
                if (commands.readLine() == null) {
                    return;
                }
            }
        } while (true);
    }
}
