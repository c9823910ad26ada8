package warden.broker;

import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.apache.kafka.common.config.ConfigException;

/**
 * What server.properties says under {@code warden.broker.}; anything else under it is refused, so that a misspelled name
 * is noticed when the broker starts.
 *
 * @param opa             the address of OPA, on this machine
 * @param tokenFile       the file with OPA's token, null where OPA wants none
 * @param cluster         the cluster's name in decision inputs
 * @param dryrun          whether denials are logged and not carried out
 * @param allowUndecided  whether what OPA did not decide is let through
 * @param budgetMs        how long one decision may take, in milliseconds
 * @param requestBudgetMs how long the decisions of one request may take together, in milliseconds
 * @param logLines        how many lines the log gets in ten seconds, at most
 * @param clusterTopics   topics whose creation is the cluster's own, beside Kafka's internal ones
 */
record Settings(URI opa, Path tokenFile, String cluster, boolean dryrun, boolean allowUndecided, long budgetMs,
                long requestBudgetMs, long logLines, Set<String> clusterTopics) {

    private static final String PREFIX = "warden.broker.";
    private static final Set<String> NAMES = Set.of("opa.url", "opa.token.file", "cluster", "mode", "undecided",
        "budget.ms", "request.budget.ms", "log.lines", "cluster.topics");
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    static Settings read(Map<String, ?> configs) {
        Set<String> unknown = new TreeSet<>(configs.keySet());
        unknown.removeIf(key -> !key.startsWith(PREFIX) || NAMES.contains(key.substring(PREFIX.length())));
        if (!unknown.isEmpty()) {
            throw new ConfigException("unknown: " + String.join(", ", unknown) + "; use one of "
                + new TreeSet<>(NAMES).stream().map(PREFIX::concat).collect(Collectors.joining(", ")));
        }
        String address = readText(configs, "opa.url", "http://127.0.0.1:8181");
        String token = readText(configs, "opa.token.file", "");
        String cluster = readText(configs, "cluster", "");
        if (cluster.isEmpty()) {
            throw refused("cluster", cluster, "give the name that the cluster has in Warden's settings and state");
        }
        return new Settings(address(address), token.isEmpty() ? null : Path.of(token), cluster,
            isSecondOf(configs, "mode", "enforce", "dryrun"), isSecondOf(configs, "undecided", "deny", "allow"),
            readNumber(configs, "budget.ms", 50), readNumber(configs, "request.budget.ms", 500),
            readNumber(configs, "log.lines", 10),
            Arrays.stream(readText(configs, "cluster.topics", "__remote_log_metadata").split(","))
                .map(String::trim).collect(Collectors.toUnmodifiableSet()));
    }

    /** Throws where a class that Kafka also has to be told about is another one: alone, this one would decide half. */
    static void require(Map<String, ?> configs, String key, Class<?> wanted) {
        Object given = configs.get(key);
        String name = given instanceof Class<?> type ? type.getName() : String.valueOf(given);
        if (!name.equals(wanted.getName())) {
            throw new ConfigException(key + " is " + (given == null ? "missing" : name) + ": Warden's plugin needs "
                + wanted.getName() + " there, since its three classes decide together");
        }
    }

    private static URI address(String text) {
        try {
            URI address = new URI(text.replaceFirst("/+$", ""));
            if (Set.of("http", "https").contains(String.valueOf(address.getScheme()))
                    && LOOPBACK.contains(String.valueOf(address.getHost()))) {
                return address;
            }
        } catch (java.net.URISyntaxException ignored) {
            // said below
        }
        throw refused("opa.url", text, "give an OPA of this machine, as http://127.0.0.1:8181");
    }

    /** Whether a setting has the second of its two values; the first is the default. */
    private static boolean isSecondOf(Map<String, ?> configs, String name, String first, String second) {
        String value = readText(configs, name, first);
        if (!value.equals(first) && !value.equals(second)) {
            throw refused(name, value, "use " + first + " or " + second);
        }
        return value.equals(second);
    }

    private static long readNumber(Map<String, ?> configs, String name, long usual) {
        String value = readText(configs, name, Long.toString(usual));
        if (!value.matches("[1-9][0-9]{0,5}")) {
            throw refused(name, value, "give a number, 1 to 999999");
        }
        return Long.parseLong(value);
    }

    private static String readText(Map<String, ?> configs, String name, String usual) {
        Object value = configs.get(PREFIX + name);
        return value == null ? usual : value.toString().trim();
    }

    private static ConfigException refused(String name, String value, String advice) {
        return new ConfigException(PREFIX + name, value, advice);
    }
}
