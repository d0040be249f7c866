// Single console commands: lines that are typed at once or not at all, and the output that the game server prints.
import type { Ctx } from '../../context.ts';
import { GameInstance } from '../../entities/index.ts';
import { DomainError, notFound } from '../../errors.ts';
import { refuseUnlessCapable } from '../../preconditions/capabilities.ts';
import { issueCommand, type CommandRow } from '../commands/index.ts';

/** A line expires after this: its sender expects it to be typed now. */
const lifetimeMs = 10_000;

/** Maximum length of the sender's name on the bus. */
const maxNameLength = 200;

export class ConsoleCommands {
  async run(ctx: Ctx, instanceId: string, line: string): Promise<CommandRow> {
    const requestedBy = ctx.actor?.label ?? null;
    return ctx.transact(async (em, queries) => {
      const instance = await em.findOne(GameInstance, instanceId);
      if (instance === null) throw notFound('instance');
      refuseUnlessCapable(instance, 'type');
      refuseUnlessRunning(instance);
      const by = (requestedBy ?? 'console').slice(0, maxNameLength);
      return issueCommand(em, queries, instanceId, {
        verb: 'type',
        args: { line, by, ...(reportsOutput(instance) && { wants_output: true }) },
        lifetimeMs,
        requestedBy,
      });
    });
  }
}

/** Agents without this capability would refuse a command that asks for output. */
const reportsOutput = ({ capabilities }: GameInstance) => capabilities?.includes('console_output') === true;

function refuseUnlessRunning({ name, state }: GameInstance): void {
  if (state === 'offline')
    throw new DomainError(
      'agent_offline',
      `The agent of the server "${name}" is offline; nothing was typed. Try again once it is online.`,
    );
  if (state === 'stopped' || state === 'crashed')
    throw new DomainError('instance_not_running', `The server "${name}" is ${state}; nothing was typed.`);
}
