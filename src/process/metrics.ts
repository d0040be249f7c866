// The platform's own metrics, for Prometheus.
import type { WorkMonitor, WorkState } from './work-monitor.ts';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of the process. They have no end, so a second platform in the same process must not collect them again. */
const processMetrics = new Registry();
collectDefaultMetrics({ register: processMetrics });

export class Metrics {
  readonly registry = new Registry();

  readonly requests = new Histogram({
    name: 'gantry_http_request_seconds',
    help: 'Response time, by status.',
    labelNames: ['method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.registry],
  });

  readonly deprecatedRequests = new Counter({
    name: 'gantry_deprecated_requests_total',
    help: 'Requests to deprecated operations, by operation.',
    labelNames: ['operation'],
    registers: [this.registry],
  });

  readonly busMessages = new Counter({
    name: 'gantry_bus_messages_total',
    help: 'Messages of agents, by kind and by what became of them: taken, refused, failed or dropped.',
    labelNames: ['kind', 'outcome'],
    registers: [this.registry],
  });

  readonly busConnectionsEnded = new Counter({
    name: 'gantry_bus_connections_ended_total',
    help: 'Connections of agents to the bus that were ended because their host had too many.',
    registers: [this.registry],
  });

  readonly consoleSockets = new Gauge({
    name: 'gantry_console_sockets',
    help: 'Console sockets that are open.',
    registers: [this.registry],
  });

  readonly platformAccesses = new Counter({
    name: 'gantry_platform_scope_total',
    help: 'Uses of the scope that reaches the rows of every license, by reason and by access: read or write.',
    labelNames: ['reason', 'access'],
    registers: [this.registry],
  });

  readonly replicaReads = new Counter({
    name: 'gantry_replica_reads_total',
    help: 'Reads meant for the replica, by outcome: replica; behind or failed, if the primary was read instead.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  readonly heartbeatsWaiting = new Gauge({
    name: 'gantry_heartbeats_waiting',
    help: 'Heartbeats received and not stored yet.',
    registers: [this.registry],
  });

  readonly webhookSecretsUnreadable = new Gauge({
    name: 'gantry_webhook_secrets_unreadable',
    help: 'Webhooks whose secret is encrypted with another key than the current one: nothing can be sent to them.',
    registers: [this.registry],
  });

  readonly queueOldest = new Gauge({
    name: 'gantry_queue_oldest_seconds',
    help: 'Seconds that the oldest due row of a queue has waited; 0 while nothing waits.',
    labelNames: ['queue'],
    registers: [this.registry],
  });

  readonly deadJobs = new Gauge({
    name: 'gantry_jobs_dead',
    help: 'Jobs that failed so often that they are not tried again.',
    registers: [this.registry],
  });

  readonly stuckJobs = new Gauge({
    name: 'gantry_jobs_stuck',
    help: 'Jobs that a worker has held for more than 15 minutes.',
    registers: [this.registry],
  });

  readonly archivedMonths = new Counter({
    name: 'gantry_archive_months_total',
    help: 'Months of licenses that this process wrote to the archive, by outcome: archived or failed.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  readonly archiveWaiting = new Gauge({
    name: 'gantry_archive_months_waiting',
    help: 'Closed months of a table that the archive lacks of at least one license.',
    registers: [this.registry],
  });

  /** All metrics in the text format of Prometheus. */
  text(): Promise<string> {
    return Registry.merge([processMetrics, this.registry]).metrics();
  }

  /** Exposes the number of log lines that could not be written. */
  watchLog(lostLines: () => number): void {
    new Counter({
      name: 'gantry_log_lines_lost_total',
      help: 'Lines of the log that could not be written: no process read them in time, or the disk was full.',
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(lostLines());
      },
    });
  }

  /** Exposes how old the rows of the replica may be, in milliseconds. */
  watchReplica(lagMs: () => number): void {
    new Gauge({
      name: 'gantry_replica_lag_seconds',
      help: 'How old the rows of the replica may be; +Inf while it is not used at all.',
      registers: [this.registry],
      collect() {
        this.set(lagMs() / 1000);
      },
    });
  }

  /** Exposes the number of open streams of events. */
  watchEventStreams(openStreams: () => number): void {
    new Gauge({
      name: 'gantry_event_streams',
      help: 'Streams of events that are open.',
      registers: [this.registry],
      collect() {
        this.set(openStreams());
      },
    });
  }

  /** Exposes the state of all repeated work. */
  watchWork(monitor: WorkMonitor): void {
    const work = (name: string, help: string, valueOf: (state: WorkState) => number) =>
      new Gauge({
        name,
        help,
        labelNames: ['work'],
        registers: [this.registry],
        collect() {
          this.reset();
          for (const state of monitor.states) this.set({ work: state.name }, valueOf(state));
        },
      });
    work(
      'gantry_work_since_success_seconds',
      'Seconds since work that repeats in this process last succeeded.',
      ({ sinceSuccessSeconds }) => sinceSuccessSeconds,
    );
    work(
      'gantry_work_failing_seconds',
      'Seconds since work that repeats in this process first failed after its last success; 0 when it has not.',
      ({ failingSeconds }) => failingSeconds,
    );
    work(
      'gantry_work_restarts',
      'How often work that hung was restarted since the process started.',
      ({ restarts }) => restarts,
    );
  }
}
