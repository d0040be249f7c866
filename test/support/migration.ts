// Migration documents as tests create, send and read them.
import { createHash } from 'node:crypto';
import type { Test } from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { canonicalJson } from '../../src/values/canonical-json.ts';
import { createHost, createInstance, dumpLicense } from './rows.ts';
import type { Member, Tenant, World } from './world.ts';

type Schemas = components['schemas'];
export type Parts = Schemas['MigrationParts'];
export type Document = Schemas['MigrationDocument'];
export type Report = Schemas['MigrationReport'];

export const part = <Item>(...items: Item[]) => ({ version: 1 as const, items });

/** A document of these parts with the right checksum; `changes` replace fields of it before the checksum. */
export function documentOf(parts: unknown, changes: object = {}): Document {
  const content = {
    exported_at: '2026-11-21T10:00:00.000Z',
    format: 'gantry-migration',
    format_version: 1,
    parts,
    ...changes,
  };
  return { ...content, checksum: checksumOf(content) } as Document;
}

export const checksumOf = (content: object): string =>
  `sha256:${createHash('sha256').update(canonicalJson(content)).digest('hex')}`;

/** The complete body of the license's export. */
export async function exportText(world: World, by: { token: string }, query = ''): Promise<string> {
  const response = await fetch(`${world.url}/api/migration/export${query}`, {
    headers: { authorization: `Bearer ${by.token}` },
  });
  if (response.status !== 200) throw new Error(`the export returned ${response.status}`);
  return response.text();
}

export async function exported(world: World, by: { token: string }): Promise<Document> {
  return JSON.parse(await exportText(world, by)) as Document;
}

export const sendImport = (world: World, by: Member, body: object): Test =>
  world.call('post', '/api/migration/import', by).send(body);

/** Imports it and returns the report. */
export async function imported(world: World, by: Member, body: object): Promise<Report> {
  const { status, body: reply } = await sendImport(world, by, body);
  if (status !== 200) throw new Error(`the import returned ${status}: ${JSON.stringify(reply)}`);
  return reply as Report;
}

/** The numbers of a report: created, updated, unchanged and skipped of each part. */
export const countsOf = ({ parts }: Report): Record<string, number[]> =>
  Object.fromEntries(
    parts.map(({ part, created, updated, unchanged, skipped }) => [
      part,
      [created, updated, unchanged, skipped],
    ]),
  );

/** A license with a host `h1` that has instances `a` and `b`, and a host `h2` that has another `a`. */
export async function createMigrationFleet(
  world: World,
): Promise<Tenant & { ids: Record<'h1a' | 'h1b' | 'h2a', string> }> {
  const tenant = await world.createTenant();
  const [h1, h2] = [
    await createHost(world, tenant, { hostname: 'h1' }),
    await createHost(world, tenant, { hostname: 'h2' }),
  ];
  const ids = {
    h1a: await createInstance(world, tenant, { host_id: h1, name: 'a' }),
    h1b: await createInstance(world, tenant, { host_id: h1, name: 'b' }),
    h2a: await createInstance(world, tenant, { host_id: h2, name: 'a' }),
  };
  return { ...tenant, ids };
}

/** All rows of the license except the audit log and the stored idempotent responses. */
export async function migratedState(world: World, { license }: Tenant): Promise<unknown> {
  const { audit_entry: _log, idempotency_record: _answers, ...rows } = await dumpLicense(world, license.id);
  return rows;
}

/** Another license gets the same configuration from an export, and a second import of it changes nothing. */
export async function expectRoundTrip(world: World, parts: Parts): Promise<void> {
  const [one, other] = await Promise.all([createMigrationFleet(world), createMigrationFleet(world)]);
  await imported(world, one.owner, { document: documentOf(parts) });
  const document = await exported(world, one.owner);
  for (const [name, { items }] of Object.entries(parts))
    expect(document.parts[name as keyof Parts]?.items).toHaveLength(items.length);
  await imported(world, other.owner, { document });
  const state = await migratedState(world, other);
  const again = await imported(world, other.owner, { document });
  for (const { items } of again.parts) for (const { outcome } of items) expect(outcome).toBe('unchanged');
  expect(await migratedState(world, other)).toEqual(state);
  expect((await exported(world, other.owner)).parts).toEqual(document.parts);
}
