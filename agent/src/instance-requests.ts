// Handles the platform's requests: console lines, typed lines, players, plugins and wipe plans.
import type { Msg } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { requests } from '../../generated/agent-bus.protocol.ts';
import type { Address } from './bus/platform-link.ts';
import type { InstanceVerb } from './bus/subjects.ts';
import { isLate } from './bus/time-headers.ts';
import type { PlatformClock } from './clock.ts';
import type { Console } from './console/console.ts';
import type { InstanceState, Messages, Schemas } from './messages.ts';
import type { PluginService } from './plugins/plugin-service.ts';
import { RconError } from './rcon/connection.ts';
import { fileRefusal, refusal, unknownInstance } from './request-refusal.ts';
import type { Refusal } from './request-refusal.ts';
import { messageOf } from './supervisor/outcome.ts';
import type { Supervisor } from './supervisor/supervisor.ts';
import type { WipeService } from './wipes/wipe-service.ts';

type RequestOf<Verb extends InstanceVerb> = Schemas[(typeof requests)[Verb]['message']];
type ReplyTo<Verb extends InstanceVerb> = Schemas[(typeof requests)[Verb]['reply']];
type Reply = ReplyTo<InstanceVerb> | Refusal;

/** A verb of the contract without a handler does not compile. */
type RequestHandlers = {
  [Verb in InstanceVerb]: (
    request: RequestOf<Verb>,
    message: Msg,
  ) => ReplyTo<Verb> | Refusal | Promise<ReplyTo<Verb> | Refusal>;
};

export interface InstanceRequestOptions {
  supervisor: Supervisor;
  plugins: PluginService;
  wipes: Pick<WipeService, 'plan'>;
  messages: Messages;
  clock: PlatformClock;
  log: Logger;
}

export class InstanceRequests {
  readonly #options: InstanceRequestOptions;
  readonly #handlers: RequestHandlers = {
    'console-tail': (request) => this.#tail(request),
    'console-input': (request, message) => this.#type(request, message),
    players: (request) => this.#players(request),
    plugins: ({ instance }) => this.#options.plugins.list(instance),
    'plugin-copies': ({ instance }) => this.#options.plugins.listCopies(instance),
    'wipe-plan': (request) => this.#planWipe(request),
    presence: () => ({ v: 1, ok: true }),
  };

  constructor(options: InstanceRequestOptions) {
    this.#options = options;
  }

  async take(message: Msg, address: Address): Promise<void> {
    if (message.reply === undefined || message.reply === '') return;
    try {
      message.respond(JSON.stringify(await this.#replyTo(message, address)));
    } catch (error) {
      this.#options.log.error({ subject: message.subject, err: error }, 'a request failed unexpectedly');
    }
  }

  async #replyTo(message: Msg, { subjects, hostId }: Address): Promise<Reply> {
    const verb = subjects.instanceVerb(message.subject);
    if (verb === null) return refusal('invalid', `This agent handles no requests on ${message.subject}.`);
    const parsed = this.#options.messages.parse(requests[verb].message, message.string());
    if (!parsed.isValid) return refusal('invalid', parsed.detail);
    if (parsed.value.host_id !== hostId) return refusal('invalid', 'The request names another host.');
    const handle = this.#handlers[verb] as (request: object, message: Msg) => Promise<Reply>;
    return handle(parsed.value, message);
  }

  async #tail({
    instance: name,
    limit,
    after_seq,
    boot,
    before,
  }: Schemas['ConsoleTailRequest']): Promise<ReplyTo<'console-tail'> | Refusal> {
    const instance = this.#options.supervisor.instance(name);
    const console = this.#options.supervisor.console(name);
    if (instance === undefined || console === undefined) return unknownInstance(name);
    if (before !== undefined) return earlierLines(instance.state, console, before, limit);
    const after = after_seq === undefined || boot === undefined ? undefined : { boot, seq: after_seq };
    const { lines, isTruncated } = console.tail(limit, after);
    return {
      v: 1,
      ok: true,
      state: instance.state,
      lines,
      ...(isTruncated && { truncated: true }),
      ...(console.boot === null ? {} : { boot: console.boot }),
    };
  }

  #type(
    { instance: name, line, by, expires_at }: Schemas['ConsoleInputRequest'],
    message: Msg,
  ): ReplyTo<'console-input'> | Refusal {
    const { supervisor, clock } = this.#options;
    const instance = supervisor.instance(name);
    if (instance === undefined) return unknownInstance(name);
    // Refused at once, so that the line is not typed later while the time is unknown.
    if (!clock.isSteady)
      return refusal('expired', 'The clock of this host has just been set; send the line again.');
    if (isLate(message, expires_at, clock)) return refusal('expired', `It expired at ${expires_at}.`);
    if (instance.pid === null) return refusal('not_running', `The instance is ${instance.state}.`);
    if (!instance.hasConsole) return refusal('not_supported', 'This game server reads no console commands.');
    try {
      void instance.sendLine(line);
    } catch (error) {
      return refusal('failed', messageOf(error));
    }
    supervisor.console(name)?.echo(by, line);
    return { v: 1, ok: true };
  }

  async #players({ instance: name }: Schemas['PlayersRequest']): Promise<ReplyTo<'players'> | Refusal> {
    const { supervisor, clock } = this.#options;
    const instance = supervisor.instance(name);
    if (instance === undefined) return unknownInstance(name);
    const { rcon } = instance.context;
    if (rcon === null) return refusal('not_supported', 'The agent’s configuration names no RCON for it.');
    if (instance.pid === null) return refusal('not_running', `The instance is ${instance.state}.`);
    try {
      const { atMs, players } = await rcon.players();
      return { v: 1, ok: true, at: clock.textOf(atMs), players };
    } catch (error) {
      if (!(error instanceof RconError)) throw error;
      return refusal('game_unreachable', error.message);
    }
  }

  async #planWipe({
    instance: name,
    request,
  }: Schemas['WipePlanRequest']): Promise<ReplyTo<'wipe-plan'> | Refusal> {
    const instance = this.#options.supervisor.instance(name);
    if (instance === undefined) return unknownInstance(name);
    try {
      return { v: 1, ok: true, plan: await this.#options.wipes.plan(instance, request) };
    } catch (error) {
      return fileRefusal(error);
    }
  }
}

async function earlierLines(
  state: InstanceState,
  console: Console,
  { boot, seq }: NonNullable<Schemas['ConsoleTailRequest']['before']>,
  limit: number,
): Promise<ReplyTo<'console-tail'>> {
  const position = boot === undefined || seq === undefined ? undefined : { boot, seq };
  const page = await console.earlier(position, limit);
  return {
    v: 1,
    ok: true,
    state,
    lines: page.lines,
    has_earlier: page.hasEarlier,
    ...(page.boot !== null && { boot: page.boot }),
  };
}
