package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.login;

import java.util.Date;
import java.util.List;
import java.util.Set;
import org.apache.shiro.authc.UsernamePasswordToken;
import org.apache.shiro.authz.SimpleAuthorizationInfo;
import org.apache.shiro.authz.permission.WildcardPermission;
import org.apache.shiro.session.mgt.SimpleSession;
import org.apache.shiro.subject.SimplePrincipalCollection;
import org.apache.shiro.web.util.SavedRequest;

@SuppressWarnings("JavaUtilDate") // Its sessions have dates.
final class Shiro {

    private Shiro() {}

    static Row row() {
        return Row.of(
                "Apache Shiro",
                "shiro-web",
                login("principals", Shiro::principals),
                login(
                        "authorization",
                        () -> {
                            SimpleAuthorizationInfo info = new SimpleAuthorizationInfo(Set.of("admin"));
                            info.addObjectPermission(new WildcardPermission("order:read"));
                            return info;
                        },
                        (SimpleAuthorizationInfo info) -> info.getRoles() + "" + info.getObjectPermissions()),
                login(
                        "token",
                        () -> new UsernamePasswordToken("ada", "x", true),
                        (UsernamePasswordToken token) ->
                                token.getUsername() + String.valueOf(token.getPassword()) + token.isRememberMe()),
                login("session of its own", () -> {
                    SimpleSession session = new SimpleSession("127.0.0.1");
                    session.setId("s1");
                    session.setStartTimestamp(new Date(7));
                    session.setAttribute("a", List.of(1));
                    return session;
                }),
                login(
                        "saved request",
                        Shiro::saved,
                        (SavedRequest saved) -> saved.getRequestUrl() + saved.getMethod()));
    }

    private static SimplePrincipalCollection principals() {
        SimplePrincipalCollection principals = new SimplePrincipalCollection("ada", "ldap");
        principals.add(42L, "jdbc");
        return principals;
    }

    private static SavedRequest saved() {
        return new SavedRequest(Requests.request());
    }
}
