// Watches one run of the queue: whether its workers get jobs and get them done, and whether its listener is connected.
import type { WorkerEventMap, WorkerEvents } from 'graphile-worker';
import type { Logger } from 'pino';
import { isOutdated } from '../database/client.ts';
import type { Watch } from '../process/work-monitor.ts';

const listenerCheckMs = 20_000;

/** What this needs of the connection that listens. */
type Listener = Pick<WorkerEventMap['pool:listen:success']['client'], 'query' | 'connection'>;

export class RunWatch {
  readonly #watch: Watch;
  readonly #log: Logger;
  #failures = 0;
  #failuresSeen = 0;
  #listenerCheck: NodeJS.Timeout | undefined;

  constructor(events: WorkerEvents, watch: Watch, log: Logger, giveUp: (reason: Error) => void) {
    this.#watch = watch;
    this.#log = log;
    watch.started();
    for (const event of ['worker:getJob:empty', 'job:success'] as const)
      events.on(event, () => this.#succeeded());
    // A started job shows that the queue works, but not that jobs finish.
    events.on('job:start', () => this.#gotJob());
    events.on('job:error', () => watch.failed());
    events.on('worker:getJob:error', () => this.#failed());
    // The runner stops by itself then, but may never end if the outcomes of two jobs were lost.
    events.on('pool:fatalError', () => giveUp(new Error('the outcome of a job could not be written')));
    events.on('pool:listen:success', ({ client }) => this.#checkListener(client));
    events.on('pool:listen:release', () => clearInterval(this.#listenerCheck));
  }

  /**
   * Whether workers permanently fail to get jobs. Call it periodically, after the database has replied. Workers that
   * fail between two calls will not recover: graphile-worker caches the failure of its first statement.
   */
  isBeyondRecovery(): boolean {
    const isBeyond = this.#failuresSeen > 0 && this.#failures > this.#failuresSeen;
    this.#failuresSeen = this.#failures;
    return isBeyond;
  }

  stop(): void {
    this.#watch.ended();
    clearInterval(this.#listenerCheck);
  }

  #succeeded(): void {
    this.#failures = 0;
    this.#watch.succeeded();
  }

  #gotJob(): void {
    this.#failures = 0;
    this.#watch.progressed();
  }

  #failed(): void {
    this.#failures += 1;
    this.#watch.failed();
  }

  /**
   * The listening connection sends nothing itself, so a lost server would go undetected. A periodic statement detects
   * it: the connection's own limits end it, and the queue listens on another.
   */
  #checkListener(client: Listener): void {
    clearInterval(this.#listenerCheck);
    this.#listenerCheck = setInterval(() => {
      if (isOutdated(client))
        client.connection.stream.destroy(new Error('its server takes no writes any more'));
      else
        client
          .query('select 1')
          .catch((error: unknown) =>
            this.#log.warn({ err: error }, 'the connection that listens for jobs was lost'),
          );
    }, listenerCheckMs).unref();
  }
}
