// Runs the commands of a guide unchanged, and ends the processes they leave running.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { until } from './until.ts';

const root = resolve(import.meta.dirname, '../..');

export interface GuideRun {
  status: number | null;
  output: string;
  /** Commands that could not be ended. */
  processes: string[];
}

/**
 * Runs every `sh` block of the guide, or of one section of it, as one script, in a directory that looks like
 * a clone; `within` runs the shell.
 */
export function runGuide(
  file: string,
  environment: Record<string, string>,
  within: string[] = [],
  section?: string,
): Promise<GuideRun> {
  return inClone(async (clone) => run(await shellFor(file, within, section), clone, environment));
}

/** Runs the guide, and again in the same directory with the files of the first run. */
export function runGuideTwice(
  file: string,
  environment: Record<string, string>,
  within: string[] = [],
  section?: string,
): Promise<[GuideRun, GuideRun]> {
  return inClone(async (clone) => {
    const shell = await shellFor(file, within, section);
    return [await run(shell, clone, environment), await run(shell, clone, environment)];
  });
}

/** Runs in a directory that looks like a clone, and deletes it. */
async function inClone<Result>(work: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-guide-'));
  try {
    for (const name of ['package.json', 'node_modules', 'agent', 'generated', 'scripts'])
      await symlink(join(root, name), join(directory, name));
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The command that runs every `sh` block as one script. */
async function shellFor(file: string, within: string[], section?: string): Promise<string[]> {
  const whole = await readFile(join(root, file), 'utf8');
  const guide = section === undefined ? whole : sectionOf(whole, section);
  const script = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block).join('\n');
  return [...within, 'bash', '-c', `set -euo pipefail\n${script}`];
}

/** From the heading `## title` to the next heading of its level. */
function sectionOf(guide: string, title: string): string {
  const found = guide.split(/^(?=## )/m).find((section) => section.startsWith(`## ${title}\n`));
  if (found === undefined) throw new Error(`There is no section "${title}".`);
  return found;
}

/**
 * Runs the script in its own process group, ends the processes it leaves running, and returns those that
 * would not end.
 */
async function run(
  [program = '', ...args]: string[],
  cwd: string,
  environment: Record<string, string>,
): Promise<GuideRun> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString()));
  const [status] = (await once(child, 'exit')) as [number | null];
  const group = child.pid ?? 0;
  endGroup(group, 'SIGTERM');
  await until(async () => (await processesBelow(cwd, group)).length === 0, 'the end of the agent').catch(() =>
    endGroup(group, 'SIGKILL'),
  );
  return { output, status, processes: (await processesBelow(cwd, group)).map(({ command }) => command) };
}

export function endGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * The processes of that group, and those that work in the directory, such as a game server in its own group.
 */
export async function processesBelow(
  directory: string,
  group: number,
): Promise<{ pid: number; command: string }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [stat, cwd, command] = await Promise.all([
        readFile(`/proc/${pid}/stat`, 'utf8'),
        readlink(`/proc/${pid}/cwd`),
        readFile(`/proc/${pid}/cmdline`, 'utf8'),
      ]).catch(() => ['', '', '']); // it has already ended
      const [state, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const isOurs = Number(itsGroup) === group || cwd.startsWith(directory);
      return isOurs && state !== 'Z' ? [{ pid: Number(pid), command: command.replaceAll('\0', ' ') }] : [];
    }),
  );
  return found.flat();
}
