// Decides which commands from the bus are accepted: own subject, valid, for this host, known verb, not expired.
import type { Msg } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { Address } from '../bus/platform-link.ts';
import { isLate, UncertainTime } from '../bus/time-headers.ts';
import type { PlatformClock } from '../clock.ts';
import { NoRoomError } from '../state-files/append-log.ts';
import { cutDetail } from '../messages.ts';
import type { CommandReply, Messages } from '../messages.ts';
import { handlerOf } from './command-handler.ts';
import type { CommandHandlers } from './command-handler.ts';
import type { CommandExecutor } from './executor.ts';

export interface IntakeOptions {
  executor: CommandExecutor;
  handlers: CommandHandlers;
  messages: Messages;
  clock: PlatformClock;
  hasInstance: (name: string) => boolean;
  log: Logger;
}

export class CommandIntake {
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  async take(message: Msg, address: Address): Promise<void> {
    const { log } = this.#options;
    try {
      const reply = await this.#decide(message, address);
      // The next agent must not find a refused command in the journal.
      if (!reply.accepted) await this.#options.executor.erase();
      if (!reply.accepted)
        log.warn({ subject: message.subject, reason: reply.reason, detail: reply.detail }, 'command refused');
      if (message.reply !== undefined && message.reply !== '') message.respond(JSON.stringify(reply));
    } catch (error) {
      // Without a reply the platform keeps the command and sends it again.
      if (error instanceof UncertainTime)
        log.debug({ subject: message.subject }, 'a command waits until the time is known');
      else log.error({ subject: message.subject, err: error }, 'a command could not be accepted');
    }
  }

  async #decide(message: Msg, { subjects, hostId }: Address): Promise<CommandReply> {
    const { executor, handlers, messages, clock, hasInstance } = this.#options;
    const parsed = messages.parse('CommandEnvelope', message.string());
    const verb = subjects.commandVerb(message.subject);
    if (!parsed.isValid) {
      return refuse(idIn(message), verb === null ? 'not_supported' : 'invalid', parsed.detail);
    }
    const command = parsed.value;
    if (verb === null)
      return refuse(command.id, 'not_supported', `This agent takes no commands on ${message.subject}.`);
    if (command.host_id !== hostId) return refuse(command.id, 'invalid', 'The command names another host.');
    if (command.verb !== verb)
      return refuse(command.id, 'invalid', 'The command names another verb than its subject.');
    const { handler, command: typed } = handlerOf(handlers, command);
    const fault = handler.argumentFault?.(typed.args) ?? null;
    if (fault !== null) return refuse(command.id, 'invalid', fault);
    if (!executor.isKnown(command.id)) {
      if (executor.isClosed) return refuse(command.id, 'shutting_down', 'The agent is shutting down.');
      if (isLate(message, command.expires_at, clock))
        return refuse(command.id, 'expired', `It expired at ${command.expires_at}.`);
      if (
        handler.runOnHost === undefined &&
        (command.instance === undefined || !hasInstance(command.instance))
      ) {
        return refuse(command.id, 'unknown_instance', `This host has no instance "${command.instance}".`);
      }
    }
    try {
      await executor.accept(command);
    } catch (error) {
      if (!(error instanceof NoRoomError)) throw error;
      return refuse(
        command.id,
        'disk_full',
        'The disk that the agent keeps its journal on is full; nothing was done.',
      );
    }
    return { v: 1, id: command.id, accepted: true };
  }
}

function refuse(
  id: string | undefined,
  reason: NonNullable<CommandReply['reason']>,
  detail: string,
): CommandReply {
  return { v: 1, ...(id !== undefined && { id }), accepted: false, reason, detail: cutDetail(detail) };
}

/** Extracts the id from a message that is otherwise invalid. */
function idIn(message: Msg): string | undefined {
  return /"id"\s*:\s*"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/i.exec(
    message.string().slice(0, 4096),
  )?.[1];
}
