// Identifies the map of a heartbeat, and limits the number of maps of a license.
import { randomUUID } from 'node:crypto';
import { identityOf, PlayedMaps } from '../../src/ingest/played-maps.ts';
import type { Report } from '../../src/ingest/reports.ts';
import { openFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';

const reported = (values: object = {}): Report['instance'] => ({
  name: 'main',
  state: 'running',
  uptime_seconds: 1,
  map: 'Procedural Map',
  ...values,
});

describe('the identity of a map', () => {
  it.each([
    [{}, 'Procedural Map'],
    [{ seed: 1, world_size: 3_500 }, 'Procedural Map, size 3500, seed 1'],
    [{ seed: 1 }, 'Procedural Map'],
    [{ map: 'HapisIsland', seed: 1, world_size: 3_500 }, 'HapisIsland'],
    [{ level_url: 'https://maps.example.com/a/Island.map?token=1' }, 'Island.map'],
    [{ map: undefined, seed: 1, world_size: 3_500 }, undefined],
  ])('%j is %s', (values, name) => {
    expect(identityOf(reported(values))?.name).toBe(name);
  });

  it('is the whole URL of a file, and its secret part for an uploaded one', () => {
    const at = (level_url: string) => identityOf(reported({ level_url }));
    expect(at('https://one.example.com/a.map')?.key).not.toBe(at('https://two.example.com/a.map')?.key);
    expect(at('https://panel.example.com/api/public/maps/s3cret/a.map')?.secret).toBe('s3cret');
  });
});

describe('in the database', () => {
  let fleet: FleetDatabase;
  let licenseId: string;

  beforeAll(async () => {
    fleet = await openFleetDatabase();
    const hostId = await fleet.createHost();
    const [host] = await fleet.database.query<{ license_id: string }>(
      'select license_id from agent_host where id = $1',
      [hostId],
    );
    licenseId = host?.license_id ?? '';
  });
  afterAll(() => fleet.close());

  /** Ids of the maps of successive heartbeats. */
  async function find(maps: PlayedMaps, instances: Report['instance'][]): Promise<(string | null)[]> {
    const client = await fleet.connection.pool.connect();
    const reports = instances.map((instance) => ({
      instance,
      host: { id: randomUUID(), license_id: licenseId, hostname: '' },
      heartbeat: {} as Report['heartbeat'],
    }));
    try {
      const found = await maps.find(client, reports);
      return instances.map(
        (instance) => found.get(`${licenseId} ${identityOf(instance)?.key ?? ''}`) ?? null,
      );
    } finally {
      client.release();
    }
  }

  it('every seed and every size is a map of its own, the same one each time', async () => {
    const instances = [1, 2].flatMap((seed) =>
      [3_000, 4_000].map((world_size) => reported({ seed, world_size })),
    );
    const ids = await find(new PlayedMaps(), instances);
    expect(new Set(ids).size).toBe(4);
    expect(ids).not.toContain(null);
    expect(await find(new PlayedMaps(), instances)).toEqual(ids);
  });

  it('too many new ones have no id until a month has passed; known ones keep theirs', async () => {
    const [known] = await find(new PlayedMaps(), [reported({ map: 'Known' })]);
    await fleet.database.query(
      `insert into played_map (license_id, key, name) select $1, 'invented ' || n, '' from generate_series(1, 1000) as n`,
      [licenseId],
    );
    expect(await find(new PlayedMaps(), [reported({ map: 'New' }), reported({ map: 'Known' })])).toEqual([
      null,
      known,
    ]);
    await fleet.database.query(
      `update played_map set first_seen_at = first_seen_at - interval '31 days' where license_id = $1`,
      [licenseId],
    );
    expect(await find(new PlayedMaps(), [reported({ map: 'New' })])).toEqual([expect.any(String)]);
  });
});
