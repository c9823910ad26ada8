package warden.broker;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.resource.Resource;

/**
 * {@code alter.config.policy.class.name}: called on the controller's event thread with the keys that change, resolved:
 * APPEND and SUBTRACT have become values, a deletion is null. What was before OPA knows.
 */
public final class AlterConfigPolicy implements org.apache.kafka.server.policy.AlterConfigPolicy {
    private static final String CREATION = "org.apache.kafka.controller.ReplicationControlManager";

    private Decider decider;

    @Override
    public void configure(Map<String, ?> configs) {
        Settings.require(configs, "authorizer.class.name", Authorizer.class);
        Settings.require(configs, "create.topic.policy.class.name", CreateTopicPolicy.class);
        decider = Decider.of(configs);
    }

    @Override
    public void validate(RequestMetadata metadata) {
        ConfigResource resource = metadata.resource();
        if (resource.type() == ConfigResource.Type.TOPIC && isCreation()) {
            return; // CreateTopicPolicy sees the same configs
        }
        boolean ofCluster = resource.type() != ConfigResource.Type.TOPIC && resource.type() != ConfigResource.Type.GROUP;
        List<Grants.Request> from = decider.grants.take("ALTER_CONFIGS",
            ofCluster ? "CLUSTER" : resource.type().name(), ofCluster ? Resource.CLUSTER_NAME : resource.name());
        decider.require("configs of " + resource.type().name().toLowerCase(java.util.Locale.ROOT) + " "
            + resource.name(), from.stream().map(one -> item(metadata, one)).toList(), from);
    }

    private ObjectNode item(RequestMetadata metadata, Grants.Request from) {
        ConfigResource resource = metadata.resource();
        ObjectNode request = Decider.JSON.createObjectNode();
        String operation = "AlterConfig";
        switch (resource.type()) {
            case TOPIC -> {
                operation = "AlterTopic";
                request.put("topic", resource.name());
            }
            case BROKER -> {
                operation = "AlterBroker";
                request.put("broker", resource.name());
            }
            default -> request.putObject("resource").put("name", resource.name())
                .put("type", resource.type().name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'));
        }
        var ops = request.putObject("configs").put("mode", "incremental").putArray("ops");
        metadata.configs().forEach((name, value) -> {
            ObjectNode op = ops.addObject().put("name", name).put("op", value == null ? "DELETE" : "SET");
            if (value != null) {
                op.put("value", value);
            }
        });
        ObjectNode item = decider.item(operation, request, from);
        if (from.api.equals(ApiKeys.ALTER_CONFIGS.name)) { // it deletes what it does not name, and Kafka hides that
            item.putArray("unknown").add("/request/configs");
        }
        return item;
    }

    /** Whether Kafka asks while it creates a topic; where that cannot be seen, what asks is decided as a change. */
    private static boolean isCreation() {
        return StackWalker.getInstance().walk(frames -> frames.anyMatch(
            frame -> frame.getClassName().equals(CREATION) && frame.getMethodName().contains("createTopic")));
    }

    @Override
    public void close() {
    }
}
