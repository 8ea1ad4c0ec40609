package io.understudy.expiry;

import io.understudy.expiry.Claim.Kind;
import io.understudy.expiry.EndEvent.Act;
import io.understudy.expiry.ExploredSession.News;
import io.understudy.replica.Ending;
import io.understudy.replica.Rendezvous;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.testkit.EveryOrder;
import io.understudy.testkit.Sides;
import io.understudy.testkit.Sides.Change;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A few members that use and end one session, with everything that can happen next as an event: claims and logouts, uses,
 * listeners that begin and are done, each message, each member's entry into a view, crashes, joins, splits and merges. It
 * checks at each event what the rules promise.
 */
final class EndWorld implements EveryOrder.World<EndEvent> {

    /** How often all are reminded: once to find that somebody is gone, once to take up what nobody did. */
    private static final int MOST_REMINDED = 2;

    private static final SessionKey KEY = new SessionKey(1);

    private final EndScenario scenario;
    private final List<EndClaims<Integer>> rules = new ArrayList<>();
    private final List<ExploredSession> sessions = new ArrayList<>();
    private final Traffic traffic = new Traffic();
    private final List<Deque<List<Integer>>> views = new ArrayList<>();
    private final List<List<Integer>> entered = new ArrayList<>();
    private final List<Integer> expiries;
    private final List<Integer> logouts;
    private final List<Integer> uses;
    private final List<Integer> late;
    private final List<Claim> firing = new ArrayList<>();
    private final Sides sides;
    private final ListenerCalls fired;
    private int giveUps;
    private int changes;
    private int reminded;
    private long clock = 1;

    EndWorld(EndScenario scenario) {
        this.scenario = scenario;
        this.expiries = new ArrayList<>(scenario.expiries());
        this.logouts = new ArrayList<>(scenario.logouts());
        this.uses = new ArrayList<>(scenario.uses());
        this.late = new ArrayList<>(scenario.late());
        this.giveUps = scenario.giveUps();
        for (int member = 0; member < scenario.members(); member++) {
            ExploredSession session = new ExploredSession();
            session.held = scenario.begin().contains(member);
            session.lastUse = session.held ? new Stamp(1, 0) : null;
            sessions.add(session);
            int self = member;
            rules.add(new EndClaims<>(
                    member,
                    key -> new SessionStatus(session.ending, session.lastUse, 0, session.running > 0, false),
                    key -> entered.get(self).isEmpty() ? self : Rendezvous.of(key, entered.get(self)),
                    100L * member));
            views.add(new ArrayDeque<>());
            entered.add(List.of());
            firing.add(new Claim(KEY, Kind.EXPIRY, null));
        }
        fired = new ListenerCalls(scenario.splits());
        sides = new Sides(scenario.begin());
        announce(sides.first());
        scenario.begin().forEach(member -> apply(new EndEvent(Act.ENTER, member, 0)));
        List.copyOf(traffic.links()).forEach(this::deliver);
    }

    private void announce(Set<Integer> side) {
        side.forEach(member -> views.get(member).add(List.copyOf(side)));
    }

    private boolean free(int member) {
        return sessions.get(member).live()
                && !rules.get(member).claimed(KEY)
                && !rules.get(member).over(KEY);
    }

    private boolean heir(int member) {
        return !rules.get(member).orphans().isEmpty();
    }

    @Override
    public List<EndEvent> next() {
        List<EndEvent> events = new ArrayList<>();
        for (int member = 0; member < scenario.members(); member++) {
            if (!sides.alive(member)) {
                continue;
            }
            EndClaims<Integer> mine = rules.get(member);
            ExploredSession session = sessions.get(member);
            add(events, expiries.get(member) > 0 && free(member) && session.running == 0, Act.EXPIRE, member);
            add(events, logouts.get(member) > 0 && session.live(), Act.LOG_OUT, member);
            add(events, uses.get(member) > 0 && free(member), Act.USE, member);
            add(events, session.running > 0, Act.USED, member);
            add(events, uses.get(member) > 0 && spares(member), Act.SPARE, member);
            add(events, late.get(member) > 0 && session.live() && session.late == null, Act.COME_LATE, member);
            add(events, session.late != null, Act.LOOK, member);
            add(events, heir(member), Act.INHERIT, member);
            add(events, mine.granted().contains(KEY), Act.BEGIN, member);
            add(events, mine.busy(), Act.FINISH, member);
            add(events, giveUps > 0 && mine.claims() > 0, Act.GIVE_UP, member);
            add(events, !views.get(member).isEmpty() && othersEntered(member), Act.ENTER, member);
            for (int other : entered.get(member)) {
                // A member that has a promise does not show the session to one that may not know of it.
                if (!session.held && other != member && sides.alive(other) && (free(other) || ended(other))) {
                    events.add(new EndEvent(Act.PULL, other, member));
                }
            }
        }
        add(events, quiet() && IntStream.range(0, scenario.members()).anyMatch(this::waits), Act.WAIT, 0);
        traffic.links().forEach(link -> {
            int code = link.to() * 2 + (link.changes() ? 1 : 0);
            events.add(new EndEvent(Act.DELIVER, link.from(), code));
            if (!sides.connected(link.from(), link.to())) {
                events.add(new EndEvent(Act.LOSE, link.from(), code));
            }
        });
        if (changes < scenario.changes().size()) {
            events.add(new EndEvent(Act.CHANGE, 0, 0));
        }
        return events;
    }

    /** Who joins enters its first view last. */
    private boolean othersEntered(int member) {
        return !entered.get(member).isEmpty()
                || sides.first().stream()
                        .allMatch(other -> other == member || views.get(other).isEmpty());
    }

    private boolean quiet() {
        return traffic.none() && views.stream().allMatch(Collection::isEmpty);
    }

    /** It keeps a promise of which nobody has told the outcome. */
    private boolean waits(int member) {
        return sides.alive(member) && rules.get(member).promises() > 0 && reminded < MOST_REMINDED;
    }

    private boolean ended(int member) {
        return sessions.get(member).held && !sessions.get(member).live();
    }

    private static void add(List<EndEvent> events, boolean possible, Act act, int member) {
        if (possible) {
            events.add(new EndEvent(act, member, 0));
        }
    }

    @Override
    public void apply(EndEvent event) {
        int member = event.from();
        EndClaims<Integer> mine = rules.get(member);
        ExploredSession session = sessions.get(member);
        switch (event.act()) {
            case EXPIRE -> {
                expiries.set(member, expiries.get(member) - 1);
                claim(member, new Claim(KEY, Kind.EXPIRY, session.lastUse));
            }
            case LOG_OUT -> {
                logouts.set(member, logouts.get(member) - 1);
                claim(member, new Claim(KEY, Kind.INVALIDATION, session.lastUse));
            }
            case INHERIT -> claim(member, mine.orphans().get(0));
            case USE -> {
                uses.set(member, uses.get(member) - 1);
                use(member);
            }
            case SPARE -> handle(member, mine.spare(KEY));
            case COME_LATE -> {
                late.set(member, late.get(member) - 1);
                session.late = session.lastUse;
            }
            case LOOK -> {
                Stamp known = session.late;
                session.late = null;
                boolean found = session.live() && !mine.hidden(KEY);
                if (found && !String.valueOf(session.lastUse).equals(String.valueOf(known))) {
                    use(member); // There is news of a later use: it is in time after all.
                }
            }
            case USED -> {
                session.running--;
                if (session.live()) {
                    session.lastUse = new Stamp(++clock, member);
                    tell(member, new News(session.lastUse, null));
                }
            }
            case BEGIN -> begin(member);
            case FINISH -> {
                Ending ending = ending(firing.get(member), session.lastUse);
                merge(member, new News(null, ending));
                tell(member, new News(null, ending));
                handle(member, mine.finish(KEY));
            }
            case GIVE_UP -> {
                giveUps--;
                handle(member, mine.giveUp(List.of(KEY)));
            }
            case PULL -> {
                ExploredSession pulled = sessions.get(event.to());
                pulled.held = true;
                merge(event.to(), new News(session.lastUse, session.ending));
            }
            case DELIVER -> deliver(new Link(member, event.to() / 2, event.to() % 2 == 1));
            case LOSE -> traffic.lose(new Link(member, event.to() / 2, event.to() % 2 == 1));
            case ENTER -> {
                List<Integer> view = views.get(member).remove();
                boolean serving = !entered.get(member).isEmpty();
                entered.set(member, view);
                handle(member, mine.enter(others(member, view), serving));
            }
            case WAIT -> {
                reminded++;
                for (int other = 0; other < scenario.members(); other++) {
                    for (int i = 0; sides.alive(other) && i < EndClaims.REMINDS; i++) {
                        handle(other, rules.get(other).remind());
                    }
                }
            }
            case CHANGE -> change(scenario.changes().get(changes++));
        }
    }

    /** A request finds the session. After an expiry that was judged by an earlier use the session goes on where this is known. */
    private void use(int member) {
        ExploredSession session = sessions.get(member);
        if (session.ending == null) {
            fired.checkUse(member);
        }
        session.running++;
    }

    /** Whether a request that comes in time finds that this member wants to expire the session, and has not begun. */
    private boolean spares(int member) {
        EndClaims<Integer> mine = rules.get(member);
        return sessions.get(member).live() && mine.claims() > 0 && !mine.busy() && mine.hidden(KEY) && !mine.over(KEY);
    }

    /** An heir can know less of the last use than the member it inherits from. */
    private static Ending ending(Claim claim, @Nullable Stamp known) {
        Stamp claimed = claim.lastUse();
        Stamp lastUse = claimed == null || (known != null && known.compareTo(claimed) > 0) ? known : claimed;
        return claim.kind() == Kind.INVALIDATION || lastUse == null ? Ending.INVALIDATED : Ending.expired(lastUse);
    }

    private static List<Integer> others(int member, Collection<Integer> view) {
        return view.stream().filter(other -> other != member).toList();
    }

    private void claim(int member, Claim claim) {
        firing.set(member, claim);
        handle(member, rules.get(member).claim(List.of(claim), false, Set.of()));
    }

    private void begin(int member) {
        if (rules.get(member).usedSince(KEY)) {
            handle(member, rules.get(member).giveUp(List.of(KEY)));
            return;
        }
        if (!rules.get(member).begin(KEY)) {
            throw new AssertionError(member + " was granted the session, but may not begin");
        }
        fired.call(member, entered.get(member).toString(), sides);
    }

    private void tell(int member, News news) {
        for (int other : others(member, entered.get(member))) {
            if (!sides.dead(other)) {
                traffic.send(new Link(member, other, true), news);
            }
        }
    }

    private void merge(int member, News news) {
        ExploredSession session = sessions.get(member);
        Stamp use = news.use();
        Stamp known = session.lastUse;
        if (use != null && (known == null || use.compareTo(known) > 0)) {
            session.lastUse = use;
        }
        Ending ending = news.ending();
        if (ending != null) {
            if (session.ending == null || ending.invalidated()) {
                session.ending = ending;
            }
            handle(member, rules.get(member).settled(KEY));
        }
    }

    private void deliver(Link link) {
        Object message = traffic.take(link);
        if (message instanceof News news) {
            merge(link.to(), news);
        } else {
            handle(link.to(), rules.get(link.to()).receive(link.from(), (ExpiryMessage) message));
        }
    }

    private void change(Change change) {
        reminded = 0;
        if (change instanceof Change.Crash crash) {
            int member = crash.member();
            views.get(member).clear();
            traffic.loseAllTo(member);
        } else if (change instanceof Change.Merge) {
            // Reconciled before anybody claims: who is back knows what the other side ended.
            for (int a : sides.all()) {
                for (int b : sides.all()) {
                    ExploredSession theirs = sessions.get(b);
                    merge(a, new News(theirs.lastUse, theirs.ending));
                }
            }
        }
        sides.change(change).forEach(this::announce);
    }

    private void handle(int member, List<ExpiryOutput<Integer>> outputs) {
        for (ExpiryOutput<Integer> output : outputs) {
            if (output instanceof ExpiryOutput.Send<Integer> send && !sides.dead(send.to())) {
                traffic.send(new Link(member, send.to(), false), send.message());
            } else if (output instanceof ExpiryOutput.Lost<Integer> lost
                    && lost.veto().reason() == ExpiryMessage.Reason.ENDED
                    && lost.by() != member) {
                merge(member, new News(null, sessions.get(lost.by()).ending)); // It is pulled.
            }
        }
    }

    @Override
    public void check() {
        checkNoPromiseIsForgotten();
        checkOrphansHaveAnHeir();
    }

    /** When all messages have arrived, somebody takes up what members that are gone were promised, without being reminded. */
    private void checkOrphansHaveAnHeir() {
        if (!quiet() || scenario.splits()) {
            return;
        }
        List<Integer> alive = IntStream.range(0, scenario.members())
                .filter(sides::alive)
                .boxed()
                .toList();
        if (alive.stream().anyMatch(member -> rules.get(member).orphaned(KEY))
                && alive.stream()
                        .noneMatch(member -> heir(member) || rules.get(member).claims() > 0 || ended(member))) {
            throw new AssertionError("left to nobody: " + this);
        }
    }

    /** When nothing more will happen by itself, no promise is left of which nobody will tell the outcome. */
    private void checkNoPromiseIsForgotten() {
        if (!quiet() || reminded < MOST_REMINDED || scenario.splits()) { // What was lost is found by comparing.
            return;
        }
        for (int member = 0; member < scenario.members(); member++) {
            if (sides.alive(member)
                    && rules.get(member).promises() > 0
                    && entered.get(member).stream()
                            .noneMatch(other -> sides.alive(other)
                                    && (rules.get(other).claims() > 0 || heir(other) || ended(other)))
                    && rules.get(member).claims() == 0 // Nor is it over somewhere, which comparing shows.
                    && !heir(member)) {
                throw new AssertionError("promised by " + member + " to nobody: " + this);
            }
        }
        for (int member = 0; member < scenario.members(); member++) {
            EndClaims<Integer> mine = rules.get(member);
            if (sides.alive(member)
                    && mine.claims() > 0
                    && !mine.busy()
                    && !mine.granted().contains(KEY)) {
                throw new AssertionError("no verdict for " + member + ": " + this);
            }
        }
    }

    /** How often listeners were told. */
    int fired() {
        return fired.count();
    }

    /** All that can make a difference to what happens next. */
    @Override
    public String toString() {
        return rules + "|" + sessions + "|" + traffic + "|" + views + "|" + entered + "|" + expiries + "|" + logouts
                + "|"
                + uses + "|" + late + "|" + firing + "|" + sides + "|" + fired + "|" + giveUps + "|"
                + changes + "|" + reminded;
    }
}
