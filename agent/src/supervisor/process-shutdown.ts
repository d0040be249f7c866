// Ends a run of an instance: asks with the configured command or signal, waits for the grace period, then kills.
import { pause } from '../backoff.ts';
import { endText, failed, messageOf, succeeded } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import { graceLeftMs } from './run-record.ts';
import type { Run, RunContext } from './run.ts';

const forcedWaitMs = 10_000;

/**
 * Types the line over RCON when it is connected, else on the console input. Throws a readable error when the line
 * cannot be typed. Resolves with the reply, or null when there is none.
 */
export function typeAt({ config, rcon }: RunContext, run: Run, line: string): Promise<string | null> {
  if (rcon?.isConnected === true) return rcon.typeLine(line);
  if (!config.console.hasInput) throw new Error('This game server reads no console commands.');
  run.writeLine(line);
  return Promise.resolve(null);
}

/** Returns how the process was asked to end, in words. */
export async function askToEnd(context: RunContext, run: Run): Promise<string> {
  const { stop } = context.config;
  if ('command' in stop) {
    try {
      void typeAt(context, run, stop.command);
      return `asked by the command "${stop.command}"`;
    } catch (error) {
      await run.askToEnd('SIGTERM');
      return `asked by SIGTERM, because the command "${stop.command}" could not be typed: ${messageOf(error)}`;
    }
  }
  await run.askToEnd(stop.signal);
  return `asked by ${stop.signal}`;
}

/** Kills nothing once the agent itself is shutting down. */
export async function awaitEnd(
  { config, console }: RunContext,
  run: Run,
  means: string,
  isReleased: () => boolean,
): Promise<Outcome> {
  const end = await Promise.race([run.ended, pause(graceLeftMs(run.record, config.stopGraceMs))]);
  if (end !== undefined) return succeeded(`The process ended${endText(end)}, ${means}.`);
  if (isReleased()) return failed('interrupted', 'The agent was shut down.');
  console.remark(`The process did not end within ${config.stopGraceMs / 1000} s; it is killed.`);
  return kill(run, `Ended by SIGKILL: it did not end within ${config.stopGraceMs / 1000} s, ${means}.`);
}

/** Returns the detail once the process has ended. */
export async function kill(run: Run, detail: string): Promise<Outcome> {
  try {
    await run.kill();
  } catch (error) {
    return failed('stop_failed', messageOf(error));
  }
  const end = await Promise.race([run.ended, pause(forcedWaitMs)]);
  return end === undefined
    ? failed('stop_failed', `The process ${run.pid} is still running after SIGKILL.`)
    : succeeded(detail);
}
