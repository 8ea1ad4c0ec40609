package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.page;

import org.apache.wicket.MarkupContainer;
import org.apache.wicket.ThreadContext;
import org.apache.wicket.markup.IMarkupResourceStreamProvider;
import org.apache.wicket.markup.html.WebPage;
import org.apache.wicket.markup.html.basic.Label;
import org.apache.wicket.markup.html.link.Link;
import org.apache.wicket.model.Model;
import org.apache.wicket.model.PropertyModel;
import org.apache.wicket.util.resource.IResourceStream;
import org.apache.wicket.util.resource.StringResourceStream;
import org.apache.wicket.util.tester.WicketTester;

final class Wicket {

    private Wicket() {}

    /** A page with a counter. */
    static final class Home extends WebPage implements IMarkupResourceStreamProvider {

        private static final long serialVersionUID = 1L;

        int count;

        Home() {
            add(new Label("count", new PropertyModel<Integer>(this, "count")));
            add(new Label("greeting", Model.of("Hello")));
            add(new Link<Void>("inc") {

                private static final long serialVersionUID = 1L;

                @Override
                public void onClick() {
                    count++;
                }
            });
        }

        @Override
        public IResourceStream getMarkupResourceStream(MarkupContainer container, Class<?> type) {
            return new StringResourceStream(
                    "<html><body><p wicket:id='greeting'/><b wicket:id='count'/><a wicket:id='inc'>+</a></body></html>");
        }
    }

    /** Made when a node needs it first. */
    private static final class Application {

        static final WicketTester TESTER = new WicketTester();

        /** Attaches it to this thread, as the filter of an application does for each request. */
        static WicketTester attached() {
            ThreadContext.setApplication(TESTER.getApplication());
            ThreadContext.setSession(TESTER.getSession());
            ThreadContext.setRequestCycle(TESTER.getRequestCycle());
            return TESTER;
        }
    }

    static Row row() {
        return Row.of(
                "Apache Wicket",
                java.util.List.of("wicket-core", "wicket-tester"),
                page("page after two clicks", Wicket::home, Wicket::text));
    }

    private static Home home() {
        WicketTester tester = Application.attached();
        tester.startPage(new Home());
        tester.clickLink("inc");
        tester.clickLink("inc");
        return (Home) tester.getLastRenderedPage();
    }

    /** The page after one more click. */
    private static String text(Home home) {
        WicketTester tester = Application.attached();
        tester.startPage(home);
        tester.clickLink("inc");
        return tester.getLastResponseAsString().replaceAll("href=\"[^\"]*\"", "");
    }
}
