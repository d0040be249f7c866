// (f) A file of 1 GB to a game host and back, through platform, bus and agent, against a plain copy on the same disk.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  openAsBlob,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { startChild, type Child } from './support/child.ts';
import { openEnvironment } from './support/environment.ts';
import { printComparison, refuseMissed } from './support/figures.ts';

const mebibyte = 1024 * 1024;
const size = 1024 * mebibyte;
const rounds = 3;
const credentials = { email: 'bench@example.com', password: 'correct-horse-battery' };

/** What a process has in memory, and the most of it since it was last asked to forget. */
class Memory {
  readonly #pid: number;
  readonly #before: number;
  #most = 0;

  constructor(pid: number) {
    this.#pid = pid;
    this.#before = this.#now();
  }

  look(): void {
    this.#most = Math.max(this.#most, this.#now());
  }

  get extra(): number {
    return (this.#most - this.#before) / mebibyte;
  }

  #now(): number {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.#pid}/status`, 'utf8'))?.[1]) * 1024;
  }
}

const environment = await openEnvironment();
const directory = await mkdtemp(join(tmpdir(), 'gantry-bench-files-'));
let platform: Child | undefined;
let agent: ChildProcess | undefined;
try {
  platform = await startChild('servers/platform.ts', {
    ...(JSON.parse(environment.settings) as object),
    roles: ['api', 'ingest', 'jobs'],
  });
  const { url } = platform.ready;
  const admin = await signIn(url, {});
  const license = (await send(url, '/api/admin/licenses', admin, {})) as {
    id: string;
    companion_token: string;
  };
  const token = await signIn(url, { license_id: license.id });
  const root = join(directory, 'root');
  mkdirSync(root);
  agent = startAgent(url, license.companion_token, root);
  const instanceId = await instanceOf(url, token);
  const source = join(directory, 'source');
  await fill(source);

  const [ofPlatform, ofAgent] = [new Memory(platform.pid), new Memory(agent.pid ?? 0)];
  const looking = setInterval(() => {
    ofPlatform.look();
    ofAgent.look();
  }, 50);
  const files = `${url}/api/instances/${instanceId}/files`;
  const headers = { authorization: `Bearer ${token}` };
  const speeds: Record<'up' | 'down' | 'copy', number[]> = { up: [], down: [], copy: [] };
  for (let round = 0; round < rounds; round += 1) {
    speeds.copy.push(await timed(() => copy(source, join(directory, 'copy'))));
    speeds.up.push(
      await timed(async () => {
        const response = await fetch(`${files}/upload?path=large&overwrite=true`, {
          method: 'PUT',
          headers: { ...headers, 'content-type': 'application/octet-stream' },
          body: await openAsBlob(source),
        });
        if (!response.ok) throw new Error(await response.text());
      }),
    );
    speeds.down.push(
      await timed(async () => {
        const response = await fetch(`${files}/download?path=large`, { headers });
        if (!response.ok || response.body === null) throw new Error(await response.text());
        await pipeline(response.body, createWriteStream(join(directory, 'back')));
      }),
    );
  }
  clearInterval(looking);
  const shared = { baseline: 'a copy on the same disk, brought to it', unit: 'MB/s', aim: 'none' };
  printComparison({ name: 'Upload of 1 GB', ...shared, ours: speeds.up, theirs: speeds.copy });
  printComparison({ name: 'Download of 1 GB', ...shared, ours: speeds.down, theirs: speeds.copy });
  console.log(
    `  extra memory: platform ${ofPlatform.extra.toFixed(0)} MB, agent ${ofAgent.extra.toFixed(0)} MB   aim < 150 MB each`,
  );
  refuseMissed(Math.max(ofPlatform.extra, ofAgent.extra) >= 150);
} finally {
  if (agent !== undefined) {
    agent.kill('SIGTERM');
    await once(agent, 'exit');
  }
  await platform?.stop();
  await environment.stop();
  await rm(directory, { recursive: true, force: true });
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return size / 1e6 / ((performance.now() - started) / 1000);
}

async function fill(path: string): Promise<void> {
  const block = Buffer.alloc(mebibyte, 'a game server writes much that is much the same ');
  const file = await open(path, 'w');
  for (let written = 0; written < size; written += block.byteLength) await file.write(block);
  await file.close();
}

async function copy(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createWriteStream(to, { flush: true }));
}

function startAgent(url: string, token: string, root: string): ChildProcess {
  const config = join(directory, 'gantry-agent.yaml');
  const instance = { name: 'main', command: process.execPath, root };
  writeFileSync(config, JSON.stringify({ instances: [instance] }));
  return spawn(process.execPath, [resolve(import.meta.dirname, '../agent/src/main.ts'), '--config', config], {
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

async function send(url: string, path: string, token: string | undefined, body?: object): Promise<unknown> {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
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
