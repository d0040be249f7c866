// Enrolment of hosts with one-time codes, and the credential that each enrolled host has of its own.
import { fromSeed } from '@nats-io/nkeys';
import type { components } from '../../generated/platform.d.ts';
import { signerOf } from '../../src/services/agents/signed-tokens.ts';
import {
  connectBus,
  createAgentKey,
  openSession,
  type AgentKey,
  type AgentSession,
} from '../support/agent.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create();
  tenant = await world.createTenant();
});
afterAll(() => world.close());

const createCode = async (of = tenant): Promise<Schemas['EnrolmentCode']> =>
  (await world.call('post', '/api/fleet/enrolment-codes', of.owner).expect(201))
    .body as Schemas['EnrolmentCode'];

let hostCount = 0;
const newName = () => `enrolled-${++hostCount}`;

const trade = (code: string, hostname: string, { publicKey }: AgentKey) =>
  world.call('post', '/api/agent/enrolment').send({
    code,
    hostname,
    public_key: publicKey,
    agent_version: '0.0.0-test',
    platform: 'test',
  });

const traded = async (code: string, hostname: string, key: AgentKey) =>
  (await trade(code, hostname, key).expect(200)).body as Schemas['EnrolledHost'];

/** The token that the agent signs with its key. */
function tokenOf({ publicKey, seed }: AgentKey, atMs = Date.now()): string {
  const signed = `gantry-agent.${publicKey}.${Math.floor(atMs / 1000)}`;
  const signature = fromSeed(seed).sign(new TextEncoder().encode(signed));
  return `${signed.slice('gantry-agent.'.length)}.${Buffer.from(signature).toString('base64url')}`;
}

async function enrolled(of = tenant) {
  const key = createAgentKey();
  const hostname = newName();
  const { code } = await createCode(of);
  return { key, ...(await traded(code, hostname, key)) };
}

const expire = (code: Schemas['EnrolmentCode']) =>
  world.database.query('update enrolment_code set expires_at = now() where id = $1', [code.id]);

describe('createEnrolmentCode', () => {
  it('returns a code for 15 minutes, with a command for each system, and stores only its hash', async () => {
    const before = Date.now();
    const created = await createCode();
    expect(created).toEqual({
      id: expect.any(String),
      code: expect.stringMatching(/^gantry_enrol_[A-Za-z0-9_-]{43}$/),
      expires_at: expect.any(String),
      agent_version: null,
      commands: {
        linux: `curl -fsSL '${world.url}/install.sh' | sh -s -- ${created.code}`,
        windows: `& ([scriptblock]::Create((irm '${world.url}/install.ps1'))) ${created.code}`,
      },
    });
    const lifetimeMs = Date.parse(created.expires_at) - before;
    expect(lifetimeMs).toBeGreaterThan(14.9 * 60_000);
    expect(lifetimeMs).toBeLessThan(15.1 * 60_000);
    const rows = await world.database.query('select t::text from enrolment_code t where id = $1', [
      created.id,
    ]);
    expect(JSON.stringify(rows)).not.toContain(created.code);
    const audit = await world.database.query('select t::text from audit_entry t where license_id = $1', [
      tenant.license.id,
    ]);
    expect(JSON.stringify(audit)).toContain(created.id);
    expect(JSON.stringify(audit)).not.toContain(created.code.slice(-20));
  });

  it('refuses the hundred-and-first open code of a license', async () => {
    const busy = await world.createTenant();
    await world.database.query(
      `insert into enrolment_code (license_id, code_hash, expires_at)
       select $1, 'busy ' || n, now() + interval '1 minute' from generate_series(1, 100) n`,
      [busy.license.id],
    );
    const { body } = await world.call('post', '/api/fleet/enrolment-codes', busy.owner).expect(409);
    expect(body).toMatchObject({ code: 'limit_reached' });
  });
});

describe('enrollHost', () => {
  it('enrolls a host of the license of the code, whose agent then signs in without a companion token', async () => {
    const { key, hostname, host_id } = await enrolled();
    const { body: host } = await world.call('get', `/api/fleet/hosts/${host_id}`, tenant.owner).expect(200);
    expect(host).toMatchObject({ hostname, status: 'offline' });
    const { body } = await openSession(world, tokenOf(key), 'another-name', key.publicKey).expect(200);
    expect(body).toMatchObject({ host_id });
    const connection = await connectBus(world, body as AgentSession, key.seed);
    await connection.flush();
  });

  it('returns the same host when the same agent repeats it, and refuses every other agent', async () => {
    const [key, other] = [createAgentKey(), createAgentKey()];
    const hostname = newName();
    const { code } = await createCode();
    const first = await traded(code, hostname, key);
    expect(await traded(code, hostname, key)).toMatchObject({ host_id: first.host_id });
    for (const [name, by] of [
      [newName(), other],
      [hostname, other],
    ] as const) {
      const { body } = await trade(code, name, by).expect(401);
      expect(body).toMatchObject({
        code: 'invalid_enrolment_code',
        detail: expect.stringContaining('already enrolled a host'),
      });
    }
    const renamed = await trade(code, newName(), key);
    expect([401, 409]).toContain(renamed.status);
  });

  it('enrolls one host even if two agents use a code at once', async () => {
    const { code } = await createCode();
    const responses = await Promise.all([1, 2].map(() => trade(code, newName(), createAgentKey())));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  it('refuses a code that has expired, or that was never created', async () => {
    const created = await createCode();
    await expire(created);
    for (const [code, detail] of [
      [created.code, 'expired'],
      ['gantry_enrol_none', 'not issued'],
    ] as const) {
      const { body } = await trade(code, newName(), createAgentKey()).expect(401);
      expect(body).toMatchObject({ code: 'invalid_enrolment_code', detail: expect.stringContaining(detail) });
    }
  });

  it('leaves the code usable when the name belongs to another machine', async () => {
    const { hostname } = await enrolled();
    const { code } = await createCode();
    const key = createAgentKey();
    const { body } = await trade(code, hostname, key).expect(409);
    expect(body).toMatchObject({ code: 'hostname_taken' });
    await traded(code, newName(), key);
  });

  it('binds a host whose key was reset to the new key, and keeps its id', async () => {
    const { hostname, host_id, key } = await enrolled();
    await world.call('post', `/api/fleet/hosts/${host_id}/reset-key`, tenant.owner).expect(200);
    const next = createAgentKey();
    const { code } = await createCode();
    expect(await traded(code, hostname, next)).toMatchObject({ host_id });
    await openSession(world, tokenOf(next), hostname, next.publicKey).expect(200);
    await openSession(world, tokenOf(key), hostname, key.publicKey).expect(401);
  });

  it('refuses codes of a revoked license', async () => {
    const gone = await world.createTenant();
    const { code } = await createCode(gone);
    await world
      .call('patch', `/api/admin/licenses/${gone.license.id}`, world.admin)
      .send({ status: 'revoked' })
      .expect(200);
    const { body } = await trade(code, newName(), createAgentKey()).expect(403);
    expect(body).toMatchObject({ code: 'license_revoked' });
  });
});

describe("a host's own credential", () => {
  it('opens sessions of its own host only', async () => {
    const { key, hostname } = await enrolled();
    const sibling = await enrolled();
    await openSession(world, tokenOf(key), sibling.hostname, sibling.key.publicKey).expect(401);
    await openSession(world, tokenOf(key), hostname, createAgentKey().publicKey).expect(401);
    const { body } = await world.call('get', '/api/fleet/hosts', { token: tokenOf(key) });
    expect(body).toMatchObject({ code: 'forbidden' });
  });

  it('is not accepted from a host that was enrolled with the companion token', async () => {
    const key = createAgentKey();
    const hostname = newName();
    await openSession(world, tenant.license.companion_token, hostname, key.publicKey).expect(200);
    await openSession(world, tokenOf(key), hostname, key.publicKey).expect(401);
  });

  it('is void within a second after a reset: the connection ends, and no session is granted', async () => {
    const { key, hostname, host_id } = await enrolled();
    const { body } = await openSession(world, tokenOf(key), hostname, key.publicKey).expect(200);
    const connection = await connectBus(world, body as AgentSession, key.seed, { reconnect: false });
    await connection.flush();
    const closed = connection.closed();
    await world.call('post', `/api/fleet/hosts/${host_id}/reset-key`, tenant.owner).expect(200);
    const resetAt = Date.now();
    await openSession(world, tokenOf(key), hostname, key.publicKey).expect(401);
    await closed;
    expect(Date.now() - resetAt).toBeLessThan(1_000);
  });

  it('survives a rotation of the companion token, which it does not depend on', async () => {
    const own = await world.createTenant();
    const { key, hostname } = await enrolled(own);
    await world.call('post', '/api/license/rotate-companion-token', own.owner).send({}).expect(200);
    await openSession(world, tokenOf(key), hostname, key.publicKey).expect(200);
  });

  it('ends with the license', async () => {
    const own = await world.createTenant();
    const { key, hostname } = await enrolled(own);
    await world
      .call('patch', `/api/admin/licenses/${own.license.id}`, world.admin)
      .send({ status: 'revoked' })
      .expect(200);
    const { body } = await openSession(world, tokenOf(key), hostname, key.publicKey).expect(403);
    expect(body).toMatchObject({ code: 'license_revoked' });
  });

  it('ends with the host', async () => {
    const { key, hostname, host_id } = await enrolled();
    await world.call('delete', `/api/fleet/hosts/${host_id}`, tenant.owner).expect(204);
    await openSession(world, tokenOf(key), hostname, key.publicKey).expect(401);
  });
});

describe('a signed token', () => {
  const now = Date.UTC(2026, 10, 21);
  const key = createAgentKey();

  it.each([
    ['of now', 0, true],
    ['almost five minutes old', -299_000, true],
    ['from almost five minutes ahead', 299_000, true],
    ['older', -302_000, false],
    ['from further ahead', 302_000, false],
  ])('%s', (_what, offsetMs, isAccepted) => {
    expect(signerOf(tokenOf(key, now + offsetMs), now)).toBe(isAccepted ? key.publicKey : undefined);
  });

  it('counts only with the signature of its own key over its own time', () => {
    const token = tokenOf(key, now);
    const [publicKey = '', time = '', signature = ''] = token.split('.');
    const other = createAgentKey();
    const wrong = [
      [other.publicKey, time, signature],
      [publicKey, String(Number(time) + 1), signature],
      [publicKey, time, tokenOf(other, now).split('.')[2]],
      [publicKey, time, `${signature}=`],
      [`${publicKey.slice(0, -1)}${publicKey.endsWith('A') ? 'B' : 'A'}`, time, signature],
      [publicKey, time],
    ];
    for (const parts of wrong) expect(signerOf(parts.join('.'), now)).toBeUndefined();
    expect(signerOf('', now)).toBeUndefined();
  });
});

it('keeps admitting a host after housekeeping has deleted its code', async () => {
  const { key, hostname } = await enrolled();
  await world.database.query('delete from enrolment_code');
  await openSession(world, tokenOf(key), hostname, key.publicKey).expect(200);
});
