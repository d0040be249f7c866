// The command line against a running platform, as a process.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { Contract } from '../../cli/src/contract.ts';
import { describe as describeOperation } from '../../cli/src/describe.ts';
import { search } from '../../cli/src/search.ts';
import {
  exampleOf,
  preferredMedia,
  successOf,
  operationsIn,
  type OperationObject,
} from '../../shared/openapi/document.ts';
import type { Schema } from '../../shared/openapi/schema.ts';
import { createAjv } from '../../src/contract/values.ts';
import { connectAcceptingAgent } from '../support/agent.ts';
import { Cli, createCliKey, listening } from '../support/cli.ts';
import { contract, operationIdOf, operations, someId } from '../support/contract.ts';
import { createCluster } from '../support/rows.ts';
import { World, type Tenant } from '../support/world.ts';

let world: World;
let tenant: Tenant;
let cli: Cli;
let key: string;

beforeAll(async () => {
  world = await World.create();
  tenant = await world.createTenant();
  key = await createCliKey(world, tenant, {
    'fleet.view': true,
    'clusters.manage': true,
    'instances.power': true,
    'commands.view': true,
    'backups.view': true,
    'events.view': true,
    'team.view': true,
  });
  cli = new Cli(world.url, { GANTRY_API_KEY: key });
});

afterAll(async () => {
  cli.close();
  await world.close();
});

const published = new Contract(
  JSON.parse(readFileSync('generated/platform.openapi-3.1.json', 'utf8')) as never,
);

const startInstance = operationIdOf('post', '/api/instances/{instance_id}/start');
const listClusters = operationIdOf('get', '/api/fleet/clusters');
const createClusterId = operationIdOf('post', '/api/fleet/clusters');
const getInstance = operationIdOf('get', '/api/fleet/instances/{instance_id}');

describe('finding operations', () => {
  it.each([
    ['restart server', 'post', '/api/instances/{instance_id}/restart'],
    ['ban player', 'post', '/api/instances/{instance_id}/players/{steam_id}/ban'],
    ['login', 'post', '/auth/login'],
    ['reboot', 'post', '/api/instances/{instance_id}/restart'],
    ['time travel', 'post', '/api/sandbox/clock'],
    ['gdpr', 'get', '/api/license/export'],
    ['create api key', 'post', '/api/api-keys'],
    ['upload plugin', 'put', '/api/instances/{instance_id}/plugins/{plugin}'],
    ['upload map', 'post', '/api/maps'],
    ['kits', 'get', '/api/plugin-configs/{kind}/{plugin_config_id}'],
    ['edit kits', 'patch', '/api/plugin-configs/{kind}/{plugin_config_id}'],
    ['loot', 'post', '/api/plugin-configs/loot/{loot_config_id}/multiply'],
    ['who deleted a backup', 'get', '/api/audit'],
    ['who banned', 'get', '/api/audit'],
  ] as const)('"%s" finds %s %s among the first three', (words, method, path) => {
    expect(search(published, words, 3).map(({ id }) => id)).toContain(operationIdOf(method, path));
  });

  it('prints what a search finds', async () => {
    const restart = operationIdOf('post', '/api/instances/{instance_id}/restart');
    const found = await cli.json(['operations', 'search', 'restart', 'server', '--limit', '3']);
    expect(found).toContainEqual(expect.objectContaining({ operation: restart }));
    expect(found).toHaveLength(3);
  });

  it('describes the limits and the defaults of fields', async () => {
    const { stdout } = await cli.run(['operations', 'describe', listClusters]);
    expect(stdout).toMatch(/--limit <integer> \(1 to 100, default 25\)/);
    expect((await cli.run(['operations', 'describe', createClusterId])).stdout).toMatch(
      /--name <string[^>]*> \(required, 1 to \d+ characters\)/,
    );
  });

  it('describes every field, permission and result of an operation', async () => {
    const { status, stdout } = await cli.run(['operations', 'describe', startInstance]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/--instance-id <string \(uuid\)> \(required\)/);
    expect(stdout).toContain('instances.power');
    expect(stdout).toContain('Returns: 202 application/json');
    expect(stdout).toContain('X-Api-Key: $GANTRY_API_KEY');
    expect(stdout).toContain('\n  limit_reached: 100 commands already wait for the agent of the host.\n');
  });

  it('reads from the published contract which problems an operation can return, and which need a step-up', () => {
    for (const { id, requiresStepUp, problemCodes } of operations) {
      const operation = published.operations.get(id);
      const needsStepUp = requiresStepUp || problemCodes?.includes('step_up_required') === true;
      expect({ id, needsStepUp: operation?.needsStepUp }).toEqual({ id, needsStepUp });
      expect([...(operation?.problems.keys() ?? [])]).toEqual(
        expect.arrayContaining([...(problemCodes ?? []), 'internal']),
      );
      if (requiresStepUp)
        expect({ id, isDestructive: operation?.isDestructive }).toEqual({ id, isDestructive: true });
    }
    const changesAtOnce = ['stopInstance', 'banPlayer', 'runConsoleCommand', 'writeFile', 'deployMap'];
    for (const id of changesAtOnce) expect(published.operations.get(id)?.isDestructive).toBe(true);
  });

  it('describes all operations of the contract', () => {
    expect(published.operations.size).toBeGreaterThan(200);
    for (const operation of published.operations.values())
      expect(describeOperation(published, operation, 'https://x.example')).toContain(
        operation.path.split('{')[0],
      );
  });
});

describe('calling operations', () => {
  it('sends fields of path and body, with their types, and prints JSON', async () => {
    const cluster = (await cli.json(['api', createClusterId, '--name', 'From the shell'])) as {
      id: string;
      name: string;
    };
    expect(cluster.name).toBe('From the shell');
    const { body } = await world.call('get', `/api/fleet/clusters/${cluster.id}`, tenant.owner).expect(200);
    expect(body.name).toBe('From the shell');
  });

  it('filters by several values that are separated by commas', async () => {
    await cli.json(['api', createClusterId, '--name', 'Filtered']);
    const types = 'cluster.created,member.joined';
    const { data } = (await cli.json(['api', 'listEvents', '--type', types])) as { data: { type: string }[] };
    expect(new Set(data.map(({ type }) => type))).toEqual(new Set(types.split(',')));
    const repeated = await cli.run([
      'api',
      'listEvents',
      '--type',
      'cluster.created',
      '--type',
      'cluster.deleted',
    ]);
    expect(repeated).toMatchObject({ status: 2, stderr: expect.stringContaining('separated by commas') });
  });

  it('reads a body, or one field, from a file or from standard input', async () => {
    const file = join(cli.directory, 'cluster.json');
    writeFileSync(file, JSON.stringify({ name: 'From a file' }));
    expect((await cli.json(['api', createClusterId, '--body', `@${file}`])).name).toBe('From a file');
    const piped = await cli.run(['api', createClusterId, '--body', '-'], { input: '{"name":"From a pipe"}' });
    expect(JSON.parse(piped.stdout).name).toBe('From a pipe');
    const field = await cli.run(['api', createClusterId, '--name', '@-'], { input: 'From a field\n' });
    expect(JSON.parse(field.stdout).name).toBe('From a field');
    expect((await cli.json(['api', createClusterId, '--name', '@@home'])).name).toBe('@home');
  });

  it('walks through all pages with --all, and says where a table continues', async () => {
    const other = await world.createTenant();
    const { body } = await world
      .call('post', '/api/api-keys', other.owner)
      .send({ name: 'CLI', permissions: { 'fleet.view': true } })
      .expect(201);
    const environment = { GANTRY_API_KEY: (body as { key: string }).key };
    const names = Array.from({ length: 7 }, (_, index) => `Cluster ${index}`);
    for (const name of names) await createCluster(world, other, { name });
    const all = await cli.run(['api', listClusters, '--limit', '3', '--all'], { environment });
    expect((JSON.parse(all.stdout) as { name: string }[]).map(({ name }) => name).sort()).toEqual(names);
    const page = await cli.run(['api', listClusters, '--limit', '3', '--output', 'table'], { environment });
    expect(page.stdout).toMatch(/^ID +NAME/m);
    expect(page.stderr).toMatch(/More follow: add --all, or --cursor \S+/);
    const csv = await cli.run(['api', listClusters, '--all', '--output', 'csv', '--columns', 'name'], {
      environment,
    });
    expect(csv.stdout.split('\n').sort()).toEqual(['', ...names, 'name']);
  });

  it('prints chosen columns in every format, and refuses one that the result does not have', async () => {
    const { textOf } = await import('../../cli/src/output.ts');
    const page = { data: [{ id: 1, host: { name: 'a' }, cluster: null }], next_cursor: null };
    const columns = ['id', 'host.name', 'cluster.name'];
    expect(JSON.parse(textOf(page, { format: 'json', columns }))).toEqual({
      data: [{ id: 1, 'host.name': 'a', 'cluster.name': null }],
      next_cursor: null,
    });
    expect(JSON.parse(textOf({ id: 1, name: 'b' }, { format: 'json', columns: ['name'] }))).toEqual({
      name: 'b',
    });
    for (const format of ['table', 'json', 'csv'] as const)
      expect(() => textOf(page, { format, columns: ['id', 'hots.name'] })).toThrow(
        'The result has no column hots.name. It has id, host, cluster',
      );
  });

  it('refuses a column or a file for the result before a change is made', async () => {
    const before = (await cli.json(['api', listClusters, '--all'])) as unknown[];
    for (const [options, message] of [
      [['--columns', 'name,nope'], /no column nope\. It has id, .*Nothing was sent/],
      [['--columns', 'name.first'], /no column name\.first/],
      [['--save', join(cli.directory, 'missing/result.json')], /cannot be written.*Nothing was sent/],
      [['--save', cli.directory], /is a directory/],
    ] as const)
      expect(await cli.run(['api', createClusterId, '--name', 'Never made', ...options])).toMatchObject({
        status: 2,
        stdout: '',
        stderr: expect.stringMatching(message),
      });
    expect((await cli.json(['api', listClusters, '--all'])) as unknown[]).toHaveLength(before.length);
    const saved = join(cli.directory, 'result.json');
    await cli.run(['api', createClusterId, '--name', 'Saved', '--save', saved]);
    expect(JSON.parse(readFileSync(saved, 'utf8'))).toMatchObject({ name: 'Saved' });
  });

  it('prints the whole result of a change that lacks a column, with a warning', async () => {
    const document = readFileSync('generated/platform.openapi-3.1.json');
    const { server, url } = await listening((request, response) => {
      response
        .setHeader('Content-Type', 'application/json')
        .end(request.url === '/api/openapi.json' ? document : '{"id":"1"}');
    });
    const args = ['api', createClusterId, '--server', url, '--columns', 'name'];
    const run = await cli.run([...args, '--output', 'csv', '--body', '{"name":"A"}']);
    expect({ ...run, stdout: JSON.parse(run.stdout) }).toEqual({
      status: 0,
      stdout: { id: '1' },
      stderr: expect.stringMatching(/no column name.*has taken effect/),
    });
    server.close();
  });

  it('accepts every column that the example of a response has', async () => {
    const { Contract } = await import('../../cli/src/contract.ts');
    const { unknownColumns } = await import('../../cli/src/output.ts');
    const { columnsMissing } = await import('../../cli/src/result-columns.ts');
    const document = JSON.parse(readFileSync('generated/platform.openapi-3.1.json', 'utf8')) as object;
    const published = new Contract(document as never);
    const columnsIn = (value: unknown): string[] => {
      if (Array.isArray(value)) return value.flatMap(columnsIn);
      if (typeof value !== 'object' || value === null) return [];
      return Object.entries(value).flatMap(([name, each]) => [
        name,
        ...columnsIn(each).map((below) => `${name}.${below}`),
      ]);
    };
    let count = 0;
    for (const { operation } of operationsIn<OperationObject>(document)) {
      const media = preferredMedia(successOf(document, operation)?.response.content)?.media;
      const example = media && exampleOf(document, media);
      const rows =
        (example as { next_cursor?: unknown })?.next_cursor === undefined
          ? example
          : (example as { data?: unknown }).data;
      const names = columnsIn(rows);
      const { missing: unreachable } = unknownColumns(names, example);
      const columns = names.filter((name) => !unreachable.includes(name));
      const found = published.operations.get(operation.operationId ?? '');
      if (found === undefined) throw new Error(`${operation.operationId} is not in the contract`);
      const { missing } = columnsMissing(published, found, columns);
      expect({ id: found.id, missing }).toEqual({ id: found.id, missing: [] });
      count += columns.length;
    }
    expect(count).toBeGreaterThan(2000);
    const rotate = published.operations.get('rotateWebhookSecret');
    expect(rotate && columnsMissing(published, rotate, ['secrets', 'secret']).missing).toEqual(['secrets']);
  });

  it('takes plain text for every field whose schema accepts it', async () => {
    const { Contract } = await import('../../cli/src/contract.ts');
    const { argumentsFrom, isBinary } = await import('../../cli/src/values.ts');
    const document = JSON.parse(readFileSync('generated/platform.openapi-3.1.json', 'utf8')) as {
      components: object;
    };
    const published = new Contract(document as never);
    const ajv = createAjv(document);
    const within = (schema: unknown) =>
      JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"contract#/')) as Schema;
    const plain = [
      'foo',
      'some plain text',
      'a@example.com',
      'https://a.example/x',
      someId,
      '2026-01-31T00:00:00Z',
      '76561198000000001',
      '123456',
      '2026-01',
      '"3"',
      '0123456789abcdef'.repeat(4),
    ];
    const untested: string[] = [];
    let count = 0;
    for (const operation of published.operations.values())
      for (const field of operation.fields) {
        if (isBinary(field.schema)) continue;
        const accepts = ajv.compile(within(field.schema));
        const { example, examples = [], enum: values = [], default: usual } = published.merged(field.schema);
        const known = [example, ...examples, ...values, usual].filter((each) => typeof each === 'string');
        const { pattern, minLength = 0 } = published.merged(field.schema);
        const matching =
          pattern === undefined
            ? []
            : fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 10, seed: 1 });
        const texts = [...plain, ...known, ...matching, 'a'.repeat(minLength)].filter(
          (text) => accepts(text) && !/^[@[]|^-$/.test(text),
        );
        for (const text of texts) {
          const given = await argumentsFrom(published, operation, new Map([[field, [text]]]), {});
          const { [field.name]: value } = (
            field.place === 'body' ? given.body : given[field.place]
          ) as Record<string, unknown>;
          expect({ id: operation.id, name: field.name, value }).toEqual({
            id: operation.id,
            name: field.name,
            value: text,
          });
          count++;
        }
        if (texts.length === 0 && JSON.stringify(field.schema.type ?? '').includes('string'))
          untested.push(`${operation.id} ${field.name}`);
      }
    expect(untested).toEqual([]);
    expect(count).toBeGreaterThan(1000);
  });

  it('leaves values alone that look like options', async () => {
    const { stdout } = await cli.run(['api', createClusterId, '--name', '--Red_Zone', '--dry-run']);
    expect(stdout).toContain('{"name":"--Red_Zone"}');
  });

  it('shows its options with --help', async () => {
    for (const flag of ['--help', '-h'])
      expect(await cli.run(['api', flag])).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/^Usage: gantry api .*<operationId>/),
      });
    expect((await cli.run(['api', createClusterId, '--help'])).stdout).toContain('--name <value>');
  });

  it('never lets a name of a game server move the cursor, reorder text, or run in a spreadsheet', async () => {
    const hostile = '=cmd()\u001b[2Jgone\u202etxt';
    const output = await import('../../cli/src/output.ts');
    for (const format of ['table', 'json', 'csv'] as const) {
      const text = output.textOf([{ name: hostile }], { format });
      if (format !== 'csv') expect(text).not.toMatch(/[\u001b\u202e]/);
      if (format === 'csv') expect(text).toContain("'=cmd()");
    }
    expect(output.textOf({ name: hostile }, { format: 'table' })).toContain('\\u001b');
  });

  it('shows what a page has besides its entries, also if it has none', async () => {
    const page = await cli.run(['api', operationIdOf('get', '/api/public/status'), '--output', 'table']);
    expect(page.stdout).toMatch(/^platform +.*total_servers[^]*\n\nNo entries\.\n$/);
    const events = await cli.run([
      'api',
      operationIdOf('get', '/api/events'),
      '--limit',
      '1',
      '--output',
      'table',
    ]);
    expect(events.stdout).toMatch(/^stream_cursor +\S+\n\nID /);
  });

  it('prints curl with --dry-run, without the key, and sends nothing', async () => {
    const before = (await cli.json(['api', listClusters, '--all'])) as unknown[];
    const { stdout, status } = await cli.run(['api', createClusterId, '--name', "It's", '--dry-run']);
    expect(status).toBe(0);
    expect(stdout).not.toContain(key);
    expect((await cli.json(['api', listClusters, '--all'])) as unknown[]).toHaveLength(before.length);
    // The platform runs in this process, which must not block.
    const shell = await promisify(execFile)('bash', ['-c', `${stdout.trim()} -sS`], {
      env: { PATH: process.env['PATH'], GANTRY_API_KEY: key },
    });
    expect(JSON.parse(shell.stdout)).toMatchObject({ name: "It's" });
  });

  it('waits for a command with --wait, and exits with 8 when it fails', async () => {
    const { agent, instanceId } = await connectAcceptingAgent(world, tenant);
    let result: Parameters<typeof agent.finish>[1] = { detail: 'Runs with pid 1.' };
    agent.connection.subscribe(agent.subject('cmd.start'), {
      callback: (_error, message) => void agent.finish(message.json<{ id: string }>().id, result),
    });
    await agent.connection.flush();
    const done = await cli.run(['api', startInstance, '--instance-id', instanceId, '--wait', '60']);
    expect({ ...done, stdout: JSON.parse(done.stdout).status }).toEqual({
      status: 0,
      stdout: 'succeeded',
      stderr: '',
    });
    result = { status: 'failed', error_code: 'start_failed', detail: 'No such file.' };
    const failed = await cli.run(['api', startInstance, '--instance-id', instanceId, '--wait', '60']);
    expect(JSON.parse(failed.stdout).status).toBe('failed');
    expect(failed.status).toBe(8);
  });

  it('exits with 9 when the time of --wait runs out', async () => {
    const { instanceId } = await connectAcceptingAgent(world, tenant);
    const late = await cli.run(['api', startInstance, '--instance-id', instanceId, '--wait', '1']);
    expect(late.status).toBe(9);
    expect(late.stderr).toMatch(/was accepted, but was not finished after 1 s/);
  });
});

describe('errors', () => {
  it('shows problems with their code, detail, fields and request, and exits by kind', async () => {
    const missing = await cli.run(['api', getInstance, '--instance-id', someId]);
    expect(missing.status).toBe(5);
    expect(missing.stderr).toMatch(/\(not_found, 404\)\n {2}.+\n {2}Request \S+/);
    const invalid = await cli.run(['api', createClusterId, '--name', '']);
    expect(invalid.status).toBe(3);
    expect(invalid.stderr).toMatch(/\(validation_failed, 400\)\n {2}\/name: .+\n {2}Request \S+/);
    const weak = await cli.run(['api', operationIdOf('get', '/api/webhooks')]);
    expect(weak.status).toBe(4);
    const wrongKey = await cli.run(['api', listClusters], { environment: { GANTRY_API_KEY: 'wrong' } });
    expect(wrongKey.status).toBe(4);
    const json = await cli.run(['api', getInstance, '--instance-id', someId, '--output', 'json']);
    expect(JSON.parse(json.stderr)).toMatchObject({ code: 'not_found', status: 404 });
  });

  it.each([
    ['an unknown operation', ['api', 'startInstanc'], /Did you mean/],
    ['an unknown option', ['api', listClusters, '--nonsense', '1'], /unknown option '--nonsense'/],
    ['a missing field', ['api', startInstance], /needs instance_id/],
    ['a value of the wrong type', ['api', listClusters, '--limit', 'many'], /limit must be integer/],
    ['an empty segment', ['api', startInstance, '--instance-id', ''], /not a valid instance_id/],
    [
      'a segment that names another path',
      ['api', startInstance, '--instance-id', '..'],
      /not a valid instance_id/,
    ],
    ['a body that is not JSON', ['api', createClusterId, '--body', '{'], /not valid JSON/],
    ['no command', [], /Usage/],
  ])('exits with 2 for %s', async (_what, args, message) => {
    const { status, stderr } = await cli.run(args);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(message) });
  });

  it('exits with 7 when nothing listens, and does not follow a redirect with the key', async () => {
    const unreachable = await cli.run(['api', listClusters, '--server', 'http://127.0.0.1:9']);
    expect(unreachable.status).toBe(7);
    expect(unreachable.stderr).toMatch(/could not be reached/);
    const seen: (string | undefined)[] = [];
    const thief = await listening((request, response) => {
      seen.push(request.headers['x-api-key'] as string | undefined);
      response.end('{}');
    });
    const document = readFileSync('generated/platform.openapi-3.1.json');
    const redirecting = await listening((request, response) => {
      if (request.url === '/api/openapi.json')
        response.setHeader('Content-Type', 'application/json').end(document);
      else response.writeHead(307, { Location: `${thief.url}/` }).end();
    });
    const server = redirecting.url;
    const run = await cli.run(['api', listClusters, '--server', server]);
    expect(run.status).not.toBe(0);
    expect(seen).toEqual([]);
    thief.server.close();
    redirecting.server.close();
  });
});

it('keeps its stored contract where only its owner can read it', () => {
  expect(existsSync(join(cli.directory, 'cache/gantry'))).toBe(true);
});

describe('what takes long', () => {
  it('a timeout holds for a body that does not come', async () => {
    const { server, url } = await listening((request, response) => {
      if (request.url?.startsWith('/api/openapi') === true) {
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify(contract));
        return;
      }
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write('{');
    });
    const stalled = new Cli(url, { GANTRY_API_KEY: key });
    try {
      const run = await stalled.run(['api', operationIdOf('get', '/api/fleet/clusters'), '--timeout', '1']);
      expect(run).toMatchObject({ status: 7, stdout: '', stderr: expect.stringContaining('timeout') });
    } finally {
      stalled.close();
      server.closeAllConnections();
      server.close();
    }
  });

  it('events of a stream are printed as they come, until the timeout', async () => {
    const events = '/api/events';
    const { stream_cursor: start } = await cli.json([
      'api',
      operationIdOf('get', events),
      '--output',
      'json',
    ]);
    const name = 'Streamed';
    await createCluster(world, tenant, { name });
    const run = await cli.run([
      'api',
      operationIdOf('get', `${events}/stream`),
      ...['--cursor', start as string, '--type', 'cluster.*', '--timeout', '5'],
    ]);
    expect(run).toMatchObject({ status: 0, stderr: '' });
    const lines = run.stdout.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { data: object }).data)).toEqual([{ name }]);
  });
});
