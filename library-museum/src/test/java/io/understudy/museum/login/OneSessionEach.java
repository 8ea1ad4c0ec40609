package io.understudy.museum.login;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.session.SessionRegistry;
import org.springframework.security.core.session.SessionRegistryImpl;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** Logins by form. A user who is logged in can't log in a second time; the list of sessions is in the node's memory. */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
public class OneSessionEach {

    /** Where a user gets after the login. */
    private static final String HOME = "/home";

    /** The list of sessions, which {@code HttpSessionEventPublisher} shortens. */
    @Bean
    SessionRegistry sessionRegistry() {
        return new SessionRegistryImpl();
    }

    /** Each password is the name. */
    @Bean
    UserDetailsService users() {
        InMemoryUserDetailsManager users = new InMemoryUserDetailsManager();
        for (String name : new String[] {"ada", "bob"}) {
            users.createUser(User.withUsername(name)
                    .password("{noop}" + name)
                    .roles("USER")
                    .build());
        }
        return users;
    }

    @Bean
    SecurityFilterChain chain(HttpSecurity http, SessionRegistry registry) throws Exception {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers(
                                request -> request.getRequestURI().endsWith("/ready"))
                        .permitAll()
                        .anyRequest()
                        .authenticated())
                .formLogin(form -> form.defaultSuccessUrl(HOME, true))
                .csrf(AbstractHttpConfigurer::disable) // The test sends forms without loading them.
                .sessionManagement(sessions -> sessions.maximumSessions(1)
                        .maxSessionsPreventsLogin(true)
                        .sessionRegistry(registry))
                .build();
    }
}
