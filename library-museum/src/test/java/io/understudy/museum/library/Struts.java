package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.page;

import org.apache.struts2.ActionSupport;

final class Struts {

    private Struts() {}

    /** An action that is kept for the next page of a wizard. */
    static class Wizard extends ActionSupport {

        private static final long serialVersionUID = 1L;

        int step;
    }

    static Row row() {
        return Row.of(
                "Apache Struts",
                "struts2-core",
                page(
                        "action with errors and messages",
                        Struts::wizard,
                        (Wizard wizard) -> wizard.step + "" + wizard.getFieldErrors() + wizard.getActionErrors()
                                + wizard.getActionMessages()));
    }

    private static Wizard wizard() {
        Wizard wizard = new Wizard();
        wizard.step = 2;
        wizard.addFieldError("name", "is empty");
        wizard.addActionError("no");
        wizard.addActionMessage("saved");
        return wizard;
    }
}
