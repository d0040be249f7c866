// A license with a real agent and one instance, for end-to-end benchmarks, and the memory use of processes.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startChild, type Child } from './child.ts';
import { openEnvironment, type BenchEnvironment } from './environment.ts';
import { refuseMissed } from './figures.ts';

const mebibyte = 1024 * 1024;
const credentials = { email: 'bench@example.com', password: 'correct-horse-battery' };

export interface AgentHost {
  url: string;
  token: string;
  instanceId: string;
  /** The instance's files are in its folder `root`. */
  directory: string;
  platform: Child;
  agent: ChildProcess;
  close: () => Promise<void>;
}

/** The instance has the settings of `instanceIn`, beside its name and its root. */
export async function openAgentHost(instanceIn: (directory: string) => object): Promise<AgentHost> {
  const environment = await openEnvironment();
  const directory = await mkdtemp(join(tmpdir(), 'gantry-bench-host-'));
  let platform: Child | undefined;
  let agent: ChildProcess | undefined;
  const close = async () => {
    if (agent !== undefined) {
      agent.kill('SIGTERM');
      await once(agent, 'exit');
    }
    await platform?.stop();
    await environment.stop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    platform = await startPlatform(environment);
    const { url } = platform.ready;
    const admin = await signIn(url, {});
    const license = (await send(url, '/api/admin/licenses', admin, {})) as {
      id: string;
      companion_token: string;
    };
    const token = await signIn(url, { license_id: license.id });
    const root = join(directory, 'root');
    mkdirSync(root);
    const instance = { name: 'main', command: process.execPath, root, cwd: root, ...instanceIn(directory) };
    agent = startAgent(url, license.companion_token, { directory, instance });
    const instanceId = await instanceOf(url, token);
    return { url, token, instanceId, directory, platform, agent, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The memory of a process, and its maximum since the last reset. */
export class Memory {
  readonly #pid: number;
  readonly #before: number;
  #max = 0;

  constructor(pid: number) {
    this.#pid = pid;
    this.#before = this.#now();
  }

  look(): void {
    this.#max = Math.max(this.#max, this.#now());
  }

  get extra(): number {
    return (this.#max - this.#before) / mebibyte;
  }

  #now(): number {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.#pid}/status`, 'utf8'))?.[1]) * 1024;
  }
}

/** Runs the work, and prints the peak memory of platform and agent above their start; aims in MB. */
export async function watchingMemory<T>(
  { platform, agent }: AgentHost,
  aims: { platform: number; agent: number },
  work: () => Promise<T>,
): Promise<T> {
  const [ofPlatform, ofAgent] = [new Memory(platform.pid), new Memory(agent.pid ?? 0)];
  const looking = setInterval(() => {
    ofPlatform.look();
    ofAgent.look();
  }, 50);
  try {
    return await work();
  } finally {
    clearInterval(looking);
    const figures = [
      { name: 'platform', extra: ofPlatform.extra, aim: aims.platform },
      { name: 'agent', extra: ofAgent.extra, aim: aims.agent },
    ];
    const words = figures.map(({ name, extra, aim }) => `${name} ${extra.toFixed(0)} MB (aim < ${aim})`);
    console.log(`\n  extra memory: ${words.join(', ')}`);
    refuseMissed(figures.some(({ extra, aim }) => extra >= aim));
  }
}

const startPlatform = ({ settings }: BenchEnvironment) =>
  startChild('servers/platform.ts', {
    ...(JSON.parse(settings) as object),
    roles: ['api', 'ingest', 'jobs'],
  });

function startAgent(
  url: string,
  token: string,
  { directory, instance }: { directory: string; instance: object },
): ChildProcess {
  const config = join(directory, 'gantry-agent.yaml');
  writeFileSync(config, JSON.stringify({ instances: [instance] }));
  const main = resolve(import.meta.dirname, '../../agent/src/main.ts');
  return spawn(process.execPath, [main, '--config', config], {
    env: {
      ...process.env,
      GANTRY_URL: url,
      GANTRY_COMPANION_TOKEN: token,
      GANTRY_AGENT_STATE: join(directory, 'state'),
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

export async function send(
  url: string,
  path: string,
  token: string | undefined,
  body?: object,
  { method = body === undefined ? 'GET' : 'POST' }: { method?: string } = {},
): Promise<unknown> {
  const response = await fetch(url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      connection: 'close', // a keep-alive connection is closed while the platform is busy
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

async function signIn(url: string, more: object): Promise<string> {
  const { session } = (await send(url, '/auth/login', undefined, { ...credentials, ...more })) as {
    session: { access_token: string };
  };
  return session.access_token;
}

async function instanceOf(url: string, token: string): Promise<string> {
  for (;;) {
    const { data } = (await send(url, '/api/fleet/instances', token)) as {
      data: { id: string; state: string }[];
    };
    const found = data.find(({ state }) => state !== 'offline');
    if (found !== undefined) return found.id;
    await setTimeout(200);
  }
}
