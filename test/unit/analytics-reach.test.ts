// Counting reads the sessions that a sighting or a wipe meets, not every later one of the same game server.
import { countSightings, countWipes } from '../../src/services/analytics/count-statements.ts';
import { openFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';

const sessions = 3_000;
const sightings = 400;
const wipes = 20;

let fleet: FleetDatabase;

/**
 * A server that a player joined every ten minutes, and whose oldest sightings and wipes wait. PostgreSQL has statistics
 * of the sessions, but none of the queue: usually nothing is in it.
 */
beforeAll(async () => {
  fleet = await openFleetDatabase();
  const { id: instanceId } = await fleet.createInstance(await fleet.createHost());
  const at = `date_bin('5 minutes', now(), 'epoch') - interval '20 days'`;
  const insert = (table: string, columns: string, values: string, rows: number) =>
    fleet.database.query(
      `insert into ${table} (license_id, instance_id, ${columns})
       select '${fleet.licenseId}', '${instanceId}', ${values} from generate_series(1, ${rows}) n`,
    );
  await insert(
    'player_session',
    'steam_id, started_at, ended_at, last_sign_at, has_join, end_reason',
    `'7656119800000' || lpad(n::text, 4, '0'), ${at} + n * interval '10 minutes',
     ${at} + n * interval '10 minutes' + interval '1 minute', now(), true, 'leave'`,
    sessions,
  );
  await fleet.database.query('analyze player_session');
  await fleet.database.query(
    `insert into played_map (license_id, key, name) values ('${fleet.licenseId}', 'island', 'Island')`,
  );
  await insert(
    'map_sighting',
    'map_id, bucket_at',
    `(select id from played_map), ${at} + n * interval '5 minutes'`,
    sightings,
  );
  await insert('wipe_retention', 'wipe_id, wiped_at', `uuidv7(), ${at} + n * interval '1 minute'`, wipes);
});

afterAll(() => fleet.close());

interface PlanNode {
  'Relation Name'?: string;
  'Rows Removed by Filter'?: number;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  Plans?: PlanNode[];
}

const isOfSessions = ({ 'Relation Name': name = '' }: PlanNode) =>
  /^(player_session|session_change)/.test(name);

/** Rows that the scans of sessions and of their changes looked at, in all of their loops. */
function rowsRead(node: PlanNode): number {
  const rows = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0);
  const own = isOfSessions(node) ? rows * (node['Actual Loops'] ?? 1) : 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), own);
}

async function readBy(statement: string, max: number): Promise<number> {
  return fleet.tenant.transact(fleet.licenseId, async (em) => {
    await em.execute('set local enable_seqscan = off');
    const [row] = await em.execute<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>(
      `explain (analyze, format json) ${statement}`,
      [max],
    );
    const [plan] = row?.['QUERY PLAN'] ?? [];
    if (plan === undefined) throw new Error('no plan');
    return rowsRead(plan.Plan);
  });
}

it('reads for each sighting what began in its five minutes', async () => {
  // One session in every second sighting, both as it is and as a waiting change.
  expect(await readBy(countSightings, sightings)).toBeLessThan(2 * sightings);
});

it('reads for each wipe the four days after it', async () => {
  const ofFourDays = 4 * 24 * 6;
  expect(await readBy(countWipes, wipes)).toBeLessThan(3 * wipes * ofFourDays);
});
