package warden.broker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;

/**
 * Who has been granted what a moment ago: Kafka asks its authorizer with the principal, and its policies without one.
 * Nothing is pushed out for want of room, since a creation would then be decided as another principal's.
 */
final class Grants {
    /** Longer than a controller keeps a request of Kafka's own clients waiting (request.timeout.ms, 30 s). */
    static final long LIFE_NANOS = 60_000_000_000L;
    static final int MOST = 50_000;
    /** Threads of requests that may be held at once: the others stay free for what the cluster itself asks. */
    private static final int MOST_HELD = 2;

    /** One request of a client, and how long its decisions have taken. */
    static final class Request {
        final String type, name, host, api, clientId;
        final int version, correlation;
        long spentNanos; // under the lock of Grants

        Request(AuthorizableRequestContext context) {
            type = context.principal().getPrincipalType();
            name = context.principal().getName();
            host = context.clientAddress().getHostAddress();
            api = ApiKeys.forId(context.requestType()).name;
            version = context.requestVersion();
            correlation = context.correlationId();
            clientId = context.clientId();
        }

        boolean hasSameDecision(Request other) {
            return type.equals(other.type) && name.equals(other.name) && host.equals(other.host)
                && api.equals(other.api) && version == other.version;
        }

        boolean isSame(Request other) {
            return hasSameDecision(other) && correlation == other.correlation && String.valueOf(clientId)
                .equals(String.valueOf(other.clientId));
        }

        String principal() {
            return type + ":" + name;
        }
    }

    /** Requests that are decided alike, the latest of them, and how many of them no policy has been called for. */
    private static final class Grant {
        Request request;
        long bornNanos;
        int number;
    }

    private final Map<String, List<Grant>> byResource = new HashMap<>();
    private final ThreadLocal<Request> latest = new ThreadLocal<>();
    private final Counts counts;
    private int count, held;
    private long sweptNanos = System.nanoTime();

    Grants(Counts counts) {
        this.counts = counts;
    }

    /** The request of a grant; of several grants of one request on one thread it is the same object. */
    Request request(AuthorizableRequestContext context) {
        Request request = new Request(context), before = latest.get();
        if (before != null && request.isSame(before)) {
            return before;
        }
        latest.set(request);
        return request;
    }

    /**
     * Waits until no other principal's grant about one of these resources is open, or some time is over: a policy's
     * call then belongs to one principal. The caller holds this object's lock, which it keeps until it has added its own.
     */
    void awaitOthers(String operation, List<ResourcePattern> resources, Request request, long nanos) {
        if (held == MOST_HELD || !isOfOthers(operation, resources, request)) {
            return;
        }
        long end = System.nanoTime() + nanos;
        held++;
        counts.held.increment();
        try {
            for (long left = nanos; left > 0 && isOfOthers(operation, resources, request); left = end - System.nanoTime()) {
                wait(left / 1_000_000, (int) (left % 1_000_000));
            }
        } catch (InterruptedException ended) { // the broker stops
            Thread.currentThread().interrupt();
        } finally {
            held--;
        }
    }

    private boolean isOfOthers(String operation, List<ResourcePattern> resources, Request request) {
        long now = System.nanoTime();
        return resources.stream()
            .flatMap(one -> byResource.getOrDefault(key(operation, one.resourceType().name(), one.name()), List.of()).stream())
            .anyMatch(one -> now - one.bornNanos <= LIFE_NANOS && !one.request.hasSameDecision(request));
    }

    /** Remembers a grant; false where there is no room. */
    synchronized boolean add(String operation, ResourcePattern resource, Request request) {
        long now = System.nanoTime();
        String key = key(operation, resource.resourceType().name(), resource.name());
        for (Grant grant : byResource.getOrDefault(key, List.of())) {
            if (grant.request.hasSameDecision(request)) {
                refresh(grant, request, now);
                return true;
            }
        }
        if (now - sweptNanos > (count >= MOST ? LIFE_NANOS / 60 : LIFE_NANOS)) {
            byResource.values().removeIf(grants -> removeExpired(grants, now).isEmpty());
            sweptNanos = now;
        }
        if (count >= MOST) {
            return false;
        }
        Grant grant = new Grant();
        refresh(grant, request, now);
        byResource.computeIfAbsent(key, ignored -> new ArrayList<>(1)).add(grant);
        count++;
        return true;
    }

    private static void refresh(Grant grant, Request request, long now) {
        grant.request = request;
        grant.bornNanos = now;
        grant.number++;
    }

    /**
     * The requests that may be the one of this call, none of them decided as another: one as a rule, and then its
     * grant is answered; several where principals ask about one resource at once, none where nobody is known.
     */
    synchronized List<Request> take(String operation, String type, String name) {
        String key = key(operation, type, name);
        List<Grant> grants = byResource.get(key);
        if (grants == null || removeExpired(grants, System.nanoTime()).isEmpty()) {
            byResource.remove(key);
            return List.of();
        }
        List<Request> requests = grants.stream().map(grant -> grant.request).toList();
        if (grants.size() == 1 && --grants.get(0).number == 0) {
            byResource.remove(key);
            count--;
            notifyAll();
        }
        return requests;
    }

    synchronized long spentNanos(List<Request> requests) {
        return requests.stream().mapToLong(request -> request.spentNanos).max().orElse(0);
    }

    synchronized void spend(List<Request> requests, long nanos) {
        requests.forEach(request -> request.spentNanos += nanos);
    }

    private List<Grant> removeExpired(List<Grant> grants, long now) {
        int before = grants.size();
        grants.removeIf(grant -> now - grant.bornNanos > LIFE_NANOS);
        count -= before - grants.size();
        return grants;
    }

    private static String key(String operation, String type, String name) {
        return operation + ' ' + type + ' ' + name;
    }
}
