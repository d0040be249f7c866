// The contract's examples as clients send them: each request succeeds on a prepared server.
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { components } from '../../generated/platform.d.ts';
import { AgentProcess } from '../agent/support/agent.ts';
import { sendBody } from '../support/bodies.ts';
import {
  alternativesOf,
  contract,
  operations,
  pathParametersOf,
  urlOf,
  type Body,
  type ContractOperation,
} from '../support/contract.ts';
import { credentialsFor, withRows } from '../support/example-requests.ts';
import { createInstance, createRow, namesWithoutRow, type Rows } from '../support/rows.ts';
import { follow } from '../support/schemas.ts';
import { createSandbox } from '../support/sandboxes.ts';
import { until } from '../support/until.ts';
import { password, World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

/**
 * Operations whose example cannot succeed unchanged: the reason, and its error code. This list only shrinks.
 */
const exceptions: Readonly<Record<string, readonly [code: string, reason: string]>> = {
  createFirstUser: ['already_set_up', 'A platform has its first user once.'],
  signInWithTotp: ['invalid_challenge', 'Takes what an earlier reply held.'],
  enrollHost: ['invalid_enrolment_code', 'Takes what an earlier reply held.'],
  updateAgents: ['no_agent_release', 'Needs a release; test/api/agent-updates.test.ts makes one.'],
  acceptInvitation: ['invalid_invitation', 'Takes what a mail holds.'],
  'stepUpSession 1': ['invalid_code', 'Takes what an app shows.'],
  placeOrder: ['not_found', 'Needs an open store; test/api/webstore-orders.test.ts buys.'],
  resetPassword: ['invalid_password_token', 'Takes what a mail holds.'],
  submitPaymentEvent: ['invalid_signature', 'Is signed by a payment provider.'],
  simulatePayment: ['not_found', 'Needs an order; test/api/webstore-orders.test.ts pays.'],
  simulateSubscriptionEvent: ['not_found', 'Needs a subscription that was begun.'],
  confirmEarlyAccessSignup: ['invalid_link', 'Takes what a mail holds.'],
  submitSubscriptionEvent: ['invalid_signature', 'Is signed by a payment provider.'],
  enableTotp: ['totp_not_set_up', 'Takes what an app shows.'],
  disableTotp: ['totp_not_on', 'Takes what an app shows.'],
  'replayWebhook 1': ['validation_failed', 'Is sent with a time too, which the other example needs.'],
  uploadMap: ['invalid_map', 'Takes a map, which is not a text.'],
};

/** Values that only the caller knows. */
const ownSecrets: Readonly<Record<string, ({ owner }: Tenant) => object>> = {
  signIn: ({ owner: { email } }) => ({ email, password }),
  stepUpSession: () => ({ password }),
  refreshSession: ({ owner: { session } }) => ({ refresh_token: session.refresh_token }),
  startBrowserSession: ({ owner: { session } }) => ({ refresh_token: session.refresh_token }),
  changePassword: () => ({ current_password: password }),
  // A time that the log still has, and a type that the webhook gets.
  replayWebhook: () => ({ from: new Date(Date.now() - 3_600_000).toISOString(), events: ['host.offline'] }),
};

let world: World;
let agent: AgentProcess;
/** A license with a real agent and real files. */
let tenant: Tenant;
let known: Rows;

beforeAll(async () => {
  world = await World.create({ heartbeatIntervalSeconds: 2 });
  tenant = await world.createTenant();
  agent = new AgentProcess(await mkdtemp(join(tmpdir(), 'gantry-examples-')));
  const { directory: root } = agent;
  writeExampleFiles(root);
  agent.configure([{ game: 'rust', cwd: root, root, webrcon: { port: 1, password_file: 'password' } }]);
  agent.start({ GANTRY_URL: world.url, GANTRY_COMPANION_TOKEN: tenant.license.companion_token });
  const instance = await until(async () => {
    const { body } = await world.call('get', '/api/fleet/instances', tenant.owner);
    return (body as Schemas['GameInstancePage']).data.find(({ state }) => state !== 'offline');
  }, 'the instance').catch((error: unknown) => {
    throw new Error(agent.output, { cause: error });
  });
  const mapId = await createRow('map_id', world, tenant, {});
  await world.call('patch', `/api/maps/${mapId}`, tenant.owner).send({ is_public: true }).expect(200);
  // The caller's own license is unaffected by anything that an example does to that one.
  const other = await world.createTenant();
  known = {
    host_id: instance.host_id,
    instance_id: instance.id,
    map_id: mapId,
    license_id: other.license.id,
  };
  await world
    .call('post', '/api/modules/purchase', tenant.owner)
    .send({ module: 'player-insights' })
    .expect(201);
});
afterAll(async () => {
  await agent.end('SIGKILL');
  await rm(agent.directory, { recursive: true, force: true });
  await world.close();
});

/** The objects that the examples of imports and of files refer to. */
function writeExampleFiles(root: string): void {
  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const { body } of operations.filter(({ id }) => id === 'importPluginConfigFromFiles'))
    for (const { file, content } of (
      body?.types[0]?.examples[0] as Schemas['PluginConfigFileImport'] | undefined
    )?.files ?? [])
      put(`oxide/${file}`, content);
  put('oxide/config/Kits.json', '{}');
  mkdirSync(join(root, 'oxide/plugins'), { recursive: true });
}

/** The example with secrets of the caller, and about rows that exist. */
function prepared(operation: ContractOperation, example: unknown, tenant: Tenant, known: Rows) {
  const value = structuredClone(example);
  if (operation.id in ownSecrets) Object.assign(value as object, ownSecrets[operation.id]?.(tenant));
  return withRows(operation, value, world, tenant, known);
}

/** Areas and operations whose examples share names; each request has a license of its own. */
const apart = new Set([
  'managed-instances',
  'roles',
  'webstore-items',
  'purchaseModule',
  ...Object.keys(ownSecrets),
]);

async function send(operation: ContractOperation, body: Body, example: unknown) {
  const isApart = [operation.id, operation.area].some((name) => apart.has(name));
  const caller = isApart ? await world.createTenant() : tenant;
  if (operation.area === 'sandbox') return sendFromSandbox(operation, body, example);
  let rows: Record<string, string> = isApart ? {} : { ...known };
  // One wipe at a time, and no existing file.
  if (operation.id === 'wipeInstance') rows = { map_id: known['map_id'] ?? '' };
  if (operation.id === 'runConsoleCommand')
    rows = { instance_id: await createInstance(world, caller, { state: 'running' }) };
  for (const { name } of pathParametersOf(operation))
    if (!namesWithoutRow.has(name)) rows[name] ??= await createRow(name, world, caller, rows);
  const values = operation.id === 'uploadFile' ? { ...rows, path: 'oxide/uploaded.zip' } : rows;
  const request = world
    .call(operation.method, urlOf(operation, values))
    .set(await credentialsFor(operation, world, caller));
  return sendBody(request, body, await prepared(operation, example, caller, rows));
}

/** Operations on sandboxes need one; the example that creates one shows what the others call with. */
async function sendFromSandbox(operation: ContractOperation, body: Body, example: unknown) {
  const request = world.call(operation.method, urlOf(operation, {}));
  if (alternativesOf(operation).length > 0) {
    const { made } = await createSandbox(world);
    void request.set('X-Api-Key', made.api_key);
  }
  return sendBody(request, body, example);
}

const requests = operations.flatMap((operation) =>
  (operation.body?.types ?? []).flatMap((body) =>
    body.examples.map((example, index) => ({
      id: operation.id,
      index,
      operation,
      body,
      example,
      exception: exceptions[operation.id] ?? exceptions[`${operation.id} ${index}`],
    })),
  ),
);

it.each(requests.filter(({ exception }) => exception === undefined))(
  '$id succeeds with its example $index',
  async ({ operation, body, example }) => {
    const response = await send(operation, body, example);
    expect({
      status: response.status < 300,
      body: response.status < 300 || (response.body as unknown),
    }).toEqual({
      status: true,
      body: true,
    });
  },
);

it.each(requests.filter(({ exception }) => exception !== undefined))(
  '$id is rejected with its example $index, for the documented reason',
  async ({ operation, body, example, exception }) => {
    const response = await send(operation, body, example);
    const { code } = response.body as Schemas['Problem'];
    expect(code).toBe(exception?.[0]);
  },
);

it('lists exceptions only for operations with an example', () => {
  const ids = new Set(requests.flatMap(({ id, index }) => [id, `${id} ${index}`]));
  expect(Object.keys(exceptions).filter((id) => !ids.has(id))).toEqual([]);
});

it('prefills no optional parameter, so that nothing is filtered or rejected by default', () => {
  const { schemas } = contract.components;
  const prefilled = operations.flatMap(({ id, parameters }) =>
    parameters.flatMap(({ name, required, schema, example }) => {
      const followed = follow(schema, schemas);
      const items = follow((followed as { items?: typeof schema }).items ?? {}, schemas);
      const shown = [example, followed.example, items.example].some((value) => value !== undefined);
      return required !== true && shown ? [`${id} ${name}`] : [];
    }),
  );
  expect(prefilled).toEqual([]);
});
