// Ends applications that no command ends: those that were never sent, and those that were read back.
import type { Ctx } from '../../context.ts';
import { PluginApplication } from '../../entities/index.ts';
import type { PlayerCommands } from '../../plugin-configs/kind.ts';
import type { Remark } from '../../plugin-configs/reading.ts';
import type { UnderWay } from './pending-config.ts';

/** Some five minutes of the queue's growing pauses. */
const maxFailures = 6;

export interface Ending {
  /** Null for a success. */
  errorCode: string | null;
  /** As it is unless given. */
  detail?: string;
  playerCommands?: PlayerCommands | null;
  isLoaded?: boolean | null;
  remarks?: Remark[];
}

/** Ends it unless it is no longer at that point. */
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

/** Counts a failure that nobody foresaw, and ends what has failed often enough: nobody waits for ever. */
export async function noteFailure(ctx: Ctx, id: string, at: UnderWay, ending: Ending): Promise<void> {
  const isOver = await ctx.transact(async (em) => {
    const application = await em.findOne(PluginApplication, { id, status: at });
    if (application === null) return false;
    application.failures += 1;
    await em.flush();
    return application.failures >= maxFailures;
  });
  if (isOver) await end(ctx, id, at, ending);
}
