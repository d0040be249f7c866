// Trades a one-time code for a credential of this host's own: the platform binds the host to the agent's key.
import { rm } from 'node:fs/promises';
import { hostname as systemHostname } from 'node:os';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { PlatformClock } from './clock.ts';
import { causeOf, isFull, SettingError } from './errors.ts';
import { Identity } from './identity.ts';
import { createAgentLog } from './log.ts';
import { SessionClient } from './session.ts';
import { replaceDurably } from './state-files/durable-file.ts';
import { isEnrolled, recordEnrolment } from './state-files/enrolment-record.ts';
import { StateDirectory } from './state-files/state-directory.ts';
import { agentVersion } from './version.ts';

const requestTimeoutMs = 15_000;
/** The platform returns the same host for the same code and key, so a lost reply is requested again. */
const pausesMs = [1_000, 3_000, 6_000];

const minFreeBytes = 1024 * 1024;
/** The key was reset, or belongs to another host. */
const needNewKey: ReadonlySet<string> = new Set(['host_key_revoked', 'public_key_taken']);

interface Request {
  url: string;
  code: string;
  hostname: string;
  stateDirectory: string;
}

/** `gantry-agent enroll --url URL --state DIRECTORY [--hostname NAME]`, with the code on the standard input. */
export async function enrollFromCommandLine(args: string[]): Promise<void> {
  const { url, state, hostname } = flagsOf(args);
  if (url === undefined || state === undefined)
    throw new SettingError('enroll needs --url and --state, and the code on the standard input');
  const code = (await readAll(process.stdin)).trim();
  if (!/^[\x21-\x7e]{1,200}$/.test(code))
    throw new SettingError('the standard input holds no enrolment code');
  const request = { code, hostname: hostname ?? systemHostname(), stateDirectory: state };
  const name = await enroll({ ...request, url: url.replace(/\/+$/, '') }).catch((error: unknown) => {
    if (isFull(error)) throw new SettingError(`the disk of ${state} is full`);
    throw error;
  });
  process.stdout.write(
    name === undefined
      ? 'this host is enrolled already; the code is not needed\n'
      : `enrolled as host "${name}"\n`,
  );
}

function flagsOf(args: string[]) {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({ args, options: { url: text, state: text, hostname: text } }).values;
  } catch (error) {
    throw new SettingError(error instanceof Error ? error.message : 'The flags are invalid.');
  }
}

/** Returns the name of the host; undefined if the platform may still take the key of an earlier enrolment. */
async function enroll({ url, code, hostname, stateDirectory }: Request): Promise<string | undefined> {
  const directory = new StateDirectory(stateDirectory);
  const identity = await Identity.load(directory.seedFile);
  const host = { hostname, agent_version: agentVersion, platform: `${process.platform}-${process.arch}` };
  if (isEnrolled(stateDirectory)) {
    const log = createAgentLog(process.stderr);
    const clock = new PlatformClock(log);
    const sessions = new SessionClient({ url, companionToken: undefined, host, identity, clock, log });
    if (!(await sessions.isCredentialRefused())) return undefined;
  }
  await refuseFullDisk(stateDirectory);
  const tradeWithKey = () =>
    trade(`${url}/api/agent/enrolment`, JSON.stringify({ ...host, code, public_key: identity.publicKey }));
  const enrolled = await tradeWithKey().catch(async (error: unknown) => {
    if (!(error instanceof RefusedEnrolment && needNewKey.has(error.code))) throw error;
    await identity.renew();
    return tradeWithKey();
  });
  await recordEnrolment(stateDirectory, { url, host_id: enrolled.host_id, hostname: enrolled.hostname });
  return enrolled.hostname;
}

/** A code that was traded would be lost with a key or a record that cannot be written. */
async function refuseFullDisk(stateDirectory: string): Promise<void> {
  const path = join(stateDirectory, 'room');
  try {
    await replaceDurably(path, Buffer.alloc(minFreeBytes));
  } finally {
    await rm(path, { force: true });
  }
}

class RefusedEnrolment extends SettingError {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface Enrolled {
  host_id: string;
  hostname: string;
}

async function trade(url: string, body: string): Promise<Enrolled> {
  for (const pauseMs of pausesMs) {
    const result = await ask(url, body);
    if (typeof result !== 'string') return result;
    process.stderr.write(`gantry-agent: ${result}; it is tried again\n`);
    await pause(pauseMs);
  }
  const last = await ask(url, body);
  if (typeof last === 'string') throw new SettingError(last);
  return last;
}

/** Returns the enrolled host, or what went wrong if it may pass; throws if the platform refuses. */
async function ask(url: string, body: string): Promise<Enrolled | string> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: 'POST',
      redirect: 'error', // a redirect would carry the code elsewhere
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    text = await response.text();
  } catch (error) {
    return `the platform cannot be reached at ${url}: ${causeOf(error)}`;
  }
  const reply = parsed(text);
  if (response.status === 200) {
    const { host_id, hostname } = reply;
    if (typeof host_id === 'string' && typeof hostname === 'string') return { host_id, hostname };
    throw new SettingError(`${url} is not a Gantry platform, or a proxy replies instead of it`);
  }
  const { code = 'no problem code', detail = 'no detail' } = reply;
  const refusal = `the platform refuses the enrolment (status ${response.status}, ${String(code)}): ${String(detail)}`;
  if (response.status >= 500 || response.status === 429) return refusal;
  throw new RefusedEnrolment(String(code), refusal);
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // the status says what happened
  }
}
