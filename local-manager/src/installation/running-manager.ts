// Finds the manager that runs for this user, opens its page, and ends it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ConfigError } from '../config.ts';
import { fieldsOf, jsonOf, listOf, numberOf, textOf, type Fields } from '../parsing.ts';
import { runProgram } from '../processes.ts';
import { endSession } from '../security/browser-session.ts';
import { startTask } from './logon-task.ts';

export interface RunningManager {
  url: string;
  token: string;
  pid: number;
}

const startMs = 60_000;
const pollMs = 500;
/** How long a running operation may take before its manager is ended all the same. */
const endMs = 120_000;
/** How long its process may take to end after that. */
const exitMs = 30_000;
const openMs = 15_000;
const responseMs = 15_000;

/** Undefined if none runs: a killed one leaves its file behind. Throws if one runs that does not respond. */
export async function findRunning(home: string, waitMs = responseMs): Promise<RunningManager | undefined> {
  const text = await readFile(join(home, 'session.json'), 'utf8').catch(() => '');
  const fields = fieldsOf(jsonOf(text));
  const [url, token, pid] = [textOf(fields['url']), textOf(fields['token']), numberOf(fields['pid'])];
  if (url === null || token === null || pid === null) return undefined;
  try {
    await operationsOf({ url, token, pid }, waitMs);
    return { url, token, pid };
  } catch (error) {
    if (isElsewhere(error) || !isAlive(pid)) return undefined;
    throw new ConfigError(
      `A manager seems to be running as process ${pid} but does not respond. End that process, then try again.`,
      { cause: error },
    );
  }
}

/** Another start, another program or no program is at that address. */
function isElsewhere(error: unknown): boolean {
  if (error instanceof OtherProgram || error instanceof SyntaxError) return true;
  const { cause } = error as { cause?: unknown };
  return textOf(fieldsOf(cause)['code']) === 'ECONNREFUSED';
}

class OtherProgram extends Error {
  override readonly name = 'OtherProgram';
}

/** Opens the page with the token of this start; starts the manager's task first if none runs. */
export async function openPage(home: string): Promise<void> {
  const running = (await findRunning(home)) ?? (await started(home));
  const link = `${running.url}/?token=${running.token}`;
  const file = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'rundll32.exe');
  const end = await runProgram({ file, args: ['url.dll,FileProtocolHandler', link], timeoutMs: openMs });
  if (end.exitCode !== 0) throw new ConfigError(`The browser did not open. Open this link: ${link}`);
}

async function started(home: string): Promise<RunningManager> {
  await startTask();
  const until = Date.now() + startMs;
  while (Date.now() < until) {
    const running = await findRunning(home);
    if (running !== undefined) return running;
    await pause(pollMs);
  }
  throw new ConfigError(`The manager did not start within ${startMs / 1000} seconds; see logs in ${home}.`);
}

/** Waits for a running operation, then ends the manager, waits until its process is gone, and ends the session. */
export async function stopRunning(home: string, waitMs = exitMs): Promise<boolean> {
  const running = await findRunning(home);
  if (running === undefined) {
    await endSession(home);
    return false;
  }
  const until = Date.now() + endMs;
  while (Date.now() < until) {
    const operations = await operationsOf(running).catch(() => []);
    if (!operations.some(({ state }) => state === 'running')) break;
    await pause(pollMs);
  }
  if (isAlive(running.pid)) process.kill(running.pid, 'SIGTERM');
  const exitsUntil = Date.now() + waitMs;
  while (isAlive(running.pid)) {
    if (Date.now() >= exitsUntil)
      throw new ConfigError(
        `Process ${running.pid} of the manager did not end within ${waitMs / 1000} seconds. End that process, then try again.`,
      );
    await pause(pollMs / 5);
  }
  await endSession(home);
  return true;
}

/** Responds also while Windows does not. */
async function operationsOf({ url, token }: RunningManager, waitMs = responseMs): Promise<Fields[]> {
  const response = await fetch(`${url}/api/operations`, {
    headers: { 'X-Manager-Token': token },
    signal: AbortSignal.timeout(waitMs),
  });
  if (!response.ok) throw new OtherProgram(`status ${response.status}`);
  return listOf(fieldsOf(await response.json())['data']).map(fieldsOf);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
