// The lifecycle of one game instance: starts, stops, restarts, detects crashes and reports each change of state.
import { aborted } from '../backoff.ts';
import type { InstanceState } from '../messages.ts';
import { askToEnd, awaitEnd, kill, typeAt } from './process-shutdown.ts';
import { endText, failed, messageOf, startFailure, succeeded } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import type { ProcessEnd } from './process-host.ts';
import { recoverRun, decideRestart } from './recovery.ts';
import { Readiness } from './readiness.ts';
import { objectionToStart } from './start-check.ts';
import { ageOf, endRest, Run } from './run.ts';
import { isFull } from '../errors.ts';
import type { RunContext } from './run.ts';
import type { RunRecord } from './run-record.ts';

export interface StateNews {
  state: InstanceState;
  exitCode?: number | null;
  signal?: string | null;
  reason?: string;
}

const unseenEnd: ProcessEnd = { exitCode: null, signal: null };
const alreadyStopped = succeeded('already stopped');

export class Instance {
  readonly context: RunContext;
  readonly #onState: (news: StateNews) => void;
  #state: InstanceState;
  #record: RunRecord | null = null;
  #run: Run | null = null;
  #readiness: Readiness | null = null;
  #restartTimer: NodeJS.Timeout | undefined;
  #isStartDue = false;
  #automaticStart = new AbortController();
  #turn: Promise<unknown> = Promise.resolve();
  #isReleased = false;
  readonly #holders = new Set<string>();

  /** `reported` is the last state sent to the platform; only a different state is reported. */
  constructor(context: RunContext, reported: InstanceState | null, onState: (news: StateNews) => void) {
    this.context = context;
    this.#state = reported ?? 'stopped';
    this.#onState = onState;
  }
  get name(): string {
    return this.context.config.name;
  }
  get state(): InstanceState {
    return this.#state;
  }
  get pid(): number | null {
    return this.#run?.pid ?? null;
  }
  get startedAtMs(): number | null {
    return this.#run?.record.startedAtMs ?? null;
  }

  /** 0 when not running. Independent of changes to the host's clock. */
  get uptimeMs(): number {
    return this.#run?.uptimeMs ?? 0;
  }

  /** Whether it runs, or is about to start without a command. */
  get isMeantToRun(): boolean {
    return this.#run !== null || this.#isStartDue;
  }

  isHeldBy(holder: string): boolean {
    return this.#holders.has(holder);
  }

  /** Until every holder has released it, only commands start the instance. The holder's name is shown to users. */
  hold(holder: string): void {
    this.#holders.add(holder);
    this.#automaticStart.abort();
    this.#cancelDueStart();
  }

  letGo(holder: string): void {
    this.#holders.delete(holder);
  }

  /** Determines what happened to the instance while no agent ran. Called once, before any other method. */
  async recover(): Promise<void> {
    const found = await recoverRun(this.context);
    this.#record = found.record;
    switch (found.kind) {
      case 'running':
        this.#follow(found.run);
        if (found.record.state === 'stopping')
          this.#inBackground(() => awaitEnd(this.context, found.run, 'asked before', () => this.#isReleased));
        break;
      case 'crashed':
        this.#crashed(found.record, unseenEnd, 'It ended while no agent ran.', ageOf(found.record));
        break;
      case 'idle':
        this.#setState(found.state, found.reason === undefined ? {} : { reason: found.reason });
        if (found.isStartDue && this.#holders.size === 0) this.#scheduleStart(0, found.record?.attempts ?? 0);
    }
  }

  /** The signal aborts the wait for readiness when a later operation supersedes this one. */
  start(superseded?: AbortSignal): Promise<Outcome> {
    return this.#exclusively(() => this.#start('command', 0, superseded));
  }

  stop(): Promise<Outcome> {
    this.#automaticStart.abort();
    return this.#exclusively(() => this.#stop());
  }

  /** Kills the process at once, also while a start or a stop waits for it. */
  async kill(): Promise<Outcome> {
    const run = this.#run;
    if (run === null) return this.stop();
    this.#automaticStart.abort();
    this.#cancelDueStart();
    this.#readiness?.cancel();
    run.record.stopDeadlineMs = Date.now();
    this.#setState('stopping');
    this.context.console.remark('The process is killed on request.');
    return kill(run, 'Ended by SIGKILL on request.');
  }

  restart(superseded?: AbortSignal): Promise<Outcome> {
    this.#automaticStart.abort();
    return this.#exclusively(async () => {
      const objection = this.#run === null ? null : await objectionToStart(this.context);
      if (objection !== null) return objection;
      const stopped = await this.#stop();
      if (!stopped.isSuccess) return stopped;
      const started = await this.#start('command', 0, superseded);
      return stopped === alreadyStopped
        ? started
        : { ...started, detail: `${stopped.detail} ${started.detail}` };
    });
  }

  /** Runs the work while nothing can start the instance. Returns null, without the work, when the instance runs. */
  whileStopped<T>(work: () => Promise<T>): Promise<T | null> {
    return this.#exclusively(async () => (this.#run === null ? work() : null));
  }

  get hasConsole(): boolean {
    return this.context.rcon !== null || this.context.config.console.hasInput;
  }

  /** Throws a readable error when the line cannot be typed. Resolves with the server's reply, or null without one. */
  sendLine(line: string): Promise<string | null> {
    if (this.#run === null) throw new Error('The instance is not running.');
    return typeAt(this.context, this.#run, line);
  }

  /** Called when the agent shuts down; the process keeps running. */
  async release(): Promise<void> {
    this.#isReleased = true;
    this.#cancelDueStart();
    this.#readiness?.cancel();
    await this.#run?.release();
    this.context.console.close();
  }

  async #start(origin: RunRecord['origin'], attempts: number, superseded?: AbortSignal): Promise<Outcome> {
    this.#cancelDueStart();
    if (this.#run !== null) {
      return this.#state === 'starting'
        ? this.#awaitReady(this.#run, superseded)
        : succeeded('already running');
    }
    const { startObjection: barred } = this.context.config;
    if (barred !== undefined) return failed('start_failed', barred);
    let run: Run;
    try {
      run = await Run.launch(this.context, origin, attempts, (record) => {
        this.#record = record;
        this.#setState('starting');
      });
    } catch (error) {
      const reason = messageOf(error);
      const record = this.#record;
      this.context.log.error({ instance: this.name, reason }, 'the start failed');
      this.context.console.remark(`The start failed: ${reason}`);
      if (record !== null && (this.#state === 'starting' || origin === 'automatic')) {
        this.#crashed({ ...record, origin, attempts }, unseenEnd, reason, 0);
      }
      return failed(isFull(error) ? 'disk_full' : 'start_failed', reason);
    }
    this.#follow(run);
    return this.#awaitReady(run, superseded);
  }

  async #awaitReady(run: Run, superseded?: AbortSignal): Promise<Outcome> {
    const waits: Promise<ProcessEnd | void>[] = [run.ended];
    if (this.#readiness !== null) waits.push(this.#readiness.reached);
    if (superseded !== undefined) waits.push(aborted(superseded));
    const end = await Promise.race(waits);
    if (end !== undefined)
      return failed('start_failed', startFailure(end, run.record.startedAtMs, run.lastErrorLine));
    const remark = this.#state === 'starting' ? ', not ready yet' : '';
    return succeeded(`The process runs with pid ${run.pid}${remark}.`);
  }

  #follow(run: Run): void {
    const { config, console } = this.context;
    const { record } = run;
    this.#run = run;
    void run.ended.then((end) => this.#onEnded(run, end));
    this.#setState(record.state);
    if (record.state !== 'starting') return;
    this.#readiness = new Readiness(config, console, record.startedAtMs, () => {
      if (this.#run === run && this.#state === 'starting' && !this.#isReleased) this.#setState('running');
    });
  }

  #onEnded(run: Run, end: ProcessEnd): void {
    if (this.#run !== run || this.#isReleased) return;
    this.#readiness?.cancel();
    this.#run = null;
    this.context.console.remark(`The process has ended${endText(end)}.`);
    if (this.#state === 'stopping') this.#setState('stopped', end);
    else {
      const what =
        this.#state === 'starting'
          ? startFailure(end, run.record.startedAtMs, run.lastErrorLine)
          : `The process ended${endText(end)}.`;
      this.#crashed(run.record, end, what, run.uptimeMs);
    }
  }

  #crashed(record: RunRecord, end: ProcessEnd, what: string, lastedMs: number): void {
    const wasReady = record.state === 'running';
    const { restart } = this.context.config;
    const decision = decideRestart(restart, { ...record, lastedMs, wasReady }, this.#holders);
    const attempts = decision.isRestarting ? decision.attempt : record.attempts;
    this.#record = { ...record, isRestartDue: decision.isRestarting, attempts };
    const next = decision.isRestarting
      ? `Restart ${decision.attempt} of ${restart.maxAttempts} in ${decision.pauseMs / 1000} s.`
      : `No restart: ${decision.why}.`;
    this.#setState('crashed', { ...end, reason: `${what} ${next}` });
    if (decision.isRestarting) this.#scheduleStart(decision.pauseMs, decision.attempt);
  }

  #scheduleStart(pauseMs: number, attempts: number): void {
    this.#isStartDue = true;
    this.#automaticStart = new AbortController();
    const { signal } = this.#automaticStart;
    this.#restartTimer = setTimeout(() => {
      this.#inBackground(async () => {
        if (this.#isStartDue && !this.#isReleased) await this.#start('automatic', attempts, signal);
      });
    }, pauseMs);
  }

  #cancelDueStart(): void {
    this.#isStartDue = false;
    clearTimeout(this.#restartTimer);
  }

  async #stop(): Promise<Outcome> {
    this.#cancelDueStart();
    try {
      return this.#run === null ? await this.#stopIdle() : await this.#stopRun(this.#run);
    } catch (error) {
      return failed('stop_failed', messageOf(error));
    }
  }

  async #stopIdle(): Promise<Outcome> {
    if (this.#record !== null) this.#record = { ...this.#record, isRestartDue: false, stopDeadlineMs: null };
    const left = await endRest(this.context, this.#record);
    if (left.length > 0) return failed('stop_failed', `Processes ${left.join(', ')} cannot be ended.`);
    this.#setState('stopped', { reason: 'It was not running.' });
    return alreadyStopped;
  }

  async #stopRun(run: Run): Promise<Outcome> {
    const isAskedAlready = this.#state === 'stopping';
    this.#readiness?.cancel();
    run.record.stopDeadlineMs = Date.now() + this.context.config.stopGraceMs;
    this.#setState('stopping');
    const means = isAskedAlready ? 'asked before' : await askToEnd(this.context, run);
    return awaitEnd(this.context, run, means, () => this.#isReleased);
  }

  #setState(state: InstanceState, news: Omit<StateNews, 'state'> = {}): void {
    const record = this.#run?.record ?? this.#record;
    if (record !== null) {
      record.state = state;
      this.context.recordFile.tryWrite(record);
    }
    if (this.#state === state) return;
    this.#state = state;
    this.#onState({ state, ...news });
  }

  #inBackground(operation: () => Promise<unknown>): void {
    this.#exclusively(operation).catch((error: unknown) =>
      this.context.log.error({ instance: this.name, err: error }, 'an operation failed'),
    );
  }

  #exclusively<T>(operation: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(operation);
    this.#turn = turn.catch(() => undefined); // the caller gets the error
    return turn;
  }
}
