// Uploads of maps whose transactions end in doubt.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Ctx } from '../../src/context.ts';
import type { LastingAccess } from '../../src/services/auth/access-recheck.ts';
import type { MapLinks } from '../../src/services/maps/links.ts';
import { Maps } from '../../src/services/maps/index.ts';
import { noScanner } from '../../src/services/maps/scanner.ts';
import { MapUploads } from '../../src/services/maps/uploads.ts';
import { LocalStorage } from '../../src/storage/local-storage.ts';
import { FileRemoval, StoredFiles } from '../../src/storage/stored-files.ts';
import { openFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';
import { mapFile } from '../support/map-file.ts';

let fleet: FleetDatabase;
let directory: string;

beforeAll(async () => {
  fleet = await openFleetDatabase();
  directory = await mkdtemp(join(tmpdir(), 'gantry-map-uploads-'));
});

afterAll(async () => {
  await fleet.close();
  await rm(directory, { recursive: true, force: true });
});

/** The same caller, whose second transaction commits without the caller learning of it. */
function losingTheSecondReply(ctx: Ctx): Ctx {
  let count = 0;
  return new Proxy(ctx, {
    get: (target, key) =>
      key !== 'transact'
        ? (Reflect.get(target, key, target) as unknown)
        : async (work: Parameters<Ctx['transact']>[0]) => {
            count += 1;
            const result = await target.transact(work);
            if (count === 2) throw new Error('the connection was lost while the transaction committed');
            return result;
          },
  });
}

it('keep the file of a map that was stored although its upload failed', async () => {
  const storage = new LocalStorage(directory);
  const files = new StoredFiles(storage);
  const maps = new Maps(files, {} as MapLinks);
  const uploads = new MapUploads({ maps, files, scanner: noScanner, lastingAccess: {} as LastingAccess });
  const content = mapFile();
  await expect(
    fleet.inLicense((ctx) =>
      uploads.upload(losingTheSecondReply(ctx), { name: 'Islands' }, Readable.from([content])),
    ),
  ).rejects.toThrow('the connection was lost');
  const [map] = await fleet.database.query<{ file_id: string; sha256: string; state: string }>(
    'select file_id, sha256, state from map join stored_file on stored_file.id = map.file_id',
  );
  expect(map).toMatchObject({ state: 'kept', sha256: createHash('sha256').update(content).digest('hex') });
  const fileId = map?.file_id ?? '';
  await new FileRemoval(fleet.platform, storage).remove(fileId);
  expect(await readFile(join(directory, 'maps', fleet.licenseId, fileId))).toEqual(content);
});
