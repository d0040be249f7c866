// Bodies that operations accept only with secrets and rows of their caller, for generated requests.
import { createSecret, hashSecret } from '../../src/secrets/random-secrets.ts';
import { createAgentKey } from './agent.ts';
import { createInvitation, platformRowsByName, rowsByName } from './rows.ts';
import { someSteamId } from './store.ts';
import type { components } from '../../generated/platform.d.ts';
import type { Tenant, World } from './world.ts';

export interface BodySource {
  world: World;
  tenant: Tenant;
  /** The password of the tenant's owner. */
  password: string;
  /** The ID of a row of the tenant. */
  rowOf: (name: string) => Promise<string>;
}

type MakeBody = (source: BodySource) => Promise<object>;

async function tokenIn(source: BodySource, insert: string, values: unknown[] = []): Promise<string> {
  const token = createSecret('gantry_generated_');
  await source.world.database.query(insert, [hashSecret(token), ...values]);
  return token;
}

/** By operation. */
export const validBodies: Readonly<Record<string, MakeBody>> = {
  signIn: async ({ tenant: { owner }, password }) => ({ email: owner.email, password }),
  startBrowserSession: async ({ tenant: { owner }, password }) => ({ email: owner.email, password }),
  stepUpSession: async ({ password }) => ({ password }),
  refreshSession: async ({ world, tenant: { owner }, password }) => {
    const { body } = await world.call('post', '/auth/login').send({ email: owner.email, password });
    const { session } = body as Partial<components['schemas']['SignInResult']>;
    return { refresh_token: session?.refresh_token ?? 'of-a-sign-in-that-failed' };
  },
  resetPassword: async (source) => ({
    password: 'another-long-generated-password',
    token: await tokenIn(
      source,
      `insert into password_token (token_hash, user_id, expires_at) select $1, id, now() + interval '1 hour'
       from user_account where email = $2`,
      [await source.world.createUser()],
    ),
  }),
  acceptInvitation: async (source) => {
    const id = await createInvitation(source.world, source.tenant);
    const token = await tokenIn(source, 'update invitation set token_hash = $1 where id = $2', [id]);
    return { token, password: 'another-long-generated-password' };
  },
  enrollHost: async (source) => ({
    code: await tokenIn(
      source,
      `insert into enrolment_code (code_hash, license_id, expires_at) values ($1, $2, now() + interval '1 hour')`,
      [source.tenant.license.id],
    ),
    public_key: createAgentKey().publicKey,
  }),
  confirmEarlyAccessSignup: async (source) => ({
    token: await tokenIn(
      source,
      `with signup as (insert into early_access_signup (email, server_count) values ($2, 1) returning email)
       insert into early_access_claim (token_hash, email, server_count, expires_at)
       select $1, email, 1, now() + interval '1 day' from signup`,
      [`claim-${createSecret('').toLowerCase()}@example.com`],
    ),
  }),
  placeOrder: async ({ rowOf }) => ({
    steam_id: someSteamId(),
    items: [{ item_id: await rowOf('item_id'), quantity: 1 }],
  }),
  simulatePayment: async () => ({ outcome: 'paid' }),
  simulateSandboxEvent: async () => ({ kind: 'order', payment: 'none' }),
};

/** The value with ids of the tenant's rows in place of those of an example. */
export async function withRows(value: unknown, rowOf: BodySource['rowOf']): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => withRows(item, rowOf)));
  if (typeof value !== 'object' || value === null) return value;
  const entries: [string, unknown][] = [];
  for (const [name, item] of Object.entries(value)) {
    const row = name.replace(/_ids$/, '_id');
    if (!(row in rowsByName) && !(row in platformRowsByName))
      entries.push([name, await withRows(item, rowOf)]);
    else if (Array.isArray(item)) entries.push([name, item.length === 0 ? [] : [await rowOf(row)]]);
    else entries.push([name, typeof item === 'string' ? await rowOf(row) : item]);
  }
  return Object.fromEntries(entries);
}
