package io.understudy.tomcat;

import io.understudy.contract.ContractContainer;
import io.understudy.contract.FaultSweepContract;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** On Tomcat a request is answered, and leaves nothing, although places of the adapter throw. */
@Tag("container")
final class FaultSweepIT extends FaultSweepContract {

    @Override
    protected Class<? extends ContractContainer> container() {
        return TomcatContainer.class;
    }

    @Override
    protected Class<?> adapter() {
        return UnderstudyManager.class;
    }

    @Override
    protected int leastPlaces() {
        return 80;
    }

    @Override
    protected List<String> barrier() {
        return List.of("RequestScope.send call Commit.await", "RequestScope.send ", "ObjectCommits.commit call ");
    }
}
