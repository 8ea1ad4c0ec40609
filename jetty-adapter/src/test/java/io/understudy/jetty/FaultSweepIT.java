package io.understudy.jetty;

import io.understudy.contract.ContractContainer;
import io.understudy.contract.FaultSweepContract;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** On Jetty a request is answered, and leaves nothing, although places of the adapter throw. */
@Tag("container")
final class FaultSweepIT extends FaultSweepContract {

    @Override
    protected Class<? extends ContractContainer> container() {
        return JettyContainer.class;
    }

    @Override
    protected Class<?> adapter() {
        return UnderstudySessionFactory.class;
    }

    @Override
    protected int leastPlaces() {
        return 110;
    }

    @Override
    protected List<String> barrier() {
        return List.of(
                "ReplicatedRequest.outcome call CompletableFuture.join",
                "ReplicatedRequest.awaits ",
                "ReplicatedRequest.settled ",
                "UnderstudySession.commit ");
    }
}
