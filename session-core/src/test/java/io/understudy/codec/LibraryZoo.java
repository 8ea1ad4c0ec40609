package io.understudy.codec;

import com.google.common.base.Optional;
import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.HashBasedTable;
import com.google.common.collect.HashBiMap;
import com.google.common.collect.HashMultimap;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableBiMap;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.ImmutableTable;
import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.Lists;
import com.google.common.collect.Range;
import com.google.common.collect.TreeMultiset;
import io.understudy.codec.TypeZoo.Animal;
import io.understudy.codec.ZooTypes.Box;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.hibernate.collection.spi.PersistentBag;
import org.hibernate.collection.spi.PersistentList;
import org.hibernate.collection.spi.PersistentMap;
import org.hibernate.collection.spi.PersistentSet;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.RememberMeAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.web.authentication.WebAuthenticationDetails;
import org.springframework.security.web.csrf.DefaultCsrfToken;
import org.springframework.security.web.savedrequest.DefaultSavedRequest;
import org.springframework.security.web.savedrequest.SimpleSavedRequest;
import org.springframework.util.LinkedCaseInsensitiveMap;
import org.springframework.util.LinkedMultiValueMap;

/** What libraries put into sessions, or applications of theirs do. */
final class LibraryZoo {

    private static final List<GrantedAuthority> ROLES = AuthorityUtils.createAuthorityList("ROLE_USER", "ROLE_ADMIN");

    private LibraryZoo() {}

    static Stream<Animal> animals() {
        return Stream.of(guava(), springSecurity(), SpringZoo.animals(), hibernate())
                .flatMap(each -> each);
    }

    private static Stream<Animal> guava() {
        return Stream.of(
                TypeZoo.of("guava ImmutableList", () -> ImmutableList.of("a", 1, List.of(2))),
                TypeZoo.of("guava empty ImmutableList", () -> ImmutableList.of()),
                TypeZoo.of("guava ImmutableList in a record", () -> new Box<>(ImmutableList.of("a", "b"))),
                TypeZoo.of("guava ImmutableSet", () -> ImmutableSet.of("a", "b", "c"), LibraryZoo::listed),
                TypeZoo.of("guava ImmutableMap", () -> ImmutableMap.of("a", 1, "b", 2)),
                TypeZoo.of("guava ImmutableBiMap", () -> ImmutableBiMap.of("a", 1, "b", 2)),
                TypeZoo.of("guava ImmutableSortedMap", () -> ImmutableSortedMap.of("b", 2, "a", 1)),
                TypeZoo.of("guava ImmutableSortedSet", () -> ImmutableSortedSet.of(3, 1, 2)),
                TypeZoo.of("guava ImmutableListMultimap", () -> ImmutableListMultimap.of("a", 1, "a", 2)),
                TypeZoo.of("guava ImmutableTable", () -> ImmutableTable.of("row", "column", 1)),
                TypeZoo.of("guava HashBasedTable", () -> table()),
                TypeZoo.of("guava ArrayListMultimap", () -> ArrayListMultimap.create(ImmutableListMultimap.of("a", 1))),
                TypeZoo.of("guava HashMultimap", () -> HashMultimap.create(ImmutableListMultimap.of("a", 1, "a", 2))),
                TypeZoo.of(
                        "guava LinkedHashMultimap", () -> LinkedHashMultimap.create(ImmutableListMultimap.of("b", 1))),
                TypeZoo.of("guava HashMultiset", () -> HashMultiset.create(List.of("a", "a", "b"))),
                TypeZoo.of("guava TreeMultiset", () -> TreeMultiset.create(List.of("a", "a", "b"))),
                TypeZoo.of("guava HashBiMap", () -> HashBiMap.create(Map.of("a", 1))),
                TypeZoo.of("guava Range", () -> Range.closedOpen(1, 5)),
                TypeZoo.of("guava Optional", () -> Optional.of("a")),
                TypeZoo.of(
                        "guava Lists.transform",
                        () -> Lists.transform(new ArrayList<>(List.of(1, 2)), Math::abs),
                        LibraryZoo::listed));
    }

    /** Order included. */
    private static Object listed(Object collection) {
        return List.copyOf((Collection<?>) collection);
    }

    private static Object table() {
        HashBasedTable<String, String, Integer> table = HashBasedTable.create();
        table.put("row", "column", 1);
        return table;
    }

    private static UserDetails user() {
        return User.withUsername("ada").password("{noop}x").authorities(ROLES).build();
    }

    private static UsernamePasswordAuthenticationToken authenticated() {
        UsernamePasswordAuthenticationToken token =
                UsernamePasswordAuthenticationToken.authenticated(user(), null, ROLES);
        token.setDetails(new WebAuthenticationDetails("127.0.0.1", "s1"));
        return token;
    }

    private static Stream<Animal> springSecurity() {
        return Stream.of(
                TypeZoo.of("spring SecurityContextImpl", () -> new SecurityContextImpl(authenticated()), context -> {
                    Authentication token = ((SecurityContextImpl) context).getAuthentication();
                    return List.of(context, token.getAuthorities(), token.getDetails(), token.isAuthenticated());
                }),
                TypeZoo.of("spring User", () -> user(), user -> List.of(user, ((User) user).getAuthorities())),
                TypeZoo.of("spring AnonymousAuthenticationToken", () -> {
                    return new AnonymousAuthenticationToken("key", "anonymous", ROLES);
                }),
                TypeZoo.of("spring RememberMeAuthenticationToken", () -> {
                    return new RememberMeAuthenticationToken("key", user(), ROLES);
                }),
                TypeZoo.of(
                        "spring BadCredentialsException", () -> new BadCredentialsException("wrong"), Object::toString),
                TypeZoo.of("spring DefaultCsrfToken", () -> new DefaultCsrfToken("X-CSRF", "_csrf", "t"), token -> {
                    return ((DefaultCsrfToken) token).getHeaderName() + ((DefaultCsrfToken) token).getToken();
                }),
                TypeZoo.of("spring SimpleSavedRequest", () -> new SimpleSavedRequest("/account"), saved -> {
                    return ((SimpleSavedRequest) saved).getRedirectUrl();
                }),
                TypeZoo.of("spring DefaultSavedRequest", () -> savedRequest(), saved -> {
                    return ((DefaultSavedRequest) saved).getRedirectUrl()
                            + List.of(((DefaultSavedRequest) saved).getParameterValues("tab"));
                }),
                TypeZoo.of("spring LinkedMultiValueMap", () -> new LinkedMultiValueMap<>(Map.of("a", List.of("b")))),
                TypeZoo.of(
                        "spring LinkedCaseInsensitiveMap", () -> insensitive(), map -> ((Map<?, ?>) map).get("NAME")));
    }

    private static Object savedRequest() {
        return new DefaultSavedRequest.Builder()
                .setScheme("https")
                .setServerName("shop.example.org")
                .setServerPort(443)
                .setRequestURI("/account")
                .setRequestURL("https://shop.example.org/account")
                .setParameters(Map.of("tab", new String[] {"orders"}))
                .build();
    }

    private static Object insensitive() {
        LinkedCaseInsensitiveMap<String> map = new LinkedCaseInsensitiveMap<>();
        map.put("Name", "ada");
        return map;
    }

    /** As they are in an entity after the session that loaded it was closed. */
    private static Stream<Animal> hibernate() {
        return Stream.of(
                TypeZoo.of(
                        "hibernate PersistentBag",
                        () -> new PersistentBag<>(null, new ArrayList<>(List.of("b", "a"))),
                        LibraryZoo::listed),
                TypeZoo.of("hibernate PersistentList", () -> new PersistentList<>(null, new ArrayList<>(List.of("a")))),
                TypeZoo.of("hibernate PersistentSet", () -> new PersistentSet<>(null, new TreeSet<>(Set.of("a", "b")))),
                TypeZoo.of("hibernate PersistentMap", () -> new PersistentMap<>(null, new HashMap<>(Map.of("a", 1)))),
                TypeZoo.of("hibernate PersistentMap in a bean", () -> {
                    return new Box<>(new PersistentMap<>(null, new TreeMap<>(Map.of("a", 1))));
                }));
    }
}
