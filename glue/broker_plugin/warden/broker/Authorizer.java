package warden.broker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;

/**
 * {@code authorizer.class.name}: Kafka's own authorizer, whose ACLs and super users grant what they ever do. Of
 * CreateTopics and DeleteTopics it has Kafka ask about each topic, remembers who is granted a creation or a change of
 * configs for the policies, and asks OPA about deletions that ACLs grant. Nothing else is looked at.
 */
public final class Authorizer extends StandardAuthorizer {
    private static final ResourcePattern CLUSTER =
        new ResourcePattern(ResourceType.CLUSTER, Resource.CLUSTER_NAME, PatternType.LITERAL);

    private Decider decider; // null where there is no controller: a broker sends all of this on to one

    @Override
    public void configure(Map<String, ?> configs) {
        super.configure(configs);
        if (String.valueOf(configs.get("process.roles")).contains("controller")) {
            Settings.require(configs, "create.topic.policy.class.name", CreateTopicPolicy.class);
            Settings.require(configs, "alter.config.policy.class.name", AlterConfigPolicy.class);
            decider = Decider.of(configs);
        }
    }

    @Override
    public List<AuthorizationResult> authorize(AuthorizableRequestContext context, List<Action> actions) {
        int api = decider == null ? -1 : context.requestType();
        if (api == ApiKeys.CREATE_TOPICS.id) {
            List<AuthorizationResult> results = byTopic(context, actions, AclOperation.CREATE);
            return remember(context, actions, results, AclOperation.CREATE);
        }
        if (api == ApiKeys.DELETE_TOPICS.id) {
            return deletions(context, actions, byTopic(context, actions, AclOperation.DELETE));
        }
        List<AuthorizationResult> results = super.authorize(context, actions);
        if (api == ApiKeys.INCREMENTAL_ALTER_CONFIGS.id || api == ApiKeys.ALTER_CONFIGS.id) {
            return remember(context, actions, results, AclOperation.ALTER_CONFIGS);
        }
        return results;
    }

    /**
     * The results with the cluster denied, whereupon Kafka asks about topics, and topics granted that the cluster's ACL
     * grants. As in Kafka such a grant counts whatever the ACLs of the topic say, and its topics are described.
     */
    private List<AuthorizationResult> byTopic(AuthorizableRequestContext context, List<Action> actions,
                                              AclOperation operation) {
        boolean everywhere = super.authorize(context, List.of(new Action(operation, CLUSTER, 1, true, false))).get(0)
            == AuthorizationResult.ALLOWED;
        List<AuthorizationResult> results = new ArrayList<>();
        for (Action action : actions) {
            ResourceType type = action.resourcePattern().resourceType();
            boolean covered = action.operation() == operation
                || operation == AclOperation.DELETE && action.operation() == AclOperation.DESCRIBE;
            if (type == ResourceType.CLUSTER && action.operation() == operation) {
                results.add(AuthorizationResult.DENIED);
            } else if (type == ResourceType.TOPIC && covered && everywhere) {
                results.add(AuthorizationResult.ALLOWED);
            } else {
                results.addAll(super.authorize(context, List.of(action)));
            }
        }
        return results;
    }

    private List<AuthorizationResult> remember(AuthorizableRequestContext context, List<Action> actions,
                                               List<AuthorizationResult> results, AclOperation operation) {
        List<AuthorizationResult> remembered = new ArrayList<>(results);
        List<Integer> granted = new ArrayList<>();
        for (int i = 0; i < actions.size(); i++) {
            if (actions.get(i).operation() == operation && results.get(i) == AuthorizationResult.ALLOWED
                    && (operation != AclOperation.CREATE || Topic.isValid(actions.get(i).resourcePattern().name()))) {
                granted.add(i);
            }
        }
        Grants.Request from = decider.grants.request(context);
        synchronized (decider.grants) {
            if (operation == AclOperation.CREATE) {
                decider.grants.awaitOthers(operation.name(), granted.stream()
                    .map(i -> actions.get(i).resourcePattern()).toList(), from, decider.settings.budgetMs() * 1_000_000);
            }
            for (int i : granted) {
                if (!decider.grants.add(operation.name(), actions.get(i).resourcePattern(), from)) {
                    decider.counts.warn("more than " + Grants.MOST + " requests wait for the policy: "
                        + actions.get(i).resourcePattern().name() + " is not let to it");
                    if (!decider.settings.dryrun() && !decider.settings.allowUndecided()) {
                        remembered.set(i, AuthorizationResult.DENIED);
                    }
                }
            }
        }
        return remembered;
    }

    private List<AuthorizationResult> deletions(AuthorizableRequestContext context, List<Action> actions,
                                                List<AuthorizationResult> results) {
        List<Integer> asked = new ArrayList<>();
        for (int i = 0; i < actions.size(); i++) {
            if (actions.get(i).operation() == AclOperation.DELETE
                    && actions.get(i).resourcePattern().resourceType() == ResourceType.TOPIC
                    && results.get(i) == AuthorizationResult.ALLOWED) {
                asked.add(i);
            }
        }
        if (asked.isEmpty()) {
            return results;
        }
        Grants.Request from = decider.grants.request(context);
        List<ObjectNode> items = new ArrayList<>();
        for (int i : asked) {
            ObjectNode request = Decider.JSON.createObjectNode().put("topic", actions.get(i).resourcePattern().name());
            items.add(decider.item("DeleteTopic", request.put("topicsInRequest", asked.size()), from));
        }
        String subject = asked.size() == 1 ? "topic " + actions.get(asked.get(0)).resourcePattern().name()
            : asked.size() + " topics";
        List<String> refusals = decider.refusals(subject, items, List.of(from));
        for (int i = 0; i < refusals.size(); i++) {
            if (refusals.get(i) != null) {
                results.set(asked.get(i), AuthorizationResult.DENIED);
            }
        }
        return results;
    }
}
