package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import com.google.i18n.phonenumbers.PhoneNumberUtil;

final class PhoneNumbers {

    private PhoneNumbers() {}

    static Row row() {
        return Row.of(
                "libphonenumber",
                "libphonenumber",
                value("PhoneNumber", () -> PhoneNumberUtil.getInstance().parse("+49 30 123456", "DE")),
                value(
                        "PhoneNumber as it was typed",
                        () -> PhoneNumberUtil.getInstance().parseAndKeepRawInput("030 123456", "DE")));
    }
}
