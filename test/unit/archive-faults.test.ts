// Faults of the archive: nothing is recorded that was not verified, and every month is written once, and removed in time.
import { Readable } from 'node:stream';
import type { Storage } from '../../src/storage/storage.ts';
import { addSession } from '../support/analytics.ts';
import {
  ArchiveWorld,
  dayMs,
  monthStart,
  openTestArchive,
  steamIdOf,
  type TestArchive,
} from '../support/archive.ts';
import type { World } from '../support/world.ts';

const today = Math.floor(Date.now() / dayMs) * dayMs;
let opened: ArchiveWorld;
let world: World;
let storage: ArchiveWorld['storage'];
let archive: TestArchive;

beforeAll(async () => {
  opened = await ArchiveWorld.create();
  ({ world, storage, archive } = opened);
});

afterAll(async () => {
  await opened.close();
});

describe('what was not verified is not recorded', () => {
  /** The storage with another way to store or to return a file. */
  const changed = (changes: Partial<Storage>): Storage => ({
    put: (key, content) => storage.put(key, content),
    open: (key, range) => storage.open(key, range),
    sizeOf: (key) => storage.sizeOf(key),
    remove: (key) => storage.remove(key),
    close: () => undefined,
    ...changes,
  });

  it.each<[string, Partial<Storage>]>([
    ['stores nothing', { put: () => Promise.reject(new Error('no space')) }],
    ['returns other bytes', { open: async () => Readable.from([Buffer.from('PAR1')]) }],
    ['breaks off', { open: async (key) => brokenOff(await storage.open(key)) }],
  ])('if the storage %s', async (_fault, changes) => {
    const { tenant } = await opened.play(7, 40);
    const { id } = tenant.license;
    const faulty = await openTestArchive(world.database.url, { storage: changed(changes) });
    const sessions = () =>
      world.database.query(
        'select * from player_session where license_id = $1 order by instance_id, steam_id, started_at',
        [id],
      );
    const before = await sessions();
    try {
      await expect(faulty.run()).rejects.toThrow('months could not be archived');
    } finally {
      await faulty.close();
    }
    expect(faulty.outcomes).toEqual(['failed', 'failed', 'failed']);
    expect(faulty.waiting.at(-1)).toBeGreaterThan(0);
    expect(await opened.archivedRows(id)).toEqual([]);
    expect(await sessions()).toEqual(before);
    // The next run does it, and what is left is removed an hour later.
    await archive.run();
    const rows = await opened.archivedRows(id);
    expect(rows.reduce((sum, { row_count }) => sum + row_count, 0)).toBe(40);
    await world.database.query(
      `update stored_file set created_at = now() - interval '2 hours' where state = 'arriving'`,
    );
    await archive.files.sweep();
    expect(await opened.licenseFiles(id)).toEqual(rows.map(({ file_id }) => file_id).toSorted());
  });

  it('and a damaged file is not read', async () => {
    const { tenant } = await opened.play(8, 40);
    const { id } = tenant.license;
    await archive.run();
    const [row] = await opened.archivedRows(id);
    const key = `archive/${id}/${row?.file_id}`;
    const content = Buffer.concat(await Array.fromAsync<Buffer>(await storage.open(key)));
    content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 1;
    await storage.remove(key);
    await storage.put(key, Readable.from([content]));
    await expect(archive.ask(id, 'select count(*) from sessions')).rejects.toThrow('is damaged');
  });
});

async function* half(content: Readable): AsyncGenerator<Buffer> {
  for await (const bytes of content as AsyncIterable<Buffer>) {
    yield bytes.subarray(0, bytes.length >> 1);
    throw new Error('the connection was lost');
  }
}
const brokenOff = (content: Readable) => Readable.from(half(content));

describe('months', () => {
  it('are not archived while a player of them is online or their sessions are derived', async () => {
    const { tenant, instances } = await opened.play(9, 20);
    const { id } = tenant.license;
    const at = new Date(monthStart(4) + dayMs);
    await addSession(world, tenant, {
      instanceId: instances[0] ?? '',
      steamId: steamIdOf(1),
      startedAt: at,
      endedAt: null,
    });
    await archive.run();
    const month = at.toISOString().slice(0, 10).replace(/..$/, '01');
    const isArchived = async () => (await opened.archivedRows(id)).some((row) => row.month === month);
    expect(await isArchived()).toBe(false);
    await world.database.query(
      `update player_session set ended_at = started_at, end_reason = 'silence' where license_id = $1 and ended_at is null`,
      [id],
    );
    await archive.run();
    expect(await isArchived()).toBe(true);
  });

  it('that have not settled are not archived', async () => {
    const { tenant, instances } = await opened.play(10, 20);
    for (const startedAt of [new Date(today - 20 * dayMs), new Date(today)])
      await addSession(world, tenant, {
        instanceId: instances[0] ?? '',
        steamId: steamIdOf(1),
        startedAt,
        endedAt: startedAt,
      });
    await archive.run();
    const rows = await opened.archivedRows(tenant.license.id);
    expect(rows.reduce((sum, { row_count }) => sum + row_count, 0)).toBe(20);
  });

  it('are written once, however often it runs', async () => {
    const { tenant } = await opened.play(11, 20);
    await archive.run();
    const rows = await opened.archivedRows(tenant.license.id);
    await archive.run();
    expect(await opened.archivedRows(tenant.license.id)).toEqual(rows);
    expect(await opened.licenseFiles(tenant.license.id)).toHaveLength(rows.length);
  });

  it('are removed with their files after the setting, and nothing is written or removed without one', async () => {
    const { tenant } = await opened.play(12, 60);
    const { id } = tenant.license;
    const off = await openTestArchive(world.database.url, { storage, months: 0 });
    const short = await openTestArchive(world.database.url, { storage, months: 4 });
    try {
      await off.run();
      expect(await opened.archivedRows(id)).toEqual([]);
      await archive.run();
      const all = await opened.archivedRows(id);
      await off.run();
      expect(await opened.archivedRows(id)).toEqual(all);
      await short.run();
      const kept = await opened.archivedRows(id);
      expect(kept.length).toBeLessThan(all.length);
      expect(kept).toEqual(all.filter((row) => Date.parse(row.month) > monthStart(5)));
      await world.database.query(
        `update stored_file set created_at = now() - interval '2 hours' where license_id = $1`,
        [id],
      );
      await short.files.sweep();
      expect(await opened.licenseFiles(id)).toEqual(kept.map(({ file_id }) => file_id).toSorted());
    } finally {
      await off.close();
      await short.close();
    }
  });
});
