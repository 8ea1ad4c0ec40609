package io.understudy.expiry;

import io.understudy.expiry.Claim.Kind;
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
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A few members that use and end one session, with everything that can happen next as an event: claims and logouts, uses,
 * listeners that begin and are done, each message, each member's entry into a view, crashes, joins, splits and merges. It
 * checks at each event what the rules promise.
 */
final class EndWorld implements EveryOrder.World<EndWorld.Event> {

    /**
     * @param members numbered from 0; those in {@code begin} are there from the beginning
     * @param expiries how often each member may find the session idle for too long
     * @param logouts how many logouts come to each
     * @param uses how many other requests come to each in time
     * @param late how many requests come to each that find the session idle for too long
     * @param giveUps how often somebody gives up a claim, or would like to when its listeners run
     * @param changes happen in this order, at any time
     */
    record Scenario(
            int members,
            Set<Integer> begin,
            List<Integer> expiries,
            List<Integer> logouts,
            List<Integer> uses,
            List<Integer> late,
            int giveUps,
            List<Change> changes) {

        boolean splits() {
            return changes.stream().anyMatch(Change.Split.class::isInstance);
        }
    }

    enum Act {
        EXPIRE,
        INHERIT,
        LOG_OUT,
        USE,
        USED,
        SPARE,
        COME_LATE,
        LOOK,
        BEGIN,
        FINISH,
        GIVE_UP,
        PULL,
        DELIVER,
        LOSE,
        ENTER,
        WAIT,
        CHANGE
    }

    record Event(Act act, int from, int to) {
        @Override
        public String toString() {
            return act + " " + from + " " + to;
        }
    }

    /** How often all are reminded: once to find that somebody is gone, once to take up what nobody did. */
    private static final int MOST_REMINDED = 2;

    private static final SessionKey KEY = new SessionKey(1);

    private final Scenario scenario;
    private final List<EndClaims<Integer>> rules = new ArrayList<>();
    private final List<ExploredSession> sessions = new ArrayList<>();
    private final Map<Link, Deque<Object>> links = new TreeMap<>();
    private final List<Deque<List<Integer>>> views = new ArrayList<>();
    private final List<List<Integer>> entered = new ArrayList<>();
    private final List<Integer> expiries;
    private final List<Integer> logouts;
    private final List<Integer> uses;
    private final List<Integer> late;
    private final List<Claim> firing = new ArrayList<>();
    private final Sides sides;

    /** Who told listeners, with the side it was on. */
    private final List<String> fired = new ArrayList<>();

    private final Set<Integer> firers = new TreeSet<>();
    private int giveUps;
    private int changes;
    private int reminded;
    private long clock = 1;

    EndWorld(Scenario scenario) {
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
        sides = new Sides(scenario.begin());
        announce(sides.first());
        scenario.begin().forEach(member -> apply(new Event(Act.ENTER, member, 0)));
        List.copyOf(links.keySet()).forEach(this::deliver);
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
    public List<Event> next() {
        List<Event> events = new ArrayList<>();
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
                    events.add(new Event(Act.PULL, other, member));
                }
            }
        }
        add(events, quiet() && IntStream.range(0, scenario.members()).anyMatch(this::waits), Act.WAIT, 0);
        links.forEach((link, messages) -> {
            int code = link.to() * 2 + (link.changes() ? 1 : 0);
            events.add(new Event(Act.DELIVER, link.from(), code));
            if (!sides.connected(link.from(), link.to())) {
                events.add(new Event(Act.LOSE, link.from(), code));
            }
        });
        if (changes < scenario.changes().size()) {
            events.add(new Event(Act.CHANGE, 0, 0));
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
        return links.isEmpty() && views.stream().allMatch(Collection::isEmpty);
    }

    /** It keeps a promise of which nobody has told the outcome. */
    private boolean waits(int member) {
        return sides.alive(member) && rules.get(member).promises() > 0 && reminded < MOST_REMINDED;
    }

    private boolean ended(int member) {
        return sessions.get(member).held && !sessions.get(member).live();
    }

    private static void add(List<Event> events, boolean possible, Act act, int member) {
        if (possible) {
            events.add(new Event(act, member, 0));
        }
    }

    @Override
    public void apply(Event event) {
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
            case LOSE -> links.remove(new Link(member, event.to() / 2, event.to() % 2 == 1));
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
        if (!fired.isEmpty() && !scenario.splits() && session.ending == null) {
            throw new AssertionError(member + " uses the session after its listeners were told: " + fired);
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
        String side = entered.get(member).toString();
        for (int earlier : firers) {
            if (!sides.dead(earlier) && !scenario.splits()) {
                throw new AssertionError(member + " tells listeners that " + earlier + " has told");
            }
        }
        if (!fired.isEmpty()
                && scenario.splits()
                && (fired.size() > 1 || fired.get(0).equals(side))) {
            throw new AssertionError(member + " tells listeners on " + side + " after those on " + fired);
        }
        fired.add(side);
        firers.add(member);
    }

    private void tell(int member, News news) {
        for (int other : others(member, entered.get(member))) {
            if (!sides.dead(other)) {
                links.computeIfAbsent(new Link(member, other, true), link -> new ArrayDeque<>())
                        .add(news);
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
        Deque<Object> messages = links.get(link);
        Object message = messages.remove();
        if (messages.isEmpty()) {
            links.remove(link);
        }
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
            links.keySet().removeIf(link -> link.to() == member);
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
                links.computeIfAbsent(new Link(member, send.to(), false), link -> new ArrayDeque<>())
                        .add(send.message());
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
        return fired.size();
    }

    /** All that can make a difference to what happens next. */
    @Override
    public String toString() {
        return rules + "|" + sessions + "|" + links + "|" + views + "|" + entered + "|" + expiries + "|" + logouts + "|"
                + uses + "|" + late + "|" + firing + "|" + sides + "|" + fired + "|" + firers + "|" + giveUps + "|"
                + changes + "|" + reminded;
    }
}
