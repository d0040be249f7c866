// Completes applications that no command completes: those never sent, and those that were read back.
import type { Ctx } from '../../context.ts';
import { PluginApplication } from '../../entities/index.ts';
import type { PlayerCommands } from '../../plugin-configs/kind.ts';
import type { Remark } from '../../plugin-configs/reading.ts';
import type { UnderWay } from './pending-config.ts';

/** About five minutes of the queue's backoff. */
const maxFailures = 6;

export interface Ending {
  /** Null on success. */
  errorCode: string | null;
  /** Unchanged if omitted. */
  detail?: string;
  playerCommands?: PlayerCommands | null;
  isLoaded?: boolean | null;
  remarks?: Remark[];
}

/** Completes the application unless it has left that status. */
export async function end(
  ctx: Ctx,
  id: string,
  at: UnderWay,
  { errorCode, ...known }: Ending,
): Promise<void> {
  await ctx.transact((em) =>
    em.nativeUpdate(
      PluginApplication,
      { id, status: at },
      {
        status: errorCode === null ? 'succeeded' : 'failed',
        errorCode,
        finishedAt: new Date(),
        ...known,
      },
    ),
  );
}

/** Counts an unexpected failure, and completes the application after `maxFailures`, so that no caller waits forever. */
export async function recordFailure(ctx: Ctx, id: string, at: UnderWay, ending: Ending): Promise<void> {
  const isOver = await ctx.transact(async (em) => {
    const application = await em.findOne(PluginApplication, { id, status: at });
    if (application === null) return false;
    application.failures += 1;
    await em.flush();
    return application.failures >= maxFailures;
  });
  if (isOver) await end(ctx, id, at, ending);
}
