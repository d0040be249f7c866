// The code samples of the reference: all of them compile, and one of each tag runs against a platform.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sdkFiles } from '../../scripts/sdks/generate.ts';
import {
  alternativesOf,
  contract,
  operations,
  pathParametersOf,
  root,
  type ContractOperation,
} from '../support/contract.ts';
import {
  createInstance,
  createKeyWithText,
  createResellerOf,
  createRow,
  namesWithoutRow,
} from '../support/rows.ts';
import { isInstalled, itWhere } from '../support/it-where.ts';
import { follow } from '../support/schemas.ts';
import { openStore } from '../support/store.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

interface Sample {
  lang: string;
  source: string;
}

/** The operation that runs for a tag, where it is not the first GET. */
const chosen: Readonly<Record<string, string>> = { Agents: 'createAgentSession', Power: 'startInstance' };

/** Tags whose operations need a connected host; they run in a sandbox, which simulates one. */
const inSandbox = new Set(['Files', 'Players', 'Plugins', 'Console', 'Sandbox']);

const tags = [...new Set(operations.flatMap((operation) => operation.tags))];

function operationOf(tag: string): ContractOperation {
  const ofTag = operations.filter((operation) => operation.tags[0] === tag);
  const found =
    ofTag.find(({ id, method }) => (tag in chosen ? id === chosen[tag] : method === 'get')) ?? ofTag[0];
  if (found === undefined) throw new Error(`choose an operation of ${tag}`);
  return found;
}

let world: World;
let folder: string;
let recorder: Awaited<ReturnType<typeof recordingProxy>>;
let samples: Map<string, Sample[]>;
let runs: Run[];

interface Run {
  id: string;
  tag: string;
  declared: string;
  environment: Record<string, string>;
  shell: string;
  /** Files of programs. */
  python: string;
  typescript: string;
  php: string;
}

beforeAll(async () => {
  world = await World.create({ heartbeatIntervalSeconds: 2 });
  recorder = await recordingProxy(world.url);
  folder = mkdtempSync(join(tmpdir(), 'gantry-samples-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const sdk of ['python', 'go', 'php'])
    cpSync(join(root, 'sdks', sdk), join(folder, sdk), {
      recursive: true,
      filter: (source) => !/_gen\.go$|\/[gG]enerated$|__pycache__/.test(source),
    });
  const document = JSON.parse(
    readFileSync(join(root, 'generated/platform.openapi-3.1.json'), 'utf8'),
  ) as never;
  for (const [name, text] of sdkFiles(document)) write(name, text);
  samples = new Map(await Promise.all(operations.map(async ({ id }) => [id, await samplesOf(id)] as const)));
  const tenant = await world.createTenant();
  await createInstance(world, tenant, { name: 'main' });
  await openStore(world, tenant);
  const sandbox = await createSandbox();
  runs = [];
  for (const tag of tags) runs.push(await runOf(tag, tenant, sandbox));
  write('runs.json', JSON.stringify(runs));
});

afterAll(async () => {
  recorder.close();
  rmSync(folder, { recursive: true, force: true });
  await world.close();
});

async function samplesOf(id: string): Promise<Sample[]> {
  const response = await fetch(`${world.url}/api/docs/operations/${id}.openapi.json`);
  const { paths } = (await response.json()) as {
    paths: Record<string, Record<string, { 'x-codeSamples'?: Sample[] }>>;
  };
  return Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap((operation) => operation['x-codeSamples'] ?? []),
  );
}

const sourceOf = (id: string, lang: string): string =>
  samples.get(id)?.find((sample) => sample.lang === lang)?.source ?? '';

function write(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** Forwards to the platform, and keeps the status of each response by the first segment of the path, which it removes. */
async function recordingProxy(target: string) {
  let statuses: Record<string, string> = {};
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    const [, id = '', rest = ''] = /^\/(\w+)(\/.*)$/.exec(url) ?? [];
    const forwarded = httpRequest(`${target}${rest}`, { method, headers }, (response) => {
      statuses[id] = String(response.statusCode);
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken: () => {
      const before = statuses;
      statuses = {};
      return before;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function run(command: string, args: string[], environment: Record<string, string>, directory = '') {
  const child = spawn(command, args, {
    cwd: join(folder, directory),
    env: { ...process.env, ...environment },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await once(child, 'close');
  return { exitCode: child.exitCode, stdout, stderr };
}

/** The environment variable that holds the caller's credential, with the credential. */
async function credentialOf(operation: ContractOperation, tenant: Tenant): Promise<Record<string, string>> {
  const schemes = alternativesOf(operation).map(({ scheme }) => scheme);
  if (schemes.length === 0) return {};
  if (schemes.includes('apiKey')) return { API_KEY: (await createKeyWithText(world, tenant)).key };
  if (schemes.includes('hostKey')) return { HOST_KEY: (await createResellerOf(world, tenant)).key };
  if (schemes.includes('companionToken')) return { COMPANION_TOKEN: tenant.license.companion_token };
  if (schemes.includes('licenseKey')) return { LICENSE_KEY: tenant.license.key };
  return { TOKEN: schemes.includes('superAdmin') ? world.admin.token : tenant.owner.token };
}

interface Sandbox {
  api_key: string;
  instance_id: string;
}

async function createSandbox(): Promise<Sandbox> {
  const { body } = await world.call('post', '/api/sandbox').expect(201);
  const { api_key } = body as Sandbox;
  const instance_id = await until(async () => {
    const response = await fetch(`${world.url}/api/fleet/instances`, { headers: { 'X-Api-Key': api_key } });
    const { data } = (await response.json()) as { data: { id: string; state: string }[] };
    return data.find(({ state }) => state === 'running')?.id;
  }, 'a running instance of the sandbox');
  return { api_key, instance_id };
}

/** Writes the programs, with existing ids for the examples of the path and the recorder's address for the server's. */
async function runOf(tag: string, tenant: Tenant, sandbox: Sandbox): Promise<Run> {
  const operation = operationOf(tag);
  const { id } = operation;
  const rows: Record<string, string> = { subdomain: tenant.license.subdomain };
  const isSandbox = inSandbox.has(tag);
  if (isSandbox) rows['instance_id'] = sandbox.instance_id;
  const replaced: [string, string][] = [[world.url, `${recorder.url}/${id}`]];
  for (const { name, schema, example } of pathParametersOf(operation)) {
    if (!namesWithoutRow.has(name)) rows[name] ??= await createRow(name, world, tenant, rows);
    const known = example ?? follow(schema, contract.components.schemas).example;
    if (rows[name] !== undefined) replaced.push([String(known), rows[name]]);
  }
  const change = (text: string) =>
    replaced.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
  return {
    id,
    tag,
    declared: declaredStatusOf(id),
    environment: isSandbox ? { API_KEY: sandbox.api_key } : await credentialOf(operation, tenant),
    shell: change(sourceOf(id, 'curl')),
    python: write(`runs/${id}.py`, change(sourceOf(id, 'Python'))),
    typescript: write(`runs/${id}.ts`, change(sourceOf(id, 'TypeScript'))),
    php: write(`runs/${id}.php`, change(sourceOf(id, 'PHP'))),
  };
}

function declaredStatusOf(id: string): string {
  const all = Object.values(contract.paths).flatMap((item) =>
    (['get', 'post', 'put', 'patch', 'delete'] as const).flatMap((method) => item[method] ?? []),
  );
  const { responses = {} } = all.find(({ operationId }) => operationId === id) ?? {};
  return Object.keys(responses).find((status) => /^[23]/.test(status)) ?? '';
}

const pythonRunner = `
import json, os, runpy, sys
sys.path.insert(0, "python")
for each in json.load(open("runs.json")):
    os.environ.update(each["environment"])
    try: runpy.run_path(each["python"])
    except Exception as error: print(each["id"], repr(error), file=sys.stderr)
`;

const typescriptRunner = `
import { readFileSync } from 'node:fs';
for (const { id, environment, typescript } of JSON.parse(readFileSync('runs.json', 'utf8'))) {
  Object.assign(process.env, environment);
  await import(typescript).catch((error) => console.error(id, error.problem ?? error));
}
`;

/** Each program runs in a function, so that none sees the variables of another. */
const phpRunner = `<?php
ob_start();
foreach (json_decode(file_get_contents('runs.json'), true) as $each) {
    foreach ($each['environment'] as $name => $value) putenv("$name=$value");
    try { (function () use ($each) { require $each['php']; })(); }
    catch (Throwable $error) { fwrite(STDERR, $each['id'] . ' ' . $error->getMessage() . PHP_EOL); }
}
ob_end_clean();
`;

const hasPhp = isInstalled('php', '--version');

it('exist for every operation in every language', () => {
  for (const { id } of operations)
    expect([id, samples.get(id)?.map(({ lang }) => lang)]).toEqual([
      id,
      ['curl', 'TypeScript', 'Python', 'Go', 'PHP', 'C#'],
    ]);
});

async function execute(lang: string): Promise<string> {
  if (lang === 'Python') return (await run('python3', [write('run.py', pythonRunner)], {})).stderr;
  if (lang === 'TypeScript')
    return (await run(process.execPath, [write('run.ts', typescriptRunner)], {})).stderr;
  if (lang === 'PHP') {
    write('vendor/autoload.php', "<?php\nrequire_once __DIR__ . '/../php/autoload.php';\n");
    return (await run('php', [write('run.php', phpRunner)], {})).stderr;
  }
  const lines = runs.flatMap(({ id, shell, environment }) => [
    ...Object.entries(environment).map(([name, value]) => `export ${name}='${value}'`),
    `${shell.replace('curl', 'curl -sS')} || echo ${id} >&2`,
  ]);
  return (await run('bash', [write('run.sh', lines.join('\n'))], {})).stderr;
}

it.each(['curl', 'TypeScript', 'Python', ...(hasPhp || process.env['CI'] !== undefined ? ['PHP'] : [])])(
  'of each tag runs in %s with the declared status',
  async (lang) => {
    const output = await execute(lang);
    const statuses = recorder.taken();
    expect({ output, statuses: runs.map(({ tag, id }) => [tag, id, statuses[id]]) }).toEqual({
      output: '',
      statuses: runs.map(({ tag, id, declared }) => [tag, id, declared]),
    });
  },
);

it('compile in TypeScript, all of them', async () => {
  for (const { id } of operations) write(`all/${id}.ts`, sourceOf(id, 'TypeScript'));
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: object;
  };
  // The folder of the test is outside of the project, so it finds the client through the link to node_modules.
  write('all/package.json', '{ "type": "module" }');
  write('all/tsconfig.json', JSON.stringify({ compilerOptions: { ...compilerOptions, types: ['node'] } }));
  const { stdout } = await run(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'all'],
    {},
  );
  expect(stdout.split('\n').slice(0, 20).join('\n')).toBe('');
});

it('compile in Python, all of them', async () => {
  for (const { id } of operations) write(`all-python/${id}.py`, sourceOf(id, 'Python'));
  const { exitCode, stdout, stderr } = await run('python3', ['-m', 'compileall', '-q', 'all-python'], {});
  expect([exitCode, stdout, stderr]).toEqual([0, '', '']);
});

itWhere(hasPhp)('compile in PHP, all of them', async () => {
  for (const { id } of operations) write(`all-php/${id}.php`, sourceOf(id, 'PHP'));
  const check = `foreach (glob('all-php/*.php') as $file)
    try { token_get_all(file_get_contents($file), TOKEN_PARSE); } catch (Throwable $error) { echo "$file $error\n"; }`;
  expect((await run('php', ['-r', check], {})).stdout).toBe('');
});

const hasGo = isInstalled('go', 'version');

itWhere(hasGo)(
  `compile in Go, all of them, and one runs${hasGo ? '' : ' (left out: this machine has no Go)'}`,
  async () => {
    const environment = { GOFLAGS: '-mod=mod', GOCACHE: process.env['GOCACHE'] ?? join(folder, 'cache') };
    for (const { id } of operations) write(`go/samples/${id}/main.go`, sourceOf(id, 'Go'));
    const vetted = await run('go', ['vet', './samples/...'], environment, 'go');
    expect([vetted.exitCode, vetted.stderr]).toEqual([0, '']);
    const { environment: credential } = runs.find(({ id }) => id === 'listClusters') ?? {};
    write(
      'go/samples/listClusters/main.go',
      sourceOf('listClusters', 'Go').replace(world.url, `${recorder.url}/go`),
    );
    expect(
      await run('go', ['run', './samples/listClusters'], { ...environment, ...credential }, 'go'),
    ).toMatchObject({ exitCode: 0 });
    expect(recorder.taken()).toEqual({ go: '200' });
  },
);
