// Audits file changes: the attempt before the agent is asked, and its outcome afterwards.
import { isBadMessage } from '../../bus/bus.ts';
import type { Ctx } from '../../context.ts';
import { DomainError, type ProblemCode } from '../../errors.ts';

/** The change of an instance's files; contents are not recorded. */
export interface FileChange {
  action: 'created' | 'updated' | 'deleted';
  before?: Fields;
  after?: Fields;
}

type Fields = Readonly<Record<string, string | number | boolean>>;

/** Problem codes that leave open whether the agent made the change. */
export const unknownOutcomes: readonly ProblemCode[] = ['agent_timeout', 'unavailable'];

/** Runs the work between the two entries. If the outcome is unknown, only the attempt is recorded. */
export async function recordingChange<T>(
  ctx: Ctx,
  instanceId: string,
  change: FileChange,
  work: () => Promise<T>,
): Promise<T> {
  const attempt = await record(ctx, instanceId, { ...change, action: 'attempted' });
  const { action, before, after } = change;
  let result: T;
  try {
    result = await work();
  } catch (error) {
    const problem = refusalIn(error);
    if (problem !== undefined)
      await record(ctx, instanceId, { action: 'failed', before, after: { ...after, attempt, problem } });
    throw error;
  }
  await record(ctx, instanceId, { action, before, after: { ...after, attempt } });
  return result;
}

interface Entry {
  action: FileChange['action'] | 'attempted' | 'failed';
  before?: Fields | undefined;
  after?: Fields | undefined;
}

/** Returns the id of the entry. */
async function record(ctx: Ctx, instanceId: string, { action, before, after }: Entry): Promise<string> {
  return ctx.transact(async (em) => {
    const [row] = await em.execute<[{ id: string }]>(
      'select record_file_change(?, ?, ?::jsonb, ?::jsonb) as id',
      [instanceId, action, jsonOf(before), jsonOf(after)],
    );
    return row.id;
  });
}

const jsonOf = (fields: Fields | undefined) => (fields === undefined ? null : JSON.stringify(fields));

function refusalIn(error: unknown): ProblemCode | undefined {
  if (!(error instanceof DomainError)) return undefined;
  const { code, cause } = error as DomainError;
  return unknownOutcomes.includes(code) || isBadMessage(cause) ? undefined : code;
}
