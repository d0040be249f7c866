// Translates agents' refusals of requests about a game server into problems for the caller.
import { isBadMessage } from '../bus/bus.ts';
import type { BusSchemas } from '../platform-contract/bus-types.ts';
import { DomainError, type ProblemCode } from '../errors.ts';

type ReplyError = BusSchemas['AnswerError'];

/** The problem code of each refusal. An older agent refuses an unknown request as invalid. */
const problemOfRefusal: Readonly<Record<ReplyError['code'], ProblemCode>> = {
  unknown_instance: 'instance_not_running',
  not_running: 'instance_not_running',
  not_supported: 'not_supported',
  invalid: 'not_supported',
  expired: 'game_unreachable',
  failed: 'game_unreachable',
  game_unreachable: 'game_unreachable',
};

/** Returns the agent's reply; throws if it is a refusal or breaks the contract. */
export async function agreeing<Reply extends { error?: ReplyError }>(asked: Promise<Reply>): Promise<Reply> {
  const reply = await asked.catch((error: unknown) => {
    if (error instanceof Error && isBadMessage(error)) throw noProperAnswer(error);
    throw error;
  });
  if (reply.error !== undefined)
    throw new DomainError(problemOfRefusal[reply.error.code], reply.error.detail);
  return reply;
}

export const noProperAnswer = (cause?: Error) =>
  new DomainError('agent_timeout', 'The agent gave no proper reply.', { cause });
