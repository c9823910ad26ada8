package warden.broker;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What JMX shows, as {@code warden.broker:type=Decisions}, and the plugin's lines of the broker's log, a few in ten seconds. */
final class Counts implements CountsMXBean {
    private static final Logger LOG = LoggerFactory.getLogger("warden.broker");
    private static final long WINDOW_NANOS = 10_000_000_000L;

    final LongAdder allowed = new LongAdder(), denied = new LongAdder(), undecided = new LongAdder(),
        clusterOwn = new LongAdder(), held = new LongAdder(), waitedNanos = new LongAdder();
    final AtomicLong longestNanos = new AtomicLong();
    volatile boolean opaFails;
    private final long mostLines;
    private long windowNanos = System.nanoTime();
    private int lines, leftOut;

    Counts(long mostLines) {
        this.mostLines = mostLines;
    }

    void register() {
        try {
            var server = ManagementFactory.getPlatformMBeanServer();
            var name = new ObjectName("warden.broker:type=Decisions");
            if (server.isRegistered(name)) {
                server.unregisterMBean(name);
            }
            server.registerMBean(this, name);
        } catch (JMException error) {
            LOG.warn("JMX does not show the decisions of Warden's plugin", error);
        }
    }

    void addWait(long nanos) {
        waitedNanos.add(nanos);
        longestNanos.accumulateAndGet(nanos, Math::max);
    }

    synchronized void warn(String line) {
        long now = System.nanoTime();
        if (now - windowNanos > WINDOW_NANOS) {
            if (leftOut > 0) {
                LOG.warn("{} more lines were left out", leftOut);
            }
            windowNanos = now;
            lines = leftOut = 0;
        }
        if (lines < mostLines) {
            lines++;
            LOG.warn(line.replaceAll("[\\r\\n]+", " | "));
        } else {
            leftOut++;
        }
    }

    @Override public long getAllowed() {
        return allowed.sum();
    }

    @Override public long getDenied() {
        return denied.sum();
    }

    @Override public long getUndecided() {
        return undecided.sum();
    }

    @Override public long getClusterOwn() {
        return clusterOwn.sum();
    }

    @Override public long getHeld() {
        return held.sum();
    }

    @Override public boolean isBreakerOpen() {
        return opaFails;
    }

    @Override public double getWaitedMs() {
        return waitedNanos.sum() / 1e6;
    }

    @Override public double getLongestWaitMs() {
        return longestNanos.get() / 1e6;
    }
}
