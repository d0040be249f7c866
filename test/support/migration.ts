// Migration documents as tests create, send and read them.
import { createHash } from 'node:crypto';
import type { Test } from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { canonicalJson } from '../../src/values/canonical-json.ts';
import type { Member, World } from './world.ts';

type Schemas = components['schemas'];
export type Parts = Schemas['MigrationParts'];
export type Document = Schemas['MigrationDocument'];
export type Report = Schemas['MigrationReport'];

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
