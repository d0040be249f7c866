// Trades a one-time code for a credential of this host's own: the platform binds the host to the agent's key.
import { existsSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { hostname as systemHostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { causeOf, SettingError } from './errors.ts';
import { Identity } from './identity.ts';
import { replaceDurably } from './state-files/durable-file.ts';
import { StateDirectory } from './state-files/state-directory.ts';
import { agentVersion } from './version.ts';

/** Its presence in the state directory means that the platform takes this host's own key. */
const enrolmentFile = 'enrolment.json';
const requestTimeoutMs = 15_000;
/** The platform returns the same host for the same code and key, so a lost reply is requested again. */
const pausesMs = [1_000, 3_000, 6_000];

export const isEnrolled = (stateDirectory: string): boolean =>
  existsSync(join(stateDirectory, enrolmentFile));

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
  const name = await enroll({ url, code, hostname: hostname ?? systemHostname(), stateDirectory: state });
  process.stdout.write(`enrolled as host "${name}"\n`);
}

function flagsOf(args: string[]) {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({ args, options: { url: text, state: text, hostname: text } }).values;
  } catch (error) {
    throw new SettingError(error instanceof Error ? error.message : 'The flags are invalid.');
  }
}

/** Returns the name of the host. */
async function enroll({ url, code, hostname, stateDirectory }: Request): Promise<string> {
  const directory = new StateDirectory(stateDirectory);
  const identity = await Identity.load(directory.seedFile);
  const body = JSON.stringify({
    code,
    hostname,
    public_key: identity.publicKey,
    agent_version: agentVersion,
    platform: `${process.platform}-${process.arch}`,
  });
  const enrolled = await trade(`${url.replace(/\/+$/, '')}/api/agent/enrolment`, body);
  const record = { url, host_id: enrolled.host_id, hostname: enrolled.hostname };
  await replaceDurably(join(stateDirectory, enrolmentFile), `${JSON.stringify(record)}\n`);
  return enrolled.hostname;
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
  throw new SettingError(refusal);
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // the status says what happened
  }
}
