// The public address that the automation found last, kept over restarts of the manager.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { components } from '../../../generated/local-manager.d.ts';
import { fieldsOf, jsonOf, textOf } from '../parsing.ts';
import { writeWhole } from '../whole-files.ts';

export type WatchedAddress = components['schemas']['WatchedAddress'];

interface Stored extends WatchedAddress {
  /** The address that the admin was notified of, so that nothing is sent twice. */
  notifiedIp: string | null;
}

export class WatchedAddressFile {
  readonly #file: string;

  constructor(home: string) {
    this.#file = join(home, 'public-address.json');
  }

  async get(): Promise<Stored | null> {
    const text = await readFile(this.#file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    const fields = fieldsOf(jsonOf(text));
    const publicIp = textOf(fields['publicIp']);
    const since = textOf(fields['since']);
    const observedAt = textOf(fields['observedAt']);
    if (publicIp === null || since === null || observedAt === null) return null;
    return { publicIp, since, observedAt, notifiedIp: textOf(fields['notifiedIp']) };
  }

  set(stored: Stored): Promise<void> {
    return writeWhole(this.#file, JSON.stringify(stored));
  }

  clear(): Promise<void> {
    return rm(this.#file, { force: true });
  }
}
