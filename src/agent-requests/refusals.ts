// Translates agents' refusals of requests about a game server into problems for the caller.
import { isBadMessage } from '../bus/bus.ts';
import type { BusSchemas } from '../platform-contract/bus-types.ts';
import { DomainError, type ProblemCode } from '../errors.ts';

type ReplyError = BusSchemas['ReplyError'];
type RefusalCode = ReplyError['code'] | BusSchemas['FileError']['code'];

/** The problem code of each refusal. An older agent refuses an unknown request as invalid. */
const problems: Readonly<Record<RefusalCode, ProblemCode>> = {
  unknown_instance: 'instance_not_running',
  not_running: 'instance_not_running',
  not_supported: 'not_supported',
  invalid: 'not_supported',
  expired: 'game_unreachable',
  failed: 'game_unreachable',
  game_unreachable: 'game_unreachable',
  not_found: 'not_found',
  exists: 'file_exists',
  wrong_type: 'wrong_file_type',
  not_empty: 'directory_not_empty',
  refused: 'path_refused',
  too_large: 'file_too_large',
  changed: 'stale_version',
  checksum: 'checksum_mismatch',
  disk_full: 'disk_full',
  busy: 'limit_reached',
  unknown_transfer: 'agent_refused',
  not_plugin: 'plugin_refused',
};

/** Requests that need no running game server: a refusal says nothing about one. */
const exceptions = {
  files: { unknown_instance: 'agent_refused', invalid: 'path_refused', failed: 'agent_refused' },
  'wipe-plan': {
    unknown_instance: 'not_supported',
    not_running: 'agent_refused',
    expired: 'agent_refused',
    failed: 'agent_refused',
    game_unreachable: 'agent_refused',
  },
} as const satisfies Record<string, Partial<Record<RefusalCode, ProblemCode>>>;

/** Returns the problem code of an agent's refusal. */
export function problemOfRefusal(code: RefusalCode, request?: keyof typeof exceptions): ProblemCode {
  const own: Partial<Record<RefusalCode, ProblemCode>> = request === undefined ? {} : exceptions[request];
  return own[code] ?? problems[code];
}

/** Returns the agent's reply; throws if it is a refusal or breaks the contract. */
export async function agreeing<Reply extends { error?: ReplyError }>(
  pendingReply: Promise<Reply>,
  request?: keyof typeof exceptions,
): Promise<Reply> {
  const reply = await pendingReply.catch((error: unknown) => {
    if (error instanceof Error && isBadMessage(error)) throw invalidReply(error);
    throw error;
  });
  if (reply.error !== undefined)
    throw new DomainError(problemOfRefusal(reply.error.code, request), reply.error.detail);
  return reply;
}

export const invalidReply = (cause?: Error) =>
  new DomainError('agent_timeout', 'The agent gave no proper reply.', { cause });
