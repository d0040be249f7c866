// Keeps a running Rust server's WebRCON connected, and provides its figures, console lines and commands.
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { Backoff, pause } from '../backoff.ts';
import type { InstanceConfig } from '../config.ts';
import type { Console } from '../console/console.ts';
import { FlowBudget } from '../console/flow-budget.ts';
import { RconConnection, RconError } from './connection.ts';
import type { RconFault } from './connection.ts';
import { readModding, readPlayers, readServerInfo, readWorld, worldVariables } from './server-replies.ts';
import type { Figures, Modding, OnlinePlayer, World } from './server-replies.ts';
import { linesOf } from './frames.ts';
import type { RconFrame } from './frames.ts';

export type RconState = { is: 'idle' | 'connecting' | 'connected' } | { is: RconFault; detail: string };

export interface Players {
  atMs: number;
  players: OnlinePlayer[];
}

export interface RconOptions {
  instance: string;
  /** The settings may change while the server is not running. */
  settings: () => NonNullable<InstanceConfig['webrcon']>;
  isRunning: () => boolean;
  console: Console;
  log: Logger;
}

const idlePauseMs = 500;
const pollMs = 5_000;
const replyMs = 5_000;
/** Requests for players must get a reply within 5 s, even with an error. */
const playersMs = 4_000;
const greetingMs = 10_000;
/** After a refused password, waits 15 s so that attempts do not fill the server's log. */
const refusedPauseMs = 15_000;
const maxSilentPolls = 3;
const sharedPlayersMs = 1_000;
const maxReplyLines = 500;
const unreachable = 'The game server is not connected over RCON';

export class Rcon {
  readonly #options: RconOptions;
  readonly #budget = new FlowBudget();
  readonly #stop = new AbortController();
  #wake = new AbortController();
  #state: RconState = { is: 'idle' };
  #connection: RconConnection | null = null;
  #figures: Figures | null = null;
  #world: World = {};
  #modding: Modding | null = null;
  #players: Players | null = null;
  readonly #listeners = new Set<(lines: string[]) => void>();
  #skipped = 0;
  #run: Promise<void> = Promise.resolve();

  constructor(options: RconOptions) {
    this.#options = options;
  }

  get state(): RconState {
    return this.#state;
  }
  get isConnected(): boolean {
    return this.#state.is === 'connected';
  }
  /** The latest figures of the server; null while not connected. */
  get figures(): (Figures & World) | null {
    return this.#figures === null ? null : { ...this.#figures, ...this.#world };
  }
  /** The server's plugin framework; null when it has none or is not connected. */
  get modding(): Modding | null {
    return this.#modding;
  }

  start(): void {
    this.#run = this.#keepConnected();
  }

  /** Cuts the pause between two attempts short, because the server has just started. */
  connectNow(): void {
    this.#wake.abort();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake.abort();
    this.#connection?.close();
    await this.#run;
  }

  /** Runs one console command and returns its reply. Rejects with an RconError when there is none. */
  async request(command: string, timeoutMs = replyMs): Promise<string> {
    return this.#connected().request(command, timeoutMs);
  }

  /** Runs several commands that are sent in one write. Throws an RconError when none could be sent. */
  requestTogether(commands: readonly string[]): Promise<string>[] {
    return this.#connected().requestTogether(commands, replyMs);
  }

  /**
   * Runs a line that a user has typed; a reply appears in the console. Throws when nothing was sent. Resolves with null
   * when there was no reply.
   */
  typeLine(line: string): Promise<string | null> {
    return this.#connected()
      .send(line, greetingMs)
      .then(
        (reply) => {
          this.#showReply(reply);
          return reply;
        },
        (error: unknown) => {
          this.#options.log.debug({ instance: this.#options.instance, err: error }, 'a line got no reply');
          return null;
        },
      );
  }

  /** Passes the lines of each broadcast to the listener until the returned function is called. */
  listen(listener: (lines: string[]) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Returns the online players. Requests within 1 s share a reply. */
  async players(): Promise<Players> {
    if (this.isConnected && this.#players !== null && this.#isRecent(this.#players.atMs))
      return this.#players;
    const players = readPlayers(await this.request('playerlist', playersMs));
    if (players === null) throw new RconError('broken', 'The game server returned no list of its players.');
    this.#players = { atMs: Date.now(), players };
    return this.#players;
  }

  /** Uses the host's clock, which may have been set back. */
  #isRecent(atMs: number): boolean {
    return atMs <= Date.now() && Date.now() - atMs < sharedPlayersMs;
  }

  #connected(): RconConnection {
    if (this.#connection !== null && this.isConnected) return this.#connection;
    const why = 'detail' in this.#state ? `: ${this.#state.detail}` : '.';
    throw new RconError('unreachable', `${unreachable}${why}`);
  }

  async #keepConnected(): Promise<void> {
    const backoff = new Backoff(500, 10_000);
    const { signal } = this.#stop;
    while (!signal.aborted) {
      if (!this.#options.isRunning()) {
        this.#state = { is: 'idle' };
        backoff.reset();
        await this.#pauseAttempts(idlePauseMs);
        continue;
      }
      const end = await this.#session(backoff);
      this.#forget();
      if (signal.aborted) return;
      if (!this.#options.isRunning()) continue;
      this.#report(end);
      await this.#pauseAttempts(end.fault === 'refused' ? refusedPauseMs : backoff.nextMs());
    }
  }

  async #pauseAttempts(ms: number): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#wake = new AbortController();
    await pause(ms, this.#wake.signal);
  }

  /** Connects and resolves when the connection has ended. */
  async #session(backoff: Backoff): Promise<RconError> {
    const { host, port, passwordFile } = this.#options.settings();
    let password: string;
    try {
      password = readFileSync(passwordFile, 'utf8').trim();
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      return new RconError('refused', `The RCON password cannot be read: ${cause}`);
    }
    if (this.#state.is === 'idle') this.#state = { is: 'connecting' };
    const connection = new RconConnection({ host, port, password }, (frame) => this.#show(frame));
    this.#connection = connection;
    try {
      await this.#greet(connection);
      backoff.reset();
      await Promise.race([this.#poll(connection), connection.ended]);
    } catch (error) {
      const reason = error instanceof RconError ? error : new RconError('broken', String(error));
      connection.close(reason.fault === 'silent' ? new RconError('broken', reason.message) : reason);
    }
    return connection.ended;
  }

  async #greet(connection: RconConnection): Promise<void> {
    const { instance, console, log } = this.#options;
    const figures = readServerInfo(await connection.request('serverinfo', greetingMs));
    if (figures === null)
      throw new RconError('broken', 'The game server does not reply as a Rust server does.');
    const [oxide, carbon, ...world] = await Promise.all(
      ['oxide.version', 'c.version', ...worldVariables].map((command) =>
        connection.request(command, replyMs).catch(() => ''),
      ),
    );
    this.#figures = figures;
    this.#world = readWorld(world);
    this.#modding = readModding(oxide ?? '', carbon ?? '');
    this.#state = { is: 'connected' };
    const { framework, version } = this.#modding ?? { framework: 'no plugin framework', version: '' };
    log.info({ instance, framework, version }, 'RCON is connected');
    console.remark(`RCON is connected (${[framework, version].join(' ').trim()}).`);
  }

  async #poll(connection: RconConnection): Promise<void> {
    let silentPolls = 0;
    while (!this.#stop.signal.aborted && this.#connection === connection) {
      try {
        const info = await connection.request('serverinfo', replyMs);
        this.#figures = readServerInfo(info) ?? this.#figures;
        await this.players();
        silentPolls = 0;
      } catch (error) {
        silentPolls += 1;
        if (silentPolls >= maxSilentPolls) throw error;
      }
      this.#reportSkipped();
      await pause(pollMs, this.#stop.signal);
    }
  }

  #forget(): void {
    this.#connection = null;
    this.#figures = null;
    this.#modding = null;
    this.#players = null;
  }

  /** A starting server is unreachable for minutes, so only the loss of a connection is logged. */
  #report({ fault, message }: RconError): void {
    const { instance, console, log } = this.#options;
    const before = this.#state;
    const is = fault === 'silent' ? 'broken' : fault;
    this.#state = { is, detail: message };
    if (before.is === is || (is === 'unreachable' && before.is !== 'connected')) return;
    log.warn({ instance, state: is, reason: message }, 'RCON is not connected');
    console.remark(`RCON is not connected: ${message}`);
  }

  #show(frame: RconFrame): void {
    const lines = linesOf(frame);
    if (lines.length === 0) return;
    if (frame.kind !== 'chat') for (const listener of this.#listeners) listener(lines);
    if (this.#budget.waitMs() > 0) {
      this.#skipped += lines.length;
      return;
    }
    this.#reportSkipped();
    this.#budget.take(lines.length, frame.text.length);
    this.#options.console.addFromGame(frame.kind, lines);
  }

  #reportSkipped(): void {
    if (this.#skipped > 0) this.#options.console.skip(this.#skipped, true);
    this.#skipped = 0;
  }

  #showReply(reply: string): void {
    const lines = reply.split('\n').filter((line) => line.trim() !== '');
    const { console } = this.#options;
    console.addReply(lines.slice(0, maxReplyLines));
    if (lines.length > maxReplyLines) console.remark(`… ${lines.length - maxReplyLines} lines are left out.`);
  }
}
