package warden.broker;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.kafka.common.internals.Topic;

/**
 * {@code create.topic.policy.class.name}: called on the controller's one event thread for every creation, whoever asks.
 * The topics that Kafka itself cannot do without are let through unasked.
 */
public final class CreateTopicPolicy implements org.apache.kafka.server.policy.CreateTopicPolicy {
    private Decider decider;

    @Override
    public void configure(Map<String, ?> configs) {
        Settings.require(configs, "authorizer.class.name", Authorizer.class);
        Settings.require(configs, "alter.config.policy.class.name", AlterConfigPolicy.class);
        decider = Decider.of(configs);
    }

    @Override
    public void validate(RequestMetadata metadata) {
        String topic = metadata.topic();
        List<Grants.Request> from = decider.grants.take("CREATE", "TOPIC", topic);
        if (Topic.isInternal(topic) || decider.settings.clusterTopics().contains(topic)) {
            decider.counts.clusterOwn.increment();
            return;
        }
        ObjectNode request = Decider.JSON.createObjectNode().put("topic", topic);
        if (metadata.numPartitions() != null) {
            request.put("numPartitions", metadata.numPartitions());
        }
        if (metadata.replicationFactor() != null) {
            request.put("replicationFactor", metadata.replicationFactor());
        }
        if (metadata.replicasAssignments() != null) {
            request.set("replicasAssignments", Decider.JSON.valueToTree(metadata.replicasAssignments()));
        }
        request.set("configs", Decider.JSON.valueToTree(metadata.configs()));
        decider.require("topic " + topic, from.stream().map(one -> decider.item("CreateTopic", request, one)).toList(),
            from);
    }

    @Override
    public void close() {
    }
}
