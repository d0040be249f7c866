// What the agent writes for others where the disk has no room beyond its reserve: refused alike, and nothing of it stays.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { hashOf } from '../../agent/src/instance-files/instance-files.ts';
import type { InstanceFiles } from '../../agent/src/instance-files/instance-files.ts';
import { chunkBytes, Transfers } from '../../agent/src/instance-files/transfers.ts';
import { unpackFile } from '../../agent/src/instance-files/unzip.ts';
import { packFiles } from '../../agent/src/instance-files/zip.ts';
import { MapFetcher } from '../../agent/src/maps/map-fetcher.ts';
import { Messages } from '../../agent/src/messages.ts';
import { PluginFiles } from '../../agent/src/plugins/installed-files.ts';
import { PluginStore } from '../../agent/src/plugins/plugin-store.ts';
import { canMountDisk, mountSmallDisk, unmountSmallDisk } from '../support/small-disk.ts';
import { openBackups, openFiles } from './support/backups.ts';

const mebibyte = 1024 * 1024;
const reservedBytes = 64 * mebibyte;
const log = pino({ level: 'silent' });
const [made, next] = ['0199a1f0-6c1e-7a44-9d0e-000000000001', '0199a1f0-6c1e-7a44-9d0e-000000000002'];

/** All of it on one small disk: the instance's root, its backups, and what is kept of plugins. */
let disk: string;
let files: InstanceFiles;
let store: PluginStore;
let transfers: Transfers;

const freeBytes = () => {
  const { bavail, bsize } = statfsSync(disk);
  return bavail * bsize - reservedBytes;
};

/** Every entry below the disk. */
const contents = () => readdirSync(disk, { recursive: true }).toSorted();

/** As others do who know of no reserve. */
function fillUpTo(leftBytes: number): void {
  writeFileSync(join(disk, 'filling'), Buffer.alloc(freeBytes() - leftBytes));
}

async function upload(receiving: Promise<{ transfer: string }>): Promise<void> {
  const { transfer } = await receiving;
  for (let seq = 0; seq < 16; seq += 1) await transfers.take(transfer, seq, randomBytes(chunkBytes));
}

/** `meanwhile` is when the platform is asked for it. */
async function fetchMap(bytes: number, meanwhile: () => void = () => undefined): Promise<string> {
  const content = Buffer.alloc(bytes);
  const server = createServer((_request, response) => {
    meanwhile();
    response.end(content);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    return await new MapFetcher(files, log).fetch({
      map_id: made,
      file_name: 'a.map',
      bytes,
      sha256: hashOf(content),
      url,
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const operations: Record<string, () => Promise<unknown>> = {
  'a text': () => files.write('a.txt', Buffer.alloc(256 * 1024)),
  'an upload': () => upload(transfers.upload(files, 'a', false)),
  'an archive': () => packFiles(files, ['large'], 'all.zip'),
  'what is in an archive': () =>
    unpackFile(files, { archive_path: 'large.zip', path: 'there', overwrite: false }),
  'a map': () => fetchMap(3 * mebibyte),
  'a plugin': () =>
    new PluginFiles(files, store, 'plugins').place('Kits', Buffer.alloc(3 * mebibyte), false, made),
  'the source of a plugin': () =>
    upload(
      transfers.receive(files, (id) => store.receive(id, 'Kits'), {
        isReplacing: false,
        maxBytes: 8 * mebibyte,
      }),
    ),
  'a backup': () => openBackups(disk, files).create({ id: next, kind: 'manual' }),
  'a restoration': () => openBackups(disk, files).restore(made),
};

const whereMountable = canMountDisk() ? describe : describe.skip;

whereMountable('a disk that is full but for its reserve (left out where no disk can be mounted)', () => {
  beforeAll(async () => {
    disk = mkdtempSync(join(tmpdir(), 'gantry-room-'));
    mountSmallDisk(disk, reservedBytes + 24 * mebibyte);
    for (const name of ['root/maps', 'root/plugins', 'root/there'])
      mkdirSync(join(disk, name), { recursive: true });
    files = openFiles(disk);
    store = new PluginStore(join(disk, 'store'), new Messages(), log);
    transfers = new Transfers(new Messages(), log, 60_000);
    writeFileSync(join(disk, 'root/large'), randomBytes(3 * mebibyte));
    await packFiles(files, ['large'], 'large.zip');
    await openBackups(disk, files).create({ id: made, kind: 'manual' });
  });
  afterAll(async () => {
    await transfers.close();
    unmountSmallDisk(disk);
    rmdirSync(disk);
  });
  afterEach(() => rmSync(join(disk, 'filling')));

  it.each(Object.entries(operations))('has no room for %s', async (_what, work) => {
    fillUpTo(-4096);
    const present = contents();
    await expect(work()).rejects.toMatchObject({ code: 'disk_full' });
    expect(contents()).toEqual(present);
  });

  it.each(Object.entries(operations).filter(([what]) => what !== 'a text'))(
    'has room for the beginning of %s only',
    async (_what, work) => {
      fillUpTo(2 * mebibyte);
      const present = contents();
      await expect(work()).rejects.toMatchObject({ code: 'disk_full' });
      expect(contents()).toEqual(present);
      expect(freeBytes()).toBe(2 * mebibyte);
    },
  );

  it('has no more of it while a map comes', async () => {
    fillUpTo(4 * mebibyte);
    const present = contents();
    const coming = fetchMap(3 * mebibyte, () => {
      rmSync(join(disk, 'filling'));
      fillUpTo(2 * mebibyte);
    });
    await expect(coming).rejects.toMatchObject({ code: 'disk_full' });
    expect(contents()).toEqual(present);
  });

  it('is used up to the reserve', async () => {
    fillUpTo(4 * mebibyte);
    expect(await fetchMap(3 * mebibyte)).toBe('maps/a.map');
    rmSync(join(disk, 'root/maps/a.map'));
  });
});
