package io.understudy.museum.wicket;

import org.apache.wicket.RuntimeConfigurationType;
import org.apache.wicket.protocol.http.WebApplication;

/** Wicket as it is: pages are in files of the node. The session has the last one, which is not serialized with it. */
public class OnDisk extends WebApplication {

    @Override
    public Class<CountingPage> getHomePage() {
        return CountingPage.class;
    }

    @Override
    public RuntimeConfigurationType getConfigurationType() {
        return RuntimeConfigurationType.DEPLOYMENT;
    }
}
