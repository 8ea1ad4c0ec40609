package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.login;

import java.util.List;
import javax.naming.CommunicationException;
import javax.naming.ldap.LdapName;
import org.springframework.ldap.core.DirContextAdapter;
import org.springframework.security.authentication.InternalAuthenticationServiceException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.ldap.userdetails.InetOrgPerson;
import org.springframework.security.ldap.userdetails.LdapUserDetailsImpl;

final class SpringLdap {

    private SpringLdap() {}

    static Row row() {
        return Row.of(
                "Spring Security LDAP",
                "spring-security-ldap",
                login("login by LDAP", SpringLdap::context, SpringLdap::text),
                login(
                        "InetOrgPerson",
                        SpringLdap::person,
                        (InetOrgPerson person) ->
                                person.getDn() + person.getMail() + person.getUid() + List.of(person.getCn())),
                login("name", () -> new LdapName("uid=ada,ou=people")),
                login(
                        "last exception",
                        () -> new InternalAuthenticationServiceException(
                                "no answer", new CommunicationException("refused")),
                        failed -> failed.toString() + ((Throwable) failed).getCause()));
    }

    private static SecurityContextImpl context() throws Exception {
        LdapUserDetailsImpl.Essence essence = new LdapUserDetailsImpl.Essence();
        essence.setDn("uid=ada,ou=people");
        essence.setUsername("ada");
        essence.setAuthorities(SpringSecurity.ROLES);
        return SpringSecurity.inSession(UsernamePasswordAuthenticationToken.authenticated(
                essence.createUserDetails(), null, SpringSecurity.ROLES));
    }

    private static String text(SecurityContextImpl context) {
        return SpringSecurity.text(context)
                + ((LdapUserDetailsImpl) context.getAuthentication().getPrincipal()).getDn();
    }

    private static InetOrgPerson person() throws Exception {
        DirContextAdapter entry = new DirContextAdapter(new LdapName("uid=ada,ou=people"));
        entry.setAttributeValue("uid", "ada");
        entry.setAttributeValue("cn", "Ada");
        entry.setAttributeValue("sn", "Lovelace");
        entry.setAttributeValue("mail", "ada@example.org");
        InetOrgPerson.Essence essence = new InetOrgPerson.Essence(entry);
        essence.setUsername("ada");
        return (InetOrgPerson) essence.createUserDetails();
    }
}
