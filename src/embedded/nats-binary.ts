// Finds a nats-server program that runs here and is recent enough, and downloads one if there is none.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { ConfigError } from '../process/environment.ts';
import { exists } from '../process/files.ts';
import { fetchNatsServer } from './nats-fetch.ts';
import { findOnPath, lastLine, runCommand } from './run-command.ts';

type Version = [major: number, minor: number, patch: number];

const OLDEST: Version = [2, 9, 0];
/** Where packages install servers; an ordinary user's PATH may omit these directories. */
const SYSTEM_DIRECTORIES = ['/usr/sbin', '/usr/local/bin', '/usr/local/sbin'];

/** Search order: serverBin, PATH, system directories, `<cacheDir>/<version>/nats-server`, the machine's package archive. */
export async function findNatsServer(options: {
  cacheDir: string;
  serverBin?: string;
  log: Logger;
}): Promise<string> {
  const { cacheDir, serverBin, log } = options;
  if (serverBin !== undefined) {
    const reason = await probe(serverBin);
    if (reason !== undefined) throw new ConfigError(`NATS_SERVER_BIN names ${serverBin}, which ${reason}`);
    return serverBin;
  }
  const onPath = await findOnPath('nats-server');
  const installed = [...(onPath === undefined ? [] : [onPath]), ...inSystemDirectories()];
  for (const candidate of [...installed, ...(await inCache(cacheDir))]) {
    if (!(await exists(candidate))) continue;
    const reason = await probe(candidate);
    if (reason === undefined) return candidate;
    log.warn(`Passing over ${candidate}, which ${reason}`);
  }
  const fetched = await fetchNatsServer(cacheDir, log);
  if (fetched !== undefined) return fetched;
  throw new ConfigError(
    `No nats-server was found: install nats-server ${OLDEST[0]}.${OLDEST[1]} or newer, ` +
      'or set NATS_SERVER_BIN to its path or NATS_URL to a running server',
  );
}

/** Programs that this process has found to run and to be recent enough. */
const fitPrograms = new Set<string>();

/** Why the program cannot be used; undefined if it can. */
async function probe(program: string): Promise<string | undefined> {
  if (fitPrograms.has(program)) return undefined;
  const reason = await faultOf(program);
  if (reason === undefined) fitPrograms.add(program);
  return reason;
}

async function faultOf(program: string): Promise<string | undefined> {
  const { code, stdout, stderr } = await runCommand(program, ['--version'], { timeoutMs: 10_000 });
  if (code !== 0) return `does not run: ${lastLine(stderr) || `exit code ${code}`}`;
  const version = parseVersion(stdout);
  if (version === undefined) return 'does not report a nats-server version';
  return isOlder(version, OLDEST) ? `is ${version.join('.')}, older than ${OLDEST.join('.')}` : undefined;
}

function inSystemDirectories(): string[] {
  return SYSTEM_DIRECTORIES.map((directory) => join(directory, 'nats-server'));
}

/** The newest first. */
async function inCache(cacheDir: string): Promise<string[]> {
  if (!(await exists(cacheDir))) return [];
  const versions = (await readdir(cacheDir)).filter((name) => /^\d+\.\d+\.\d+$/.test(name));
  return versions
    .sort((left, right) => (isOlder(parseVersion(left), parseVersion(right)) ? 1 : -1))
    .map((version) => join(cacheDir, version, 'nats-server'));
}

function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch] = /(\d+)\.(\d+)\.(\d+)/.exec(text) ?? [];
  return patch === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

function isOlder(left: Version | undefined, right: Version | undefined): boolean {
  if (left === undefined || right === undefined) return left === undefined && right !== undefined;
  const difference = left.map((part, index) => part - (right[index] ?? 0)).find((part) => part !== 0);
  return difference !== undefined && difference < 0;
}
