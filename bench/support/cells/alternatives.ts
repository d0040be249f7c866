// What two other ways to grow past one database would cost or gain here: connections of the tenant role, and keys with the license.
import pg from 'pg';
import type { Cell } from './cell.ts';
import { connectTo } from './client.ts';
import { printComparison } from '../figures.ts';

const rounds = 9;
const transactions = 1_000;

/** The same read with the change of role in the transaction, and by a role that has signed in as the tenant. */
export async function compareSignIns({ tcpUrl }: Cell): Promise<void> {
  const owner = await connectTo(tcpUrl);
  await owner.query(`create role cells_tenant login password 'cells' in role gantry_tenant`);
  const url = new URL(tcpUrl);
  url.username = 'cells_tenant';
  url.password = 'cells';
  const tenant = await connectTo(url.href);
  const settings = [
    `set_config('transaction_read_only', 'on', true)`,
    `set_config('app.license_id', '01a21af9-ddd2-78e5-a922-2ee32b0b734c', true)`,
  ];
  const switching = [...settings, `set_config('role', 'gantry_tenant', true)`];
  const rate = async (client: pg.Client, scope: readonly string[]) => {
    const begun = performance.now();
    for (let done = 0; done < transactions; done += 1) {
      await client.query(
        `begin; select ${scope.join(', ')}; select name from instance_cluster limit 25; commit`,
      );
    }
    return (transactions / (performance.now() - begun)) * 1_000;
  };
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await rate(tenant, settings));
    theirs.push(await rate(owner, switching));
  }
  printComparison({
    name: 'reads of a role that has signed in as the tenant and sets only app.license_id, one connection',
    baseline: 'the change of role inside the transaction, as today',
    unit: 'transactions/s',
    ours,
    theirs,
    aim: 'none: it shows what the change of role costs',
  });
  await tenant.end();
  await owner.query('drop role cells_tenant');
  await owner.end();
}

/** What a publication of one license does to the writes of all of them where the replica identity lacks the license. */
export async function tryFilterWithoutKey({ tcpUrl }: Cell): Promise<string> {
  const client = await connectTo(tcpUrl);
  await client.query(
    `create publication without_key for table schedule_run where (license_id = '01a21af9-ddd2-78e5-a922-2ee32b0b734c')`,
  );
  const outcome = await client
    .query('update schedule_run set finished_at = now() where false')
    .then(() => 'succeeds')
    .catch((error: unknown) =>
      error instanceof pg.DatabaseError ? `${error.message}: ${error.detail}` : String(error),
    );
  await client.query('drop publication without_key');
  await client.end();
  return outcome;
}
