import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;

/** Creates a good topic and a bad one with Kafka's own client, and deletes the good one. */
public class Client {
    public static void main(String[] arguments) throws InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", arguments[0]))) {
            show("good", admin.createTopics(List.of(topic(arguments[1]))).all());
            show("bad", admin.createTopics(List.of(topic(arguments[2]))).all());
            show("delete", admin.deleteTopics(List.of(arguments[1])).all());
        }
    }

    private static NewTopic topic(String name) {
        return new NewTopic(name, Optional.of(1), Optional.of((short) 1));
    }

    private static void show(String what, KafkaFuture<Void> future) throws InterruptedException {
        try {
            future.get();
            System.out.println(what + " ok");
        } catch (ExecutionException error) {
            System.out.println(what + " " + error.getCause().getMessage().replace('\n', ' '));
        }
    }
}
