// Every operation that changes what a license holds records an event. operation-events.txt has what was observed.
import { createAgentKey } from '../support/agent.ts';
import { makeRelease } from '../support/agent-release.ts';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Response, Test } from 'supertest';
import { hashSecret } from '../../src/secrets/random-secrets.ts';
import { sendBody } from '../support/bodies.ts';
import { operations, pathParametersOf, root, urlOf, type ContractOperation } from '../support/contract.ts';
import { credentialsFor, withRows } from '../support/example-requests.ts';
import { mapFile } from '../support/map-file.ts';
import {
  createCommand,
  createHost,
  createInstance,
  createInvitation,
  createModuleSubscription,
  createPluginApplication,
  createRow,
  namesWithoutRow,
  type Rows,
} from '../support/rows.ts';
import { askAt, createSandbox, runningServer, type TestSandbox } from '../support/sandboxes.ts';
import { buying, openStore, sell, someSteamId, storePath } from '../support/store.ts';
import { World, type Tenant } from '../support/world.ts';

const update = 'UPDATE_OPERATION_EVENTS=1 npm test -- test/contract/operation-events';
const file = resolve(root, 'test/contract/operation-events.txt');

const heading = `Which events the request of an operation records, as observed. What an agent or a job does later has further events.
Operations without events are in test/contract/operation-events.test.ts, each with its reason. After a deliberate change, read
the difference and update the table: ${update}
`;

/** Operations that record no event, by the reason. */
const withoutEvents: Readonly<Record<string, readonly string[]>> = {
  'Changes a user and no license.': [
    'changePassword',
    'createFirstUser',
    'disableTotp',
    'enableTotp',
    'endBrowserSession',
    'refreshBrowserSession',
    'refreshSession',
    'requestPasswordReset',
    'resetPassword',
    'revokeOtherSessions',
    'revokeSession',
    'setUpTotp',
    'signIn',
    'signInWithTotp',
    'signOut',
    'startBrowserSession',
    'stepUpSession',
    'switchLicense',
    'updateUser',
  ],
  'Changes the platform and no license.': [
    'confirmEarlyAccessSignup',
    'createCatalogModule',
    'createReleaseNote',
    'createReseller',
    'deleteDeadJob',
    'deleteReleaseNote',
    'retryDeadJob',
    'rotateResellerKey',
    'signUpForEarlyAccess',
    'updateCatalogModule',
    'updateReleaseNote',
    'updateReseller',
  ],
  'Changes files on a host, which the audit log has.': [
    'createDirectory',
    'deleteFile',
    'renameFile',
    'uploadFile',
    'writeFile',
  ],
  'Changes nothing.': ['createConsoleTicket', 'previewPluginConfig', 'validatePluginConfig'],
  'Sends tests, or what has its event already.': [
    'recoverWebhook',
    'replayWebhook',
    'resendWebhookDelivery',
    'testNotificationChannel',
    'testWebhook',
  ],
  'Is a signed report of a payment provider, with the consequences of simulatePayment and simulateSubscriptionEvent.':
    ['submitPaymentEvent', 'submitSubscriptionEvent'],
  'Moves only the clock; what happens meanwhile has its events.': ['advanceSandboxClock'],
  'Deletes the license with its log.': ['deleteSandbox'],
};

let world: World;
let release: string;

beforeAll(async () => {
  release = await makeRelease('9.0.0');
  world = await World.create({ agentReleaseDirectory: release });
  await world.database.query('create table observed_event (operation text not null, type text not null)');
  await world.database.query(`
    create function observe_event() returns trigger language plpgsql security definer as $$
    begin
      insert into observed_event
      select operation, new.type
      from (select nullif(current_setting('app.attribution', true), '')::jsonb ->> 'operation' as operation) as request
      where operation is not null;
      return null;
    end $$`);
  await world.database.query(
    'create trigger observed after insert on event_draft for each row execute function observe_event()',
  );
});
afterAll(async () => {
  await world.close();
  await rm(release, { recursive: true, force: true });
});

/** The types that requests of the operation have recorded so far. */
async function observed(operation: string): Promise<string[]> {
  const rows = await world.database.query<{ type: string }>(
    'select distinct type from observed_event where operation = $1 order by 1',
    [operation],
  );
  return rows.map(({ type }) => type);
}

const owning = (tenant: Tenant, method: 'post' | 'put' | 'delete', path: string): Test =>
  world.call(method, path, tenant.owner);

let opened: Promise<TestSandbox> | undefined;

/** The sandbox whose simulated host takes part in requests; its first server runs again if a test has reset it. */
async function simulated(): Promise<TestSandbox> {
  const sandbox = await (opened ??= createSandbox(world));
  await runningServer(world, sandbox);
  return sandbox;
}

const playerEvent = () => ({
  instance: 'main',
  steam_id: someSteamId(),
  display_name: 'Aster',
  event: 'join',
  occurred_at: new Date().toISOString(),
  event_id: randomUUID(),
});

async function reportPlayer(tenant: Tenant, path: string, body: object): Promise<Response> {
  await createInstance(world, tenant, { name: 'main' });
  return world.call('post', path).set('X-License-Key', tenant.license.key).send(body);
}

/** An order in an open store. */
async function ordered(tenant: Tenant): Promise<string> {
  await openStore(world, tenant);
  const { id } = await sell(world, tenant);
  const { body } = await buying(world, tenant, [{ item_id: id, quantity: 1 }]).expect(201);
  return (body as { id: string }).id;
}

const stripe = { secret_key: 'rk_test_of_a_store', webhook_secret: 'whsec_of_a_store_that_is_long' };

/** Requests of operations that need more than an example and rows. */
const prepared: Readonly<Record<string, (tenant: Tenant) => Promise<Response>>> = {
  acceptInvitation: async (tenant) => {
    const email = await world.createUser('invited');
    await createInvitation(world, tenant, { email, token_hash: hashSecret('a token of an invitation') });
    return world.call('post', '/auth/invitations/accept').send({ token: 'a token of an invitation' });
  },
  cancelCommand: async (tenant) => {
    const command = await createCommand(world, tenant, { status: 'queued' });
    return owning(tenant, 'post', `/api/commands/${command}/cancel`);
  },
  cancelStoreSubscription: async (tenant) => {
    await openStore(world, tenant);
    return owning(tenant, 'post', '/api/webstore/subscription/cancel');
  },
  clearPlayerCommands: async (tenant) => {
    const instance = await createInstance(world, tenant);
    await createPluginApplication(world, tenant, {
      instance_id: instance,
      status: 'succeeded',
      finished_at: new Date(),
      player_commands: { join: ['say hello'] },
    });
    return owning(tenant, 'delete', `/api/instances/${instance}/player-commands`);
  },
  disconnectStripe: async (tenant) => {
    await owning(tenant, 'put', '/api/webstore/providers/stripe').send(stripe).expect(200);
    return owning(tenant, 'delete', '/api/webstore/providers/stripe');
  },
  importPluginConfigFromServer: async () => {
    const sandbox = await simulated();
    await askAt(world.url, sandbox, 'put', `/api/instances/${sandbox.main}/files/content`)
      .query({ path: 'oxide/config/GatherManager.json' })
      .send({ content: '{ "Options": { "GatherResourceModifiers": { "*": 1.0 } } }' })
      .expect(200);
    return askAt(world.url, sandbox, 'post', '/api/plugin-configs/gather/import-from-server').send({
      name: 'As it is',
      instance_id: sandbox.main,
    });
  },
  installModule: async (tenant) => {
    const instance_id = await createInstance(world, tenant);
    await owning(tenant, 'post', '/api/modules/purchase').send({ module: 'player-insights' }).expect(201);
    return owning(tenant, 'post', '/api/modules/install').send({ module: 'player-insights', instance_id });
  },
  installPlugin: async () => {
    const sandbox = await simulated();
    return askAt(world.url, sandbox, 'put', `/api/instances/${sandbox.main}/plugins/Hello`)
      .set('Content-Type', 'application/octet-stream')
      .send(Buffer.from('class Hello : RustPlugin {}'));
  },
  leaveTeam: async (tenant) => {
    const member = await world.addMember(tenant, 'Viewer');
    return world.call('delete', '/api/team/membership', member);
  },
  placeOrder: async (tenant) => {
    await openStore(world, tenant);
    const { id } = await sell(world, tenant);
    return buying(world, tenant, [{ item_id: id, quantity: 1 }]);
  },
  reactivateModuleSubscription: async (tenant) => {
    const ends_at = new Date(Date.now() + 24 * 3_600_000);
    const id = await createModuleSubscription(world, tenant, {
      status: 'cancelled',
      ends_at,
      period_end: ends_at,
    });
    return owning(tenant, 'post', `/api/modules/subscriptions/${id}/reactivate`);
  },
  enrollHost: async (tenant) => {
    const { body } = await owning(tenant, 'post', '/api/fleet/enrolment-codes').expect(201);
    const { code } = body as { code: string };
    const { publicKey } = createAgentKey();
    const host = { hostname: 'enrolled', public_key: publicKey, agent_version: '0.1.0', platform: 'test' };
    return world.call('post', '/api/agent/enrolment').send({ code, ...host });
  },
  updateAgents: async (tenant) => {
    await createHost(world, tenant, { platform: 'linux-x64', agent_version: '0.1.0' });
    return owning(tenant, 'post', '/api/fleet/agent-updates').send({});
  },
  resetSandbox: async () => askAt(world.url, await simulated(), 'post', '/api/sandbox/reset'),
  runConsoleCommand: async () => {
    const sandbox = await simulated();
    return askAt(world.url, sandbox, 'post', `/api/instances/${sandbox.main}/console`).send({
      line: 'status',
    });
  },
  simulatePayment: async (tenant) => {
    const path = `${storePath(tenant)}/orders/${await ordered(tenant)}/sandbox`;
    return world.call('post', path).send({ outcome: 'paid' });
  },
  simulateSandboxEvent: async () =>
    askAt(world.url, await simulated(), 'post', '/api/sandbox/events').send({ kind: 'order' }),
  simulateSubscriptionEvent: async (tenant) => {
    await owning(tenant, 'post', '/api/webstore/subscription/create').expect(201);
    return owning(tenant, 'post', '/api/webstore/subscription/sandbox').send({ status: 'active' });
  },
  submitPlayerEvent: (tenant) => reportPlayer(tenant, '/api/plugin/player-event', playerEvent()),
  submitPlayerEvents: (tenant) =>
    reportPlayer(tenant, '/api/plugin/player-events', { events: [playerEvent()] }),
  uploadMap: async (tenant) =>
    owning(tenant, 'post', '/api/maps').field('name', 'Five islands').attach('file', mapFile(), 'a.map'),
};

/** The operation's first example, about rows of the tenant. */
async function exampleOf(operation: ContractOperation, tenant: Tenant): Promise<Response> {
  let rows: Rows = {};
  for (const { name } of pathParametersOf(operation))
    if (!namesWithoutRow.has(name)) rows = { [name]: await createRow(name, world, tenant, rows), ...rows };
  const request = world
    .call(operation.method, urlOf(operation, rows))
    .set(await credentialsFor(operation, world, tenant));
  const [body] = operation.body?.types ?? [];
  if (body === undefined) return request;
  return sendBody(request, body, await withRows(operation, body.examples[0], world, tenant, rows));
}

const changing = operations.filter(({ method }) => method !== 'get').sort((a, b) => (a.id < b.id ? -1 : 1));
const reasons = new Map(
  Object.entries(withoutEvents).flatMap(([reason, ids]) => ids.map((id) => [id, reason] as const)),
);
const recording = changing.filter(({ id }) => !reasons.has(id));
const found = new Map<string, string[]>();

it.each(recording)('$id records an event', async (operation) => {
  const tenant = await world.createTenant();
  const { id } = operation;
  const { status, body } = (await prepared[id]?.(tenant)) ?? (await exampleOf(operation, tenant));
  const types = await observed(id);
  found.set(id, types);
  expect({ body: status < 300 || (body as unknown), isRecorded: types.length > 0 }).toEqual({
    body: true,
    isRecorded: true,
  });
});

function table(): string {
  const width = Math.max(...changing.map(({ id }) => id.length));
  const lines = recording.map(({ id }) => `${id.padEnd(width)}  ${found.get(id)?.join(', ') ?? ''}`);
  return `${heading}\n${lines.join('\n')}\n`;
}

it(`records the types of the table; after a deliberate change run ${update}`, () => {
  const now = table();
  if (process.env['UPDATE_OPERATION_EVENTS'] === '1') writeFileSync(file, now);
  expect(now).toBe(readFileSync(file, 'utf8'));
});

it('names only operations that change something', () => {
  const ids = new Set(changing.map(({ id }) => id));
  expect([...reasons.keys(), ...Object.keys(prepared)].filter((id) => !ids.has(id))).toEqual([]);
  expect(Object.keys(prepared).filter((id) => reasons.has(id))).toEqual([]);
});

/** Changes of rows that the audit log has, and that record no event themselves, by the reason. */
const withoutRules: Readonly<Record<string, readonly string[]>> = {
  'Happens only with the license or the instance.': [
    'alert_config delete',
    'api_key delete',
    'backup_policy delete',
    'license delete',
    'module_purchase delete',
    'module_purchase update',
    'site_config delete',
    'site_listing delete',
    'store_config delete',
    'subscription delete',
  ],
  'Deletes what is past, long after the event of its end.': [
    'invitation delete',
    'plugin_application delete',
  ],
  'Belongs to a command, whose events are those of the change.': [
    'map_deployment delete',
    'map_deployment insert',
    'map_deployment update',
    'module_installation delete',
    'module_installation insert',
    'module_installation update',
  ],
  'Enrolls a host, whose event it is.': ['enrolment_code update'],
  'Recorded by the service, which knows whether keys were replaced.': [
    'store_account delete',
    'store_account insert',
    'store_account update',
  ],
  'Simulation and repetition, as with the operations above.': [
    'sandbox delete',
    'sandbox insert',
    'sandbox update',
    'webhook_replay insert',
  ],
};

it('every change that the audit log has records an event, or has a reason', async () => {
  const changes = await world.database.query<{ change: string }>(`
    with watched as (
      select tgrelid, tgname, action from pg_trigger, (values ('insert', 4), ('update', 16), ('delete', 8)) as known (action, bit)
      where tgtype & bit <> 0 and (tgname = 'audited' or tgname like 'events_recorded_%')
    )
    select relname || ' ' || action as change from watched join pg_class on pg_class.oid = tgrelid
    where tgname = 'audited' and exists (select from pg_attribute
        where attrelid = tgrelid and (attname = 'license_id' or relname = 'license'))
      and not exists (select from watched as recorded
        where recorded.tgrelid = watched.tgrelid and recorded.action = watched.action and tgname <> 'audited')
    order by 1`);
  expect(changes.map(({ change }) => change)).toEqual(Object.values(withoutRules).flat().sort());
});
