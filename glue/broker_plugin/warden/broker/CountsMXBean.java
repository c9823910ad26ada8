package warden.broker;

/** What JMX shows of the plugin since the broker started. */
public interface CountsMXBean {
    /** Requests about one resource that the policy allowed. */
    long getAllowed();

    /** Those that it denied; with mode dryrun they were carried out all the same. */
    long getDenied();

    /** Those that OPA did not decide: it failed, was late, or nobody knows who asks. */
    long getUndecided();

    /** Creations of the cluster's own topics, which are never asked about. */
    long getClusterOwn();

    /** Creations that were held until another principal's of the same name had been decided, one budget at most. */
    long getHeld();

    /** Whether OPA has failed and has not answered since: what comes is undecided at once. */
    boolean isBreakerOpen();

    /** How long decisions have been waited for, in milliseconds, on the controller's thread or a request handler's. */
    double getWaitedMs();

    /** The longest of these waits, in milliseconds. */
    double getLongestWaitMs();
}
