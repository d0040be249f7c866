// Handles the platform's requests: console lines, typed lines, players, plugins and wipe plans.
import type { Msg } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { requests } from '../../generated/agent-bus.protocol.ts';
import type { Address } from './bus/platform-link.ts';
import type { QuestionVerb } from './bus/subjects.ts';
import { isLate } from './bus/time-headers.ts';
import type { PlatformClock } from './clock.ts';
import { asFileError } from './instance-files/file-error.ts';
import { cutDetail } from './messages.ts';
import type { Messages, Schemas } from './messages.ts';
import type { PluginService } from './plugins/plugin-service.ts';
import { RconError } from './rcon/connection.ts';
import { messageOf } from './supervisor/outcome.ts';
import type { Supervisor } from './supervisor/supervisor.ts';
import type { WipeService } from './wipes/wipe-service.ts';

type Refusal = Required<Pick<Schemas['ConsoleTailAnswer'], 'error'>> & { v: 1; ok: false };
type QuestionOf<Verb extends QuestionVerb> = Schemas[(typeof requests)[Verb]['message']];
type AnswerTo<Verb extends QuestionVerb> = Schemas[(typeof requests)[Verb]['reply']];
type Answer = AnswerTo<QuestionVerb>;

/** What is answered to each verb. */
type Answers = {
  [Verb in QuestionVerb]: (
    question: QuestionOf<Verb>,
    message: Msg,
  ) => AnswerTo<Verb> | Refusal | Promise<AnswerTo<Verb> | Refusal>;
};

export interface QuestionOptions {
  supervisor: Supervisor;
  plugins: PluginService;
  wipes: Pick<WipeService, 'plan'>;
  messages: Messages;
  clock: PlatformClock;
  log: Logger;
}

export class Questions {
  readonly #options: QuestionOptions;
  readonly #answers: Answers = {
    'console-tail': (question) => this.#tail(question),
    'console-input': (question, message) => this.#type(question, message),
    players: (question) => this.#players(question),
    plugins: ({ instance }) => this.#options.plugins.list(instance),
    'plugin-copies': ({ instance }) => this.#options.plugins.listCopies(instance),
    'wipe-plan': (question) => this.#planWipe(question),
    presence: () => ({ v: 1, ok: true }),
  };

  constructor(options: QuestionOptions) {
    this.#options = options;
  }

  async take(message: Msg, address: Address): Promise<void> {
    if (message.reply === undefined || message.reply === '') return;
    try {
      message.respond(JSON.stringify(await this.#answer(message, address)));
    } catch (error) {
      this.#options.log.error({ subject: message.subject, err: error }, 'a question could not be answered');
    }
  }

  async #answer(message: Msg, { subjects, hostId }: Address): Promise<Answer | Refusal> {
    const verb = subjects.questionVerb(message.subject);
    if (verb === null) return refuse('invalid', `This agent answers no questions on ${message.subject}.`);
    const parsed = this.#options.messages.parse(requests[verb].message, message.string());
    if (!parsed.isValid) return refuse('invalid', parsed.detail);
    if (parsed.value.host_id !== hostId) return refuse('invalid', 'The question names another host.');
    const answer = this.#answers[verb] as (question: object, message: Msg) => Promise<Answer | Refusal>;
    return answer(parsed.value, message);
  }

  #tail({
    instance: name,
    limit,
    after_seq,
    boot,
  }: Schemas['ConsoleTailQuestion']): AnswerTo<'console-tail'> | Refusal {
    const instance = this.#options.supervisor.instance(name);
    const console = this.#options.supervisor.console(name);
    if (instance === undefined || console === undefined) return unknownInstance(name);
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
    { instance: name, line, by, expires_at }: Schemas['ConsoleInputQuestion'],
    message: Msg,
  ): AnswerTo<'console-input'> | Refusal {
    const { supervisor, clock } = this.#options;
    const instance = supervisor.instance(name);
    if (instance === undefined) return unknownInstance(name);
    // Refused at once, so that the line is not typed later while the time is unknown.
    if (!clock.isSteady) return refuse('expired', 'The clock of this host was set just now; type it again.');
    if (isLate(message, expires_at, clock)) return refuse('expired', `It expired at ${expires_at}.`);
    if (instance.pid === null) return refuse('not_running', `The instance is ${instance.state}.`);
    if (!instance.hasConsole) return refuse('not_supported', 'This game server reads no console commands.');
    try {
      void instance.sendLine(line);
    } catch (error) {
      return refuse('failed', messageOf(error));
    }
    supervisor.console(name)?.echo(by, line);
    return { v: 1, ok: true };
  }

  async #players({ instance: name }: Schemas['PlayersQuestion']): Promise<AnswerTo<'players'> | Refusal> {
    const { supervisor, clock } = this.#options;
    const instance = supervisor.instance(name);
    if (instance === undefined) return unknownInstance(name);
    const { rcon } = instance.context;
    if (rcon === null) return refuse('not_supported', 'The agent’s configuration names no RCON for it.');
    if (instance.pid === null) return refuse('not_running', `The instance is ${instance.state}.`);
    try {
      const { atMs, players } = await rcon.players();
      return { v: 1, ok: true, at: clock.textOf(atMs), players };
    } catch (error) {
      if (!(error instanceof RconError)) throw error;
      return refuse('game_unreachable', error.message);
    }
  }

  async #planWipe({
    instance: name,
    request,
  }: Schemas['WipePlanQuestion']): Promise<AnswerTo<'wipe-plan'> | Refusal> {
    const instance = this.#options.supervisor.instance(name);
    if (instance === undefined) return unknownInstance(name);
    try {
      return { v: 1, ok: true, plan: await this.#options.wipes.plan(instance, request) };
    } catch (error) {
      const { code, message } = asFileError(error);
      return refuse(code === 'refused' ? 'not_supported' : 'failed', message);
    }
  }
}

function unknownInstance(name: string): Refusal {
  return refuse('unknown_instance', `This host has no instance "${name}".`);
}

function refuse(code: Schemas['AnswerError']['code'], detail: string): Refusal {
  return { v: 1, ok: false, error: { code, detail: cutDetail(detail) } };
}
