// The canonical form of migration documents, the order of their parts, and a part of an additional area.
import fc from 'fast-check';
import { pino } from 'pino';
import { connectDatabase, type DatabaseConnection } from '../../src/database/connection.ts';
import { Reader } from '../../src/database/reader.ts';
import { TenantScope } from '../../src/database/tenant-scope.ts';
import { Transactions } from '../../src/database/transactions.ts';
import type { Ctx } from '../../src/context.ts';
import { DomainError } from '../../src/errors.ts';
import type { AccessChanges } from '../../src/services/auth/access-changes.ts';
import type { LastingAccess } from '../../src/services/auth/access-recheck.ts';
import { canonicalJson } from '../../src/values/canonical-json.ts';
import { Migration } from '../../src/services/migration/index.ts';
import { importOrder, type MigrationPart } from '../../src/services/migration/part.ts';
import { migrationParts } from '../../src/services/migration/parts/index.ts';
import type { FilesOfKinds } from '../../src/services/plugin-configs/files-of-kind.ts';
import type { Webhooks } from '../../src/services/webhooks/index.ts';
import { patientLimits, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { documentOf, type Document } from '../support/migration.ts';

describe('canonical JSON', () => {
  it('matches the examples of RFC 8785', () => {
    const numbers = '[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001]';
    const text = `{"numbers":${numbers},"string":"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}`;
    expect(canonicalJson(JSON.parse(text))).toBe(
      `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA'B\\"\\\\\\\\\\"/"}`,
    );
    const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
    const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\u{1f600}', '\ufb33'];
    const written = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])));
    expect(
      [...written.matchAll(/"((?:[^"\\]|\\.)*)":0/g)].map(([, name]) => JSON.parse(`"${name}"`) as string),
    ).toEqual(sorted);
    expect(canonicalJson(-0)).toBe('0');
  });

  it('is the same for equal values in any order of fields, and loses nothing', () => {
    const turned = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(turned)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .toReversed()
                .map(([name, member]) => [name, turned(member)]),
            )
          : value;
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(turned(value))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('the order of parts', () => {
  const after = (...names: string[]) => ({ after: names }) as unknown as MigrationPart;

  it('puts each after those that it refers to', () => {
    expect(importOrder({ a: after('c'), b: after(), c: after('d', 'b'), d: after() })).toEqual([
      'd',
      'b',
      'c',
      'a',
    ]);
  });

  it('is rejected for circular references and for unknown parts', () => {
    expect(() => importOrder({ a: after('b'), b: after('c'), c: after('a') })).toThrow('refer to each other');
    expect(() => importOrder({ a: after('moon') })).toThrow('there is no part moon');
  });
});

/** The slogan of each cluster: an area that does not exist in the product. */
interface Slogan {
  cluster: string;
  text: string;
}

function toyPart(slogans: Map<string, Map<string, string>>): MigrationPart<Slogan> {
  const of = (licenseId: string) => slogans.get(licenseId) ?? new Map<string, string>();
  return {
    version: 3,
    after: ['clusters'],
    max: 10,
    permission: 'clusters.manage',
    page: async (queries, last, count) => {
      const license = await queries.selectFrom('license').select('id').executeTakeFirstOrThrow();
      return [...of(license.id)]
        .map(([cluster, text]) => ({ cluster, text }))
        .filter(({ cluster }) => last === undefined || cluster > last.cluster)
        .toSorted((a, b) => (a.cluster < b.cluster ? -1 : 1))
        .slice(0, count);
    },
    labelOf: ({ cluster }) => `Slogan of ${cluster}`,
    open: async ({ ctx, queries, planned }) => {
      const clusters = await queries.selectFrom('instance_cluster').select('name').execute();
      const known = new Set([...clusters.map(({ name }) => name), ...(planned.get('clusters') ?? [])]);
      const own = of(ctx.licenseId);
      slogans.set(ctx.licenseId, own);
      return {
        keyOf: ({ cluster }) => cluster,
        reasonToSkip: ({ cluster }) => (known.has(cluster) ? null : `There is no cluster ${cluster}.`),
        stored: ({ cluster }) => {
          const text = own.get(cluster);
          return text === undefined ? undefined : { cluster, text };
        },
        check: ({ text }) => {
          if (text === 'bad') throw new DomainError('validation_failed', 'That is not a slogan.');
        },
        apply: async (pending) => {
          for (const { item } of pending) own.set(item.cluster, item.text);
        },
        refusals: {},
      };
    },
  };
}

describe('a part of an additional area', () => {
  let database: TestDatabase;
  let connection: DatabaseConnection;
  let tenant: TenantScope;

  beforeAll(async () => {
    const log = pino({ level: 'silent' });
    database = await createTestDatabase();
    connection = await connectDatabase({ url: database.url, limits: patientLimits, poolSize: 2, log });
    tenant = new TenantScope(new Transactions(connection.orm, log), new Reader(connection.pool));
  });

  afterAll(async () => {
    await connection.close();
    await database.drop();
  });

  async function licenseNamed(name: string): Promise<Ctx> {
    const [row] = await database.query<{ id: string }>(
      'insert into license (key, name, subdomain, companion_token_hash) values ($1, $1, $1, $1) returning id',
      [name],
    );
    const id = row?.id ?? '';
    return {
      licenseId: id,
      license: { id, permissions: { '*': true } },
      principal: { kind: 'job' },
      actor: null,
      read: (work: never) => tenant.read(id, work),
      transact: (work: never) => tenant.transact(id, work),
    } as unknown as Ctx;
  }

  it('is exported, checked, compared and imported like every other', async () => {
    const needed = {
      changes: { announce: () => undefined } as unknown as AccessChanges,
      pluginFiles: {} as unknown as FilesOfKinds,
      pluginKinds: new Map(),
      webhooks: {} as unknown as Webhooks,
    };
    const access = { refuseEnded: async () => undefined } as unknown as LastingAccess;
    const parts = { ...migrationParts(needed), slogans: toyPart(new Map()) };
    const migration = new Migration(parts, access);
    const [one, other] = [await licenseNamed('one'), await licenseNamed('other')];
    const given = documentOf({
      clusters: { version: 1, items: [{ name: 'EU', description: null }] },
      slogans: {
        version: 3,
        items: [
          { cluster: 'EU', text: 'Sunny' },
          { cluster: 'Moon', text: 'Quiet' },
        ],
      },
    });
    const outcomes = async (ctx: Ctx, document: Document, more: object = {}) => {
      const { parts: plans, faults } = await migration.import(ctx, { document, dry_run: false, ...more });
      return [
        ...plans.flatMap(({ entries }) => entries.map(({ label, outcome }) => `${label}: ${outcome}`)),
        ...faults,
      ];
    };
    expect(await outcomes(one, given)).toEqual([
      'EU: created',
      'Slogan of EU: created',
      'Slogan of Moon: skipped',
    ]);
    let text = '';
    for await (const chunk of (await migration.export(one, {})).stream) text += String(chunk);
    const document = JSON.parse(text) as Document;
    expect(document.parts).toMatchObject({
      slogans: { version: 3, items: [{ cluster: 'EU', text: 'Sunny' }] },
    });
    expect(await outcomes(other, document)).toEqual(['EU: created', 'Slogan of EU: created']);
    expect(await outcomes(other, document)).toEqual(['EU: unchanged', 'Slogan of EU: unchanged']);
    const spoiled = documentOf({ slogans: { version: 3, items: [{ cluster: 'EU', text: 'bad' }] } });
    const fault = {
      pointer: '/document/parts/slogans/items/0',
      code: 'validation_failed',
      detail: 'That is not a slogan.',
    };
    expect(await outcomes(other, spoiled, { dry_run: true })).toEqual(['Slogan of EU: updated', fault]);
    await expect(outcomes(other, spoiled)).rejects.toThrow('That is not a slogan.');
  });
});
