// The tour: starts the platform and an agent, then starts, watches, stops and wipes a simulated Rust server over the API.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { createClient, type GantryClient } from '../client/src/index.ts';

const root = resolve(import.meta.dirname, '..');
const directory = resolve(process.env['GANTRY_DATA_DIR'] ?? join(root, '.gantry-demo'));
const credentials = { email: 'demo@example.com', password: 'demo-password-of-gantry' };
const children: ChildProcess[] = [];
/** Stops the simulated server, which would otherwise outlive its agent as every game server does. */
let stopServer: (() => Promise<unknown>) | undefined;
let isEnding = false;

interface Remembered {
  licenseId: string;
  companionToken: string;
}

process.on('SIGINT', () => void end());
process.on('SIGTERM', () => void end());
try {
  await tour();
} catch (error) {
  console.error(error);
  await end(1);
}

async function tour(): Promise<void> {
  mkdirSync(directory, { recursive: true });
  say('starting the platform');
  const url = await startPlatform();
  console.log(`    ${url}/api/docs`);

  say('signing in as the first user');
  const client = createClient({ baseUrl: url });
  const signIn = async () => {
    const { data } = await client.POST('/auth/login', { body: credentials });
    if (data.session !== null) await client.session.start(data.session);
  };
  await signIn();

  say('creating a license');
  const license = await rememberedLicense(client);
  await signIn();
  console.log(`    license ${license.licenseId}`);

  say('starting the companion agent beside a simulated Rust server');
  await startAgent(url, license.companionToken);
  const instanceId = await until(async () => {
    const { data } = await client.GET('/api/fleet/instances', { params: { query: { limit: 10 } } });
    return data.data.find(({ name, state }) => name === 'rust-demo' && state !== 'offline')?.id;
  });
  const params = { path: { instance_id: instanceId } };
  stopServer = async () => {
    await signIn();
    await power(client, 'stop', instanceId);
  };
  await report(client, instanceId);

  say('opening the live console');
  const { data: ticket } = await client.POST('/api/instances/{instance_id}/console-tickets', { params });
  const socket = await openConsole(url.replace('http', 'ws') + ticket.url);

  say('starting the server');
  await power(client, 'start', instanceId);
  await socket.line(/Server startup complete/);

  say('typing "status" at its console');
  socket.type('status');
  await socket.line(/players :/);

  say('stopping the server');
  await power(client, 'stop', instanceId);

  say('starting it again, to leave it running');
  await power(client, 'start', instanceId);
  await socket.line(/Server startup complete/);

  say('wiping its map, ten seconds from now');
  await wipe(client, instanceId);
  await socket.line(/seed 42/);
  await socket.line(/Server startup complete/);
  await report(client, instanceId);
  socket.close();
  console.log(`
The demo stays up until you press Ctrl-C.
  API documentation   ${url}/api/docs
  Sign in             ${credentials.email} / ${credentials.password}
`);
}

function say(what: string): void {
  console.log(`\n==> ${what}`);
}

function start(program: string, environment: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [join(root, program)], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C reaches this process alone, which then ends the others in order.
    detached: true,
  });
  children.push(child);
  child.on('exit', (code) => {
    if (code !== 0 && code !== null) void end(1, `${program} ended with code ${code}`);
  });
  return child;
}

async function startPlatform(): Promise<string> {
  const child = start('src/main.ts', {
    GANTRY_DATA_DIR: directory,
    GANTRY_BOOTSTRAP_EMAIL: credentials.email,
    GANTRY_BOOTSTRAP_PASSWORD: credentials.password,
    GANTRY_HEARTBEAT_SECONDS: '2',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
  });
  if (child.stdout === null) throw new Error('the platform has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const ready = /ready at (\S+)/.exec(line);
    if (ready?.[1] !== undefined) {
      child.stdout.resume();
      return ready[1];
    }
  }
  throw new Error('the platform did not start');
}

async function startAgent(url: string, token: string): Promise<void> {
  const config = join(directory, 'gantry-agent.yaml');
  const passwordFile = join(directory, 'rcon-password');
  const serverDirectory = join(directory, 'rust-demo');
  mkdirSync(serverDirectory, { recursive: true });
  const password = randomBytes(16).toString('hex');
  const port = await freePort();
  writeFileSync(passwordFile, password, { mode: 0o600 });
  const instance = {
    name: 'rust-demo',
    game: 'rust',
    command: process.execPath,
    args: [
      join(root, 'agent/simulator/rust-server.ts'),
      ...['+server.identity', 'demo', '+rcon.port', String(port), '+rcon.password', password],
    ],
    cwd: serverDirectory,
    webrcon: { port, password_file: passwordFile },
    stop: { command: 'quit' },
    stop_grace_seconds: 10,
  };
  // JSON is YAML too.
  writeFileSync(config, JSON.stringify({ instances: [instance] }));
  start('agent/src/main.ts', {
    GANTRY_URL: url,
    GANTRY_COMPANION_TOKEN: token,
    GANTRY_AGENT_CONFIG: config,
    GANTRY_AGENT_STATE: join(directory, 'agent'),
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
  }).stdout?.resume();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The demo's license; its companion token is shown once, so the demo keeps it for its next run. */
async function rememberedLicense(client: GantryClient): Promise<Remembered> {
  const file = join(directory, 'demo.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Remembered;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const { data } = await client.POST('/api/admin/licenses', { body: { name: 'Demo' } });
  const made = { licenseId: data.id, companionToken: data.companion_token };
  writeFileSync(file, JSON.stringify(made), { mode: 0o600 });
  return made;
}

async function power(client: GantryClient, act: 'start' | 'stop', instanceId: string): Promise<void> {
  const { data: command } = await client.POST(`/api/instances/{instance_id}/${act}`, {
    params: { path: { instance_id: instanceId }, header: { Prefer: 'wait=10' } },
  });
  console.log(
    `    command ${command.kind}: ${command.status}, ${command.detail ?? command.error?.detail ?? ''}`,
  );
}

/** Asks for a wipe and follows it to its end. */
async function wipe(client: GantryClient, instanceId: string): Promise<void> {
  const { data: reply } = await client.POST('/api/instances/{instance_id}/wipes', {
    params: { path: { instance_id: instanceId } },
    body: { kind: 'map', seed: 42, countdown_seconds: 10, backup: true },
  });
  const path = { wipe_id: reply.wipe?.id ?? '' };
  let seen = '';
  const ended = await until(async () => {
    const { data } = await client.GET('/api/wipes/{wipe_id}', { params: { path } });
    if (data.status !== seen) console.log(`    wipe   | ${data.status}`);
    seen = data.status;
    return data.finished_at === null ? undefined : data;
  });
  console.log(`    wipe of the ${ended.kind}: ${ended.detail ?? ended.error?.detail ?? ''}`);
}

async function report(client: GantryClient, instanceId: string): Promise<void> {
  const { data } = await client.GET('/api/fleet/instances/{instance_id}', {
    params: { path: { instance_id: instanceId } },
  });
  console.log(`    instance ${data.name} is ${data.state}`);
}

interface DemoLine {
  stream: string;
  text: string;
  by?: string;
}

interface DemoConsole {
  /** Waits for a line that was not awaited before. */
  line(pattern: RegExp): Promise<void>;
  type(line: string): void;
  close(): void;
}

async function openConsole(url: string): Promise<DemoConsole> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const unseen: string[] = [];
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as { type: string; lines?: DemoLine[] };
    for (const { stream, text, by } of frame.lines ?? []) {
      console.log(`    ${stream.padEnd(6)} | ${by === undefined ? '' : `[${by}] `}${text}`);
      unseen.push(text);
    }
  });
  return {
    line: async (pattern) => {
      await until(async () => {
        const at = unseen.findIndex((text) => pattern.test(text));
        if (at === -1) return undefined;
        unseen.splice(0, at + 1);
        return true;
      });
    },
    type: (line) => socket.send(JSON.stringify({ type: 'input', line })),
    close: () => socket.close(),
  };
}

async function until<T>(probe: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error('the demo waited for 30 s in vain');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function end(code = 0, why?: string): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  if (why !== undefined) console.error(why);
  if (code === 0) await stopServer?.().catch((error: unknown) => console.error(error));
  for (const child of [...children].reverse()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  }
  process.exit(code);
}
