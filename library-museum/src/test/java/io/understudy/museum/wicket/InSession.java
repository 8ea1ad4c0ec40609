package io.understudy.museum.wicket;

import org.apache.wicket.DefaultPageManagerProvider;
import org.apache.wicket.pageStore.IPageStore;
import org.apache.wicket.pageStore.InSessionPageStore;

/** The session has the pages. */
public class InSession extends OnDisk {

    private static final int PAGES = 5;

    @Override
    protected void init() {
        super.init();
        setPageManagerProvider(new DefaultPageManagerProvider(this) {

            @Override
            protected IPageStore newPersistentStore() {
                return new InSessionPageStore(PAGES);
            }

            @Override
            protected IPageStore newAsynchronousStore(IPageStore store) {
                return store; // Its thread has no session.
            }
        });
    }
}
