package warden.broker;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;

/** What decisions of the last seconds let through and the cluster's state does not show yet, by JSON pointers into it. */
final class Pending {
    private static final long LONGEST_MS = 3_600_000, SETTLED_MS = 2_000;

    private final TreeMap<Long, Map<String, Double>> bySecond = new TreeMap<>();

    /** The sums of what is pending. */
    synchronized Map<String, Double> sums() {
        Map<String, Double> sums = new HashMap<>();
        bySecond.values().forEach(charges -> charges.forEach((pointer, by) -> sums.merge(pointer, by, Double::sum)));
        return sums;
    }

    /** Adds the charges of a decision that was carried out. */
    synchronized void add(JsonNode charges) {
        Map<String, Double> now = bySecond.computeIfAbsent(System.currentTimeMillis() / 1000, any -> new HashMap<>());
        charges.properties().forEach(field -> now.merge(field.getKey(), field.getValue().asDouble(), Double::sum));
    }

    /** Forgets what a state of this age shows; a state lags behind a change by up to a second. */
    synchronized void forget(JsonNode stateAge) {
        long age = stateAge.isNumber() ? (long) (stateAge.asDouble() * 1000) + SETTLED_MS : LONGEST_MS;
        bySecond.headMap((System.currentTimeMillis() - Math.min(age, LONGEST_MS)) / 1000).clear();
    }
}
