// 500 provisions in one request, compared with the same rows in 500 separate transactions and in one.
import pg from 'pg';
import { createResellerKey, hashSecret } from '../src/secrets/random-secrets.ts';
import { systemRoles } from '../src/services/auth/role-permissions.ts';
import { startChild, type Child } from './support/child.ts';
import { openEnvironment } from './support/environment.ts';
import { printComparison } from './support/figures.ts';

const servers = 500;
const rounds = 5;

const environment = await openEnvironment();
const pool = new pg.Pool({ connectionString: environment.databaseUrl, max: 1 });
let platform: Child | undefined;
let number = 0;
try {
  platform = await startChild('servers/platform.ts', {
    ...(JSON.parse(environment.settings) as object),
    roles: ['api'],
  });
  const reseller = await createReseller();
  const { url } = platform.ready;
  await provision(url, reseller.key);
  const ours: number[] = [];
  const apart: number[] = [];
  const together: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await provision(url, reseller.key));
    apart.push(await insertAll(reseller.id, 'apart'));
    together.push(await insertAll(reseller.id, 'together'));
  }
  const name = `${servers} servers provisioned in one request`;
  const unit = 'servers/s';
  printComparison({
    name,
    baseline: 'bare inserts of the same rows, a transaction for each server',
    unit,
    ours,
    theirs: apart,
    aim: '≥ 1',
  });
  printComparison({
    name,
    baseline: 'bare inserts of the same rows, one transaction for all',
    unit,
    ours,
    theirs: together,
    aim: '≥ 0.5',
  });
} finally {
  await platform?.stop();
  await pool.end();
  await environment.stop();
}

async function createReseller(): Promise<{ id: string; key: string }> {
  const { identifier, key } = createResellerKey();
  const { rows } = await pool.query<{ id: string }>(
    `insert into reseller (name, key_identifier, key_hash) values ('bench', $1, $2) returning id`,
    [identifier, hashSecret(key)],
  );
  return { id: rows[0]?.id ?? '', key };
}

/** Servers per second, from the request to its response. */
async function provision(url: string, key: string): Promise<number> {
  const body = JSON.stringify({ servers: Array.from({ length: servers }, newServer) });
  const started = performance.now();
  const response = await fetch(`${url}/api/host/provision`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  });
  const { created } = (await response.json()) as { created: number };
  if (created !== servers) throw new Error(`${created} of ${servers} servers were provisioned`);
  return perSecond(started);
}

function newServer() {
  number += 1;
  return {
    server_id: `srv-${number}`,
    hostname: `rust-${number}.example.net`,
    customer_email: `customer-${number}@example.com`,
  };
}

/** Servers per second, row by row as an external program would insert them. */
async function insertAll(resellerId: string, how: 'apart' | 'together'): Promise<number> {
  const started = performance.now();
  if (how === 'together') await pool.query('begin');
  for (let count = 0; count < servers; count += 1) {
    if (how === 'apart') await pool.query('begin');
    await insertOne(resellerId);
    if (how === 'apart') await pool.query('commit');
  }
  if (how === 'together') await pool.query('commit');
  return perSecond(started);
}

async function insertOne(resellerId: string): Promise<void> {
  const { server_id, hostname, customer_email } = newServer();
  const userId = await idOf('insert into user_account (email) values ($1) returning id', [customer_email]);
  const licenseId = await idOf(
    `insert into license (key, name, subdomain, companion_token_hash, owner_email)
     values ($1, $2, $1, $1, $3) returning id`,
    [server_id, hostname, customer_email],
  );
  let ownerRoleId = '';
  for (const { name, permissions } of systemRoles) {
    const id = await idOf(
      'insert into role (license_id, name, is_system, permissions) values ($1, $2, true, $3) returning id',
      [licenseId, name, permissions],
    );
    ownerRoleId ||= id;
  }
  await pool.query('insert into membership (license_id, user_id, role_id) values ($1, $2, $3)', [
    licenseId,
    userId,
    ownerRoleId,
  ]);
  await pool.query(
    `insert into reseller_license (license_id, reseller_id, server_id, hostname, customer_email, sealed_secrets)
     values ($1, $2, $3, $4, $5, '')`,
    [licenseId, resellerId, server_id, hostname, customer_email],
  );
}

async function idOf(sql: string, values: unknown[]): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(sql, values);
  return rows[0]?.id ?? '';
}

function perSecond(started: number): number {
  return servers / ((performance.now() - started) / 1000);
}
