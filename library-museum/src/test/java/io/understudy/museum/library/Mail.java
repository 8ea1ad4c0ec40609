package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.Flags;
import jakarta.mail.Message;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.search.AndTerm;
import jakarta.mail.search.FlagTerm;
import jakarta.mail.search.SubjectTerm;
import java.util.ArrayList;
import java.util.List;

final class Mail {

    private Mail() {}

    static Row row() {
        return Row.of(
                "Jakarta Mail",
                "angus-mail",
                value(
                        "InternetAddress",
                        () -> new InternetAddress("ada@example.org", "Ada Løvelace"),
                        (InternetAddress address) -> address.toUnicodeString()),
                value("Flags", () -> {
                    Flags flags = new Flags(Flags.Flag.SEEN);
                    flags.add("important");
                    return flags;
                }),
                value("SearchTerm", () -> new AndTerm(new SubjectTerm("a"), new FlagTerm(new Flags("x"), true))),
                value(
                        "RecipientType",
                        () -> new ArrayList<>(List.of(Message.RecipientType.TO)),
                        (List<?> types) -> types.get(0) == Message.RecipientType.TO),
                value(
                        "AuthenticationFailedException",
                        () -> new AuthenticationFailedException("no"),
                        Throwable::toString));
    }
}
