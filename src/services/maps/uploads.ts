// Uploads of maps: streamed into storage while measured, hashed and recognised, and kept only if valid.
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Ctx } from '../../context.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { Queries } from '../../database/reader.ts';
import { GameMap } from '../../entities/index.ts';
import { DomainError } from '../../errors.ts';
import type { LastingAccess } from '../auth/access-recheck.ts';
import { accessCheck } from '../files/transfers.ts';
import { limitReached, roomWithin, type Limit } from '../../preconditions/limits.ts';
import { isSandbox } from '../../preconditions/sandboxes.ts';
import type { StoredFiles } from '../../storage/stored-files.ts';
import { MapFormat, type MapFacts } from './map-format.ts';
import type { MapRow, Maps } from './index.ts';
import type { Scanner, ScanResult } from './scanner.ts';

export const maxMaps = 100;
export const maxBytes = 10 * 1024 ** 3;
export const maxBytesInSandbox = 100 * 1024 ** 2;

interface Arrived extends MapFacts {
  sha256: string;
  bytes: number;
  scan: { status: Exclude<ScanResult['status'], 'infected'>; detail: string };
}

export interface UploadParts {
  maps: Maps;
  files: StoredFiles;
  scanner: Scanner;
  lastingAccess: LastingAccess;
}

export class MapUploads {
  readonly #parts: UploadParts;

  constructor(parts: UploadParts) {
    this.#parts = parts;
  }

  /** If the license already has this content, returns the map that has it. */
  async upload(ctx: Ctx, { name }: { name: string }, file: Readable): Promise<MapRow> {
    const { files, maps } = this.#parts;
    const fileId = await ctx.transact(async (em, queries) => {
      await refuseFull(ctx, em, queries, 1);
      return files.announce(ctx, em);
    });
    try {
      const arrived = await this.#receive(ctx, fileId, file);
      return await ctx.transact(async (em, queries) => {
        const room = await roomFor(ctx, em);
        const known = await em.findOne(GameMap, { sha256: arrived.sha256 });
        if (known !== null) {
          await files.discard(em, fileId);
          return maps.read(queries, known.id);
        }
        if (room <= 0) throw limitReached(countLimit(ctx, em));
        await refuseBytes(ctx, queries, arrived.bytes);
        await files.keep(em, fileId);
        const map = newMap(em, { ctx, fileId, name, arrived });
        await em.flush();
        return maps.read(queries, map.id);
      });
    } catch (error) {
      // If this fails too, the sweep deletes the file.
      await ctx.transact((em) => files.abandon(em, fileId)).catch(() => undefined);
      throw error;
    }
  }

  async #receive(ctx: Ctx, fileId: string, file: Readable): Promise<Arrived> {
    const { files, scanner, lastingAccess } = this.#parts;
    const checkAccess = accessCheck(ctx, ['maps.manage'], lastingAccess);
    const place = { license_id: ctx.licenseId, file_id: fileId };
    const format = new MapFormat();
    const hash = createHash('sha256');
    let bytes = 0;
    const passing = async function* () {
      for await (const part of file as AsyncIterable<Buffer>) {
        format.feed(part);
        hash.update(part);
        bytes += part.byteLength;
        await checkAccess();
        yield part;
      }
      format.end();
    };
    await files.write(place, passing());
    const { status, detail } = await scanner.scan(() => files.open(place));
    if (status === 'infected')
      throw new DomainError('infected_file', `The virus scanner found malware: ${detail}`);
    return { ...format.end(), sha256: hash.digest('hex'), bytes, scan: { status, detail } };
  }
}

function newMap(
  em: EntityManager,
  { ctx, fileId, name, arrived }: { ctx: Ctx; fileId: string; name: string; arrived: Arrived },
): GameMap {
  const { sha256, bytes, formatVersion, worldSize, scan } = arrived;
  return em.create(GameMap, {
    fileId,
    name,
    sha256,
    bytes,
    formatVersion,
    worldSize,
    scanStatus: scan.status,
    scanDetail: scan.detail,
    uploadedBy: ctx.actor?.label ?? null,
  });
}

const countLimit = ({ licenseId }: Ctx, em: EntityManager): Limit => ({
  subject: `maps ${licenseId}`,
  max: maxMaps,
  count: () => em.count(GameMap),
  detail: `A license has at most ${maxMaps} maps.`,
});

/** Serialises the final step of uploads within one license. */
const roomFor = (ctx: Ctx, em: EntityManager) => roomWithin(em, countLimit(ctx, em));

/** Checked before anything is streamed, so that a refused upload costs no traffic. */
async function refuseFull(ctx: Ctx, em: EntityManager, queries: Queries, bytes: number): Promise<void> {
  if ((await roomFor(ctx, em)) <= 0) throw limitReached(countLimit(ctx, em));
  await refuseBytes(ctx, queries, bytes);
}

async function refuseBytes({ licenseId }: Ctx, queries: Queries, more: number): Promise<void> {
  const { stored } = await queries
    .selectFrom('map')
    .select((eb) => eb.fn.sum<string | null>('bytes').as('stored'))
    .executeTakeFirstOrThrow();
  const total = Number(stored ?? 0) + more;
  if (total > maxBytes)
    throw limitReached({
      detail: `The maps of a license have at most ${maxBytes / 1024 ** 3} GiB in total; delete one first.`,
    });
  if (total > maxBytesInSandbox && (await isSandbox(queries, licenseId)))
    throw limitReached({
      detail: `The maps of a sandbox have at most ${maxBytesInSandbox / 1024 ** 2} MiB in total; delete one first.`,
    });
}
