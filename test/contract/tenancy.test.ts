// Separation of licenses: policies and privileges of the migrated database, and attempts to bypass them.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import {
  connectDatabase,
  type DatabaseConnection,
  type EntityManager,
} from '../../src/database/connection.ts';
import { PlatformScope, type PlatformAccess } from '../../src/database/platform-scope.ts';
import { Reader, type Queries } from '../../src/database/reader.ts';
import { TenantScope } from '../../src/database/tenant-scope.ts';
import { queriesOf, Transactions } from '../../src/database/transactions.ts';
import { AgentHost, GameInstance, InstanceCluster } from '../../src/entities/index.ts';
import { patientLimits, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { someId } from '../support/contract.ts';

const poolSize = 4;

/** Tables without a license_id that the tenant role may use, with the allowed actions. */
const openToTenants = ['license select', 'module select'];

const currentLicense = `(NULLIF(current_setting('app.license_id'::text, true), ''::text))::uuid`;

interface Seed {
  licenseId: string;
  hostId: string;
  instanceId: string;
  clusterId: string;
}

let database: TestDatabase;
let connection: DatabaseConnection;
let transactions: Transactions;
let reader: Reader;
let tenant: TenantScope;
let platform: PlatformScope;
let a: Seed;
let b: Seed;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = await connectDatabase({
    url: database.url,
    limits: patientLimits,
    poolSize,
    log: pino({ level: 'silent' }),
  });
  transactions = new Transactions(connection.orm, pino({ level: 'silent' }));
  reader = new Reader(connection.pool);
  tenant = new TenantScope(transactions, reader);
  platform = new PlatformScope(transactions, reader);
  [a, b] = [await seed('a'), await seed('b')];
});

afterAll(async () => {
  await connection.close();
  await database.drop();
});

async function seed(name: string): Promise<Seed> {
  const insert = async (sql: string, values: unknown[]) => {
    const [row] = await database.query<{ id: string }>(`${sql} returning id`, values);
    return row?.id ?? '';
  };
  const licenseId = await insert(
    'insert into license (key, name, subdomain, companion_token_hash) values ($1, $1, $1, $1)',
    [name],
  );
  const hostId = await insert(
    `insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key) values ($1, $2, 't', 't', $2)`,
    [licenseId, name],
  );
  const instanceId = await insert(
    'insert into game_instance (license_id, host_id, name) values ($1, $2, $3)',
    [licenseId, hostId, name],
  );
  const clusterId = await insert('insert into instance_cluster (license_id, name) values ($1, $2)', [
    licenseId,
    name,
  ]);
  return { licenseId, hostId, instanceId, clusterId };
}

async function tenantTables(): Promise<{ name: string; isPartition: boolean }[]> {
  return database.query(
    `select c.relname as name, c.relispartition as "isPartition" from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'license_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`,
  );
}

describe('every table with a license_id', () => {
  it('has row level security and exactly the one policy, for reading and for writing', async () => {
    const tables = (await tenantTables()).filter(({ isPartition }) => !isPartition);
    expect(tables.length).toBeGreaterThanOrEqual(9);
    const policies = await database.query(
      `select c.relname as table, c.relrowsecurity as enabled, p.polname as policy, p.polcmd as command,
         p.polpermissive as permissive, p.polroles::text as roles,
         pg_get_expr(p.polqual, c.oid) as reading, pg_get_expr(p.polwithcheck, c.oid) as writing
       from pg_class c left join pg_policy p on p.polrelid = c.oid and p.polroles = '{0}' where c.relname = any($1) order by 1`,
      [tables.map(({ name }) => name)],
    );
    const rule = `(license_id = ${currentLicense})`;
    expect(policies).toEqual(
      tables.map(({ name }) => ({
        table: name,
        enabled: true,
        policy: 'tenant',
        command: '*',
        permissive: true,
        roles: '{0}',
        reading: rule,
        writing: rule,
      })),
    );
  });

  /** Their rows are written by the database itself, and some belong to no license. */
  const alsoOfThePlatform = /^audit_entry/;

  it('fills the column by itself and never leaves it empty', async () => {
    const columns = await database.query(
      `select table_name, is_nullable, column_default from information_schema.columns
       where table_schema = 'public' and column_name = 'license_id' order by 1`,
    );
    const faulty = columns.filter(
      ({ table_name, is_nullable, column_default }) =>
        !alsoOfThePlatform.test(String(table_name)) &&
        (is_nullable !== 'NO' || column_default !== currentLicense),
    );
    expect(faulty).toEqual([]);
  });

  it('has row level security on each of its partitions, and no grant on them', async () => {
    const partitions = await database.query<{ relname: string }>(
      `select relname, relrowsecurity as enabled,
         has_table_privilege('gantry_tenant', oid, 'select, insert, update, delete') as open
       from pg_class where relispartition and relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    expect(partitions.length).toBeGreaterThanOrEqual(3);
    expect(partitions).toEqual(partitions.map(({ relname }) => ({ relname, enabled: true, open: false })));
  });

  it('refers to other rows of a license with the license in the key', async () => {
    const lax = await database.query(
      `select con.conrelid::regclass::text as from, con.confrelid::regclass::text as to
       from pg_constraint con
       join pg_attribute target on target.attrelid = con.confrelid and target.attname = 'license_id'
       join pg_attribute own on own.attrelid = con.conrelid and own.attname = 'license_id'
       where con.contype = 'f' and not (target.attnum = any(con.confkey) and own.attnum = any(con.conkey))`,
    );
    expect(lax).toEqual([]);
  });
});

describe('the license table', () => {
  it('shows a tenant its own row', async () => {
    const policies = await database.query(
      `select c.relrowsecurity as enabled, pg_get_expr(p.polqual, c.oid) as reading, pg_get_expr(p.polwithcheck, c.oid) as writing
       from pg_class c left join pg_policy p on p.polrelid = c.oid and p.polroles = '{0}' where c.relname = 'license'`,
    );
    const rule = `(id = ${currentLicense})`;
    expect(policies).toEqual([{ enabled: true, reading: rule, writing: rule }]);
    const seen = await tenant.read(a.licenseId, (queries) =>
      queries.selectFrom('license').select('id').execute(),
    );
    expect(seen).toEqual([{ id: a.licenseId }]);
  });
});

describe('the tenant role', () => {
  it('can neither sign in nor bypass policies, and is a member of no role', async () => {
    const [role] = await database.query(
      `select rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls,
         (select count(*)::int from pg_auth_members where member = r.oid) as memberships
       from pg_roles r where rolname = 'gantry_tenant'`,
    );
    expect(role).toEqual({
      rolsuper: false,
      rolinherit: true,
      rolcreaterole: false,
      rolcreatedb: false,
      rolcanlogin: false,
      rolreplication: false,
      rolbypassrls: false,
      memberships: 0,
    });
  });

  it('owns nothing', async () => {
    expect(
      await database.query(`select relname from pg_class where relowner = 'gantry_tenant'::regrole`),
    ).toEqual([]);
  });

  it('has no privilege on anything without a license_id but what is listed', async () => {
    const open = await database.query<{ what: string }>(
      `select c.relname || ' ' || privilege as what
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as privilege
       where c.relkind in ('r', 'p', 'v', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
         and has_table_privilege('gantry_tenant', c.oid, privilege)
         and not exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'license_id')
       order by what`,
    );
    expect(open.map(({ what }) => what)).toEqual(openToTenants);
  });

  it('may read and write rows of licenses, but not alter or truncate their tables', async () => {
    const wrong = await database.query(
      `select c.relname || ' ' || privilege as what from pg_class c
       cross join unnest(array['truncate', 'references', 'trigger']) as privilege
       where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
         and has_table_privilege('gantry_tenant', c.oid, privilege)`,
    );
    expect(wrong).toEqual([]);
    const [create] = await database.query(
      `select has_schema_privilege('gantry_tenant', 'public', 'create') as may`,
    );
    expect(create).toEqual({ may: false });
  });

  it('may run eight functions with the rights of another', async () => {
    const functions = await database.query(
      `select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where p.prosecdef and has_function_privilege('gantry_tenant', p.oid, 'execute')
         and has_schema_privilege('gantry_tenant', n.oid, 'usage')`,
    );
    expect(functions.map(({ proname }) => proname).sort()).toEqual([
      'enqueue_job',
      'hold_job',
      'license_now',
      'license_status_held',
      'member_accounts',
      'recent_key_revocations',
      'record_file_change',
      'revoke_bus_keys',
    ]);
  });
});

describe('entities', () => {
  it('match the tables in columns, types and nullability', async () => {
    const columns = await database.query<{ table: string; column: string; type: string; nullable: boolean }>(
      `select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       order by 1, 2`,
    );
    const metadata = [...connection.orm.getMetadata().getAll().values()];
    const described = metadata.flatMap(({ tableName, props }) =>
      props.flatMap(({ fieldNames, columnTypes, nullable }) =>
        fieldNames.map((column, index) => ({
          table: tableName,
          column,
          type: postgresName(columnTypes[index] ?? ''),
          nullable: nullable === true,
        })),
      ),
    );
    const known = new Set(metadata.map(({ tableName }) => tableName));
    const inOrder = described.toSorted(
      (one, other) => compare(one.table, other.table) || compare(one.column, other.column),
    );
    expect(inOrder).toEqual(
      columns
        .filter(({ table }) => known.has(table))
        .toSorted((one, other) => compare(one.table, other.table) || compare(one.column, other.column)),
    );
  });

  it('exist for every table but those of the libraries, of the processes and of triggers', async () => {
    const tables = await database.query<{ relname: string }>(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
    );
    const known = new Set(
      [...connection.orm.getMetadata().getAll().values()].map(({ tableName }) => tableName),
    );
    expect(
      tables
        .map(({ relname }) => relname)
        .filter((name) => !known.has(name))
        .toSorted(),
    ).toEqual([
      'domain_event',
      'event_draft',
      'ingest_listener',
      'job_worker',
      'license_count',
      'license_count_change',
      'migration',
      'operator_alarm',
      'platform_count',
      'platform_count_change',
      'rate_limit',
      'storage_marker',
    ]);
  });
});

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** A column type in PostgreSQL's notation. */
function postgresName(type: string): string {
  const names: Record<string, string> = {
    timestamptz: 'timestamp(3) with time zone',
    int: 'integer',
    real: 'double precision',
    float: 'double precision',
    boolean: 'boolean',
  };
  const plain = type.replace(/\(\d+\)$/, '');
  return names[plain] ?? plain;
}

describe('the reseller role', () => {
  const tables = [
    'game_instance',
    'instance_run',
    'instance_state_interval',
    'license',
    'license_activity',
    'reseller',
    'reseller_bill',
    'reseller_bill_line',
    'reseller_license',
    'reseller_rate',
  ];

  /** Counts what a reseller sees of each table that it may read. */
  async function seenBy(setting: string): Promise<Record<string, number>> {
    const client = await connection.pool.connect();
    try {
      await client.query('begin; set local role gantry_reseller');
      await client.query(`select set_config('app.reseller_id', $1, true)`, [setting]);
      const columns = tables.map((name) => `(select count(*)::int from ${name}) as ${name}`);
      const { rows } = await client.query<Record<string, number>>(`select ${columns.join(', ')}`);
      return rows[0] ?? {};
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  it('may only read, and only what is listed', async () => {
    const rights = await database.query<{ what: string }>(
      `select c.relname || ' ' || privilege as what from pg_class c
       cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as privilege
       where c.relkind in ('r', 'p', 'v', 'm') and c.relnamespace = 'public'::regnamespace
         and (has_table_privilege('gantry_reseller', c.oid, privilege)
           or (privilege in ('select', 'insert', 'update', 'references')
             and has_any_column_privilege('gantry_reseller', c.oid, privilege)))`,
    );
    expect(rights.map(({ what }) => what).toSorted()).toEqual(tables.map((name) => `${name} select`));
    const [role] = await database.query(
      `select rolsuper, rolcanlogin, rolbypassrls from pg_roles where rolname = 'gantry_reseller'`,
    );
    expect(role).toEqual({ rolsuper: false, rolcanlogin: false, rolbypassrls: false });
  });

  it('sees its own rows and those of licenses that it provisioned; none without a reseller', async () => {
    const resellers = await Promise.all(
      [a, b].map(async ({ licenseId, instanceId }) => {
        const [row] = await database.query<{ id: string }>(
          'insert into reseller (name, key_identifier, key_hash) values ($1, $1, $1) returning id',
          [licenseId],
        );
        const values = [row?.id, licenseId];
        await database.query(
          `insert into reseller_license (reseller_id, license_id, server_id, hostname, customer_email)
           values ($1, $2, 's', 'h', 'e')`,
          values,
        );
        await database.query(
          `insert into reseller_rate (reseller_id, from_month, amount, currency, unit) values ($1, '2026-01', 1, 'USD', 'license')`,
          [row?.id],
        );
        await database.query(
          `insert into reseller_bill (reseller_id, month, unit, license_count, active_days, total, currency)
           values ($1, '2026-01', 'license', 0, 0, 0, 'USD')`,
          [row?.id],
        );
        await database.query(
          `insert into reseller_bill_line (reseller_id, month, reseller_license_id, active_days, instance_count,
             instance_days, charged_days, amount, active)
           select reseller_id, '2026-01', id, 1, 0, 0, 1, 0, '[]' from reseller_license where reseller_id = $1`,
          [row?.id],
        );
        await database.query(
          `insert into instance_run (license_id, instance_id, from_at, to_at)
           values ($1, $2, '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z')`,
          [licenseId, instanceId],
        );
        return row?.id ?? '';
      }),
    );
    for (const id of resellers)
      expect(await seenBy(id)).toEqual(Object.fromEntries(tables.map((name) => [name, 1])));
    for (const setting of ['', someId])
      expect(await seenBy(setting)).toEqual(Object.fromEntries(tables.map((name) => [name, 0])));
  });
});

describe('without a license', () => {
  it('the tenant role sees no row of any table and can add none', async () => {
    for (const { name } of (await tenantTables()).filter(({ isPartition }) => !isPartition)) {
      const { rows } = await asTenantRole(`select count(*)::int as count from ${name}`);
      expect([name, rows]).toEqual([name, [{ count: 0 }]]);
    }
    await expect(asTenantRole(`insert into instance_cluster (name) values ('x')`)).rejects.toThrow(
      /row-level security|null value/,
    );
  });

  it("an empty or another license's setting shows nothing either", async () => {
    for (const value of ['', someId]) {
      const { rows } = await asTenantRole('select id from instance_cluster', value);
      expect(rows).toEqual([]);
    }
  });

  it('scopes refuse to open, and leave no connection behind', async () => {
    const own = await connectDatabase({
      url: database.url,
      limits: patientLimits,
      poolSize: 1,
      log: pino({ level: 'silent' }),
    });
    own.pool.on('connect', (client) => void client.on('error', () => undefined));
    const scope = new TenantScope(new Transactions(own.orm, pino({ level: 'silent' })), new Reader(own.pool));
    try {
      for (const license of ['', 'x', `${a.licenseId}' or true --`, a.licenseId.toUpperCase()]) {
        await expect(scope.transact(license, async () => 'opened')).rejects.toThrow('UUID');
        await expect(scope.read(license, async () => 'opened')).rejects.toThrow('UUID');
        expect(own.pool.totalCount - own.pool.idleCount).toBe(0);
      }
    } finally {
      void own.close();
    }
  });
});

/** Runs the statement as the tenant role, with that setting if one is given, and rolls back. */
async function asTenantRole(sql: string, licenseId?: string) {
  const client = await connection.pool.connect();
  try {
    await client.query('begin');
    await client.query('set local role gantry_tenant');
    if (licenseId !== undefined)
      await client.query(`select set_config('app.license_id', $1, true)`, [licenseId]);
    return await client.query<Record<string, unknown>>(sql);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** Ways for a service to use the database, each with SQL equivalent to the calls of the ORM and Kysely. */
const attempts: Record<string, Record<string, (em: EntityManager) => Promise<unknown>>> = {
  'an insert': {
    'the ORM': async (em) => {
      em.create(InstanceCluster, { name: 'smuggled', licenseId: b.licenseId });
      await em.flush();
    },
    SQL: (em) =>
      em.execute('insert into instance_cluster (license_id, name) values (?, ?)', [b.licenseId, 'smuggled']),
    Kysely: (em) =>
      queriesOf(em)
        .insertInto('instance_cluster')
        .values({ license_id: b.licenseId, name: 'smuggled' })
        .execute(),
  },
  'an update that gives a row away': {
    'the ORM': async (em) => {
      (await em.findOneOrFail(InstanceCluster, a.clusterId)).licenseId = b.licenseId;
      await em.flush();
    },
    SQL: (em) =>
      em.execute('update instance_cluster set license_id = ? where id = ?', [b.licenseId, a.clusterId]),
    Kysely: (em) =>
      queriesOf(em)
        .updateTable('instance_cluster')
        .set({ license_id: b.licenseId })
        .where('id', '=', a.clusterId)
        .execute(),
  },
  'a pointer to a row': {
    'the ORM': async (em) => {
      em.create(GameInstance, { hostId: b.hostId, name: 'smuggled' });
      await em.flush();
    },
    SQL: (em) =>
      em.execute('update game_instance set cluster_id = ? where id = ?', [b.clusterId, a.instanceId]),
    Kysely: (em) =>
      queriesOf(em)
        .updateTable('game_instance')
        .set({ cluster_id: b.clusterId })
        .where('id', '=', a.instanceId)
        .execute(),
  },
  'an upsert on an id': {
    'the ORM': (em) => em.upsert(InstanceCluster, { id: b.clusterId, name: 'smuggled' }),
    SQL: (em) =>
      em.execute(
        'insert into instance_cluster (id, name) values (?, ?) on conflict (id) do update set name = excluded.name',
        [b.clusterId, 'smuggled'],
      ),
    Kysely: (em) =>
      queriesOf(em)
        .insertInto('instance_cluster')
        .values({ id: b.clusterId, name: 'smuggled' })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ name: 'smuggled' }))
        .execute(),
  },
};

const quietAttempts: Record<string, Record<string, (em: EntityManager) => Promise<unknown>>> = {
  'an update': {
    'the ORM': (em) => em.nativeUpdate(InstanceCluster, { id: b.clusterId }, { name: 'smuggled' }),
    SQL: async (em) =>
      (
        await em.execute(`update instance_cluster set name = 'smuggled' where id = ? returning id`, [
          b.clusterId,
        ])
      ).length,
    Kysely: async (em) =>
      (
        await queriesOf(em)
          .updateTable('instance_cluster')
          .set({ name: 'smuggled' })
          .where('id', '=', b.clusterId)
          .returning('id')
          .execute()
      ).length,
  },
  'a delete': {
    'the ORM': (em) => em.nativeDelete(AgentHost, { id: b.hostId }),
    SQL: async (em) =>
      (await em.execute('delete from agent_host where id = ? returning id', [b.hostId])).length,
    Kysely: async (em) =>
      (await queriesOf(em).deleteFrom('agent_host').where('id', '=', b.hostId).returning('id').execute())
        .length,
  },
  'a look': {
    'the ORM': (em) => em.count(GameInstance, { licenseId: b.licenseId }),
    SQL: async (em) =>
      (await em.execute('select 1 from game_instance where license_id = ?', [b.licenseId])).length,
    Kysely: async (em) =>
      (await queriesOf(em).selectFrom('game_instance').select('id').where('id', '=', b.instanceId).execute())
        .length,
  },
};

const rowsOf = (attemptsBy: typeof attempts) =>
  Object.entries(attemptsBy).flatMap(([what, ways]) =>
    Object.entries(ways).map(([way, attempt]) => [what, way, attempt] as const),
  );

async function foreignRows() {
  return database.query(
    `select (select json_agg(c order by c::text) from instance_cluster c where license_id = $1) as clusters,
       (select json_agg(h order by h::text) from agent_host h where license_id = $1) as hosts,
       (select json_agg(i order by i::text) from game_instance i where license_id = $1) as instances`,
    [b.licenseId],
  );
}

describe('in the scope of one license', () => {
  it.each(rowsOf(attempts))('%s of another, by %s, is rejected', async (_what, _way, attempt) => {
    const before = await foreignRows();
    await expect(tenant.transact(a.licenseId, attempt)).rejects.toThrow(/row-level security|foreign key/);
    expect(await foreignRows()).toEqual(before);
  });

  it.each(rowsOf(quietAttempts))('%s at rows of another, by %s, finds none', async (_what, _way, attempt) => {
    const before = await foreignRows();
    expect(await tenant.transact(a.licenseId, attempt)).toBe(0);
    expect(await foreignRows()).toEqual(before);
  });

  it('the same work on its own rows succeeds', async () => {
    const id = await tenant.transact(a.licenseId, async (em) => {
      const cluster = em.create(InstanceCluster, { name: 'own' });
      await em.flush();
      return cluster.id;
    });
    await tenant.transact(a.licenseId, async (em) => {
      (await em.findOneOrFail(GameInstance, a.instanceId)).clusterId = id;
    });
    expect(
      await database.query('select license_id, cluster_id from game_instance where id = $1', [a.instanceId]),
    ).toEqual([{ license_id: a.licenseId, cluster_id: id }]);
    expect(await tenant.transact(a.licenseId, (em) => em.nativeDelete(InstanceCluster, { id }))).toBe(1);
  });

  it('a transaction cannot be widened to another license or to the platform', async () => {
    await expect(
      tenant.transact(a.licenseId, () =>
        tenant.read(b.licenseId, (queries) => queries.selectFrom('license').select('id').execute()),
      ),
    ).rejects.toThrow('narrow');
    await expect(
      tenant.transact(a.licenseId, () => platform.transact('jobs', async () => 'opened')),
    ).rejects.toThrow('narrow');
    await expect(
      tenant.transact(a.licenseId, () => platform.read('jobs', async () => 'opened')),
    ).rejects.toThrow('narrow');
  });

  it('opened within a platform transaction, lets the platform transaction continue afterwards', async () => {
    const seen = await platform.transact('jobs', async (em) => {
      const before = await em.count(InstanceCluster);
      const within = await tenant.transact(a.licenseId, (inner) => inner.count(InstanceCluster));
      return [before, within, await em.count(InstanceCluster)];
    });
    const [{ count: all } = { count: 0 }] = await database.query<{ count: number }>(
      'select count(*)::int from instance_cluster',
    );
    expect(all).toBeGreaterThan(1);
    expect(seen).toEqual([all, all - 1, all]);
  });

  it('reads give the same types within a transaction as outside of one', async () => {
    const read = () =>
      tenant.read(a.licenseId, (queries) =>
        queries.selectFrom('game_instance').select(['id', 'uptime_seconds', 'created_at', 'fps']).execute(),
      );
    const outside = await read();
    expect(outside).toEqual([
      {
        id: a.instanceId,
        uptime_seconds: 0,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        fps: null,
      },
    ]);
    expect(await tenant.transact(a.licenseId, read)).toEqual(outside);
    expect(await platform.transact('jobs', read)).toEqual(outside);
  });
});

describe('pooled connections', () => {
  const look = (queries: Queries) =>
    queries
      .selectFrom('game_instance')
      .select(({ fn, val }) => [
        'license_id',
        fn<string>('current_setting', [val('role')]).as('role'),
        fn<string | null>('current_setting', [val('app.license_id'), val(true)]).as('setting'),
      ])
      .orderBy('id')
      .execute();

  it('carry no scope over to their next use', async () => {
    const own = ({ licenseId }: Seed) => [
      { license_id: licenseId, role: 'gantry_tenant', setting: licenseId },
    ];
    const everything = [a, b].map(({ licenseId }) => ({ license_id: licenseId, role: 'none' }));
    const work = Array.from({ length: 600 }, (_, index) => index).map(async (index) => {
      switch (index % 5) {
        case 0:
          return expect(await tenant.read(a.licenseId, look)).toEqual(own(a));
        case 1:
          return expect(await tenant.read(b.licenseId, look)).toEqual(own(b));
        case 2:
          return expect(await platform.read('jobs', look)).toEqual(
            everything.map((row) => expect.objectContaining(row)),
          );
        case 3:
          return expect(await tenant.transact(b.licenseId, (em) => em.count(GameInstance))).toBe(1);
        default:
          return expect(await platform.transact('jobs', (em) => em.count(GameInstance))).toBe(2);
      }
    });
    await Promise.all(work);
  });

  it('can be used again after a statement of a read has failed, without a leftover role', async () => {
    const failing = (queries: Queries) =>
      queries.selectFrom('game_instance').select('id').where('id', '=', 'not an id').execute();
    const work = Array.from({ length: 60 }, async (_, index) => {
      if (index % 2 === 0) await expect(tenant.read(a.licenseId, failing)).rejects.toThrow('uuid');
      else expect(await tenant.read(b.licenseId, look)).toHaveLength(1);
    });
    await Promise.all(work);
    for (let use = 0; use < poolSize * 2; use += 1) {
      const rows = await platform.read('jobs', look);
      expect(rows.map(({ role, setting }) => [role, setting || null])).toEqual([
        ['none', null],
        ['none', null],
      ]);
    }
    expect(connection.pool.totalCount).toBeLessThanOrEqual(poolSize);
    expect(connection.pool.waitingCount).toBe(0);
  });

  it('can be used again after the work threw between two statements with one still running', async () => {
    for (let attempt = 0; attempt < poolSize * 3; attempt += 1) {
      const work = tenant.read(a.licenseId, async (queries) => {
        void look(queries).catch(() => undefined);
        throw new Error('changed my mind');
      });
      await expect(work).rejects.toThrow('changed my mind');
    }
    expect(await tenant.read(b.licenseId, look)).toHaveLength(1);
  });

  /** The settings of every session of the pool, outside any transaction. */
  async function sessionSettings(): Promise<unknown[]> {
    const clients = await Promise.all(Array.from({ length: poolSize }, () => connection.pool.connect()));
    try {
      const replies = clients.map((client) =>
        client.query<object>(
          `select current_user = session_user as "isOwner", current_setting('role') as role,
             coalesce(current_setting('app.license_id', true), '') as license,
             coalesce(current_setting('app.reseller_id', true), '') as reseller,
             current_setting('transaction_read_only') as "isReadOnly"`,
        ),
      );
      return (await Promise.all(replies)).flatMap(({ rows }) => rows);
    } finally {
      for (const client of clients) client.release();
    }
  }

  const unscoped = { isOwner: true, role: 'none', license: '', reseller: '', isReadOnly: 'off' };

  it('keep no setting after any sequence of reads, of which some fail', async () => {
    const scopes = [{ licenseId: a.licenseId }, { licenseId: b.licenseId }, { resellerId: someId }, null];
    const steps: Record<string, (queries: Queries) => Promise<unknown>> = {
      rows: look,
      'a refused value': (queries) =>
        queries.selectFrom('game_instance').select('id').where('id', '=', 'not an id').execute(),
      'an unknown column': (queries) => sql`select nothing_of_this_name from license`.execute(queries),
      'a division by zero': (queries) => sql`select 1 / ${0}::int`.execute(queries),
      'a write': (queries) => sql`update license set name = 'x'`.execute(queries),
      'an end of the transaction': (queries) => sql`rollback`.execute(queries),
      'a value that cannot be sent': (queries) =>
        sql`select ${{
          toPostgres: () => {
            throw new Error('no text');
          },
        }}::text`.execute(queries),
      'no rows': (queries) => sql`select from license where false`.execute(queries),
    };
    const step = fc.record({
      scope: fc.constantFrom(...scopes),
      works: fc.array(fc.constantFrom(...Object.keys(steps)), { minLength: 1, maxLength: 4 }),
      isConcurrent: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (reads) => {
        const outcomes = reads.map(({ scope, works, isConcurrent }) =>
          reader.read(scope, async (queries) => {
            const started = works.map((name) => () => steps[name]?.(queries) ?? Promise.resolve());
            if (isConcurrent) return Promise.all(started.map((start) => start()));
            for (const start of started) await start();
            return [];
          }),
        );
        await Promise.allSettled(outcomes);
        expect(await sessionSettings()).toEqual(Array.from({ length: poolSize }, () => unscoped));
        expect(await tenant.read(a.licenseId, look)).toEqual([
          { license_id: a.licenseId, role: 'gantry_tenant', setting: a.licenseId },
        ]);
      }),
      { numRuns: 40 },
    );
  });

  it('run no statement whose scope could not be opened', async () => {
    // A role of the test: memberships of others hold for all databases of the server, and so for other tests.
    const name = `outsider_${randomBytes(8).toString('hex')}`;
    await database.query(`create role ${name} login password '${name}'`);
    const url = new URL(database.url);
    [url.username, url.password] = [name, name];
    const pool = new pg.Pool({ connectionString: url.href, max: 1 });
    const read = () => new Reader(pool).read({ licenseId: a.licenseId }, look);
    try {
      await expect(read()).rejects.toThrow('permission denied to set role');
      await database.query(`grant gantry_tenant to ${name}`);
      expect(await read()).toHaveLength(1);
      const { rows } = await pool.query(`select current_user as name, current_setting('role') as role`);
      expect(rows).toEqual([{ name, role: 'none' }]);
    } finally {
      await pool.end();
      await database.query(`drop role ${name}`);
    }
  });

  it('keep the scope of each of several reads that share a prepared statement', async () => {
    for (let index = 0; index < poolSize * 3; index += 1) {
      const seen = await Promise.all([
        tenant.read(a.licenseId, look),
        reader.read({ resellerId: someId }, look).catch(() => []),
        platform.read('jobs', look),
        tenant.read(b.licenseId, look),
      ]);
      expect(seen.map((rows) => rows.map(({ license_id }) => license_id))).toEqual([
        [a.licenseId],
        [],
        [a.licenseId, b.licenseId],
        [b.licenseId],
      ]);
    }
  });

  it('prepare a statement again after its columns have changed their type', async () => {
    await database.query('create table changing (id int); insert into changing values (1)');
    await database.query('grant select on changing to gantry_tenant');
    const read = () =>
      tenant.read(a.licenseId, async (queries) => (await sql`select id from changing`.execute(queries)).rows);
    try {
      for (let use = 0; use < poolSize; use += 1) expect(await read()).toEqual([{ id: 1 }]);
      await database.query('alter table changing alter column id type text');
      for (const rows of await Promise.all(Array.from({ length: poolSize }, read)))
        expect(rows).toEqual([{ id: '1' }]);
      for (let use = 0; use < poolSize * 2; use += 1) expect(await read()).toEqual([{ id: '1' }]);
    } finally {
      await database.query('drop table changing');
    }
  });

  it('report the reason and the access of each use of the platform scope', async () => {
    const accesses: PlatformAccess[] = [];
    const scope = new PlatformScope(transactions, reader, (access) => accesses.push(access));
    await scope.read('sign-in', look);
    await scope.transact('jobs', () => scope.read('jobs', look));
    expect(accesses).toEqual([
      { reason: 'sign-in', access: 'read' },
      { reason: 'jobs', access: 'write' },
      { reason: 'jobs', access: 'read' },
    ]);
  });

  it('cannot write in a read', async () => {
    const write = (queries: Queries) =>
      queries
        .updateTable('instance_cluster')
        .set({ name: 'written' })
        .where('id', '=', a.clusterId)
        .execute();
    await expect(tenant.read(a.licenseId, write)).rejects.toThrow('read-only');
    await expect(platform.read('jobs', write)).rejects.toThrow('read-only');
  });
});
