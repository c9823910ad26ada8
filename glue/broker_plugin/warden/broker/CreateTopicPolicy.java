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
    private Driver driver;

    @Override
    public void configure(Map<String, ?> configs) {
        Settings.require(configs, "authorizer.class.name", Authorizer.class);
        Settings.require(configs, "alter.config.policy.class.name", AlterConfigPolicy.class);
        driver = Driver.of(configs);
    }

    @Override
    public void validate(RequestMetadata metadata) {
        String topic = metadata.topic();
        List<Grants.Request> from = driver.grants.take("CREATE", "TOPIC", topic);
        if (Topic.isInternal(topic) || driver.settings.clusterTopics().contains(topic)) {
            driver.counts.clusterOwn.increment();
            return;
        }
        ObjectNode request = Driver.JSON.createObjectNode().put("topic", topic);
        if (metadata.numPartitions() != null) {
            request.put("numPartitions", metadata.numPartitions());
        }
        if (metadata.replicationFactor() != null) {
            request.put("replicationFactor", metadata.replicationFactor());
        }
        if (metadata.replicasAssignments() != null) {
            request.set("replicasAssignments", Driver.JSON.valueToTree(metadata.replicasAssignments()));
        }
        request.set("configs", Driver.JSON.valueToTree(metadata.configs()));
        driver.require("topic " + topic, from.stream().map(one -> driver.item("CreateTopic", request, one)).toList(),
            from);
    }

    @Override
    public void close() {
    }
}
