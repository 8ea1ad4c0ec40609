package io.understudy.museum.wicket;

import org.apache.wicket.MarkupContainer;
import org.apache.wicket.markup.IMarkupResourceStreamProvider;
import org.apache.wicket.markup.html.WebPage;
import org.apache.wicket.markup.html.basic.Label;
import org.apache.wicket.markup.html.link.Link;
import org.apache.wicket.model.PropertyModel;
import org.apache.wicket.util.resource.IResourceStream;
import org.apache.wicket.util.resource.StringResourceStream;
import org.jspecify.annotations.Nullable;

/** A page that counts the clicks on its link. */
public class CountingPage extends WebPage implements IMarkupResourceStreamProvider {

    private static final long serialVersionUID = 1L;

    private int count;

    /** Wicket makes it. */
    public CountingPage() {
        add(new Label("count", new PropertyModel<Integer>(this, "count")));
        add(new Link<Void>("more") {

            private static final long serialVersionUID = 1L;

            @Override
            public void onClick() {
                count++;
            }
        });
    }

    @Override
    public IResourceStream getMarkupResourceStream(@Nullable MarkupContainer container, Class<?> type) {
        return new StringResourceStream("<html><body><b wicket:id='count'/><a wicket:id='more'>+</a></body></html>");
    }
}
