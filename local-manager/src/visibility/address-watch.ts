// Looks for the public address from time to time, and notices when it is no longer the advertised one.
// A private address is advertised on purpose: while it is, nothing is looked for.
import type { components } from '../../../generated/local-manager.d.ts';
import { isRefusal } from '../refusals.ts';
import type { Visibility } from './visibility.ts';
import type { WatchedAddressFile } from './watched-address.ts';

export type AddressWatchMode = components['schemas']['AddressWatch']['mode'];

const everyMs = 10 * 60_000;

export class AddressWatch {
  readonly #visibility: Visibility;
  readonly #watched: WatchedAddressFile;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(visibility: Visibility, watched: WatchedAddressFile) {
    this.#visibility = visibility;
    this.#watched = watched;
  }

  /** Returns what to notify the admin of; null if there is nothing new. A machine that cannot be asked is nothing new. */
  async look(mode: () => AddressWatchMode, now: Date): Promise<string | null> {
    if (mode() === 'off') {
      if (this.#lookedAt !== Number.NEGATIVE_INFINITY || (await this.#watched.get()) !== null)
        await this.#watched.clear();
      this.#lookedAt = Number.NEGATIVE_INFINITY;
      return null;
    }
    if (now.getTime() - this.#lookedAt < everyMs) return null;
    try {
      const text = await this.#compare(mode, now);
      this.#lookedAt = now.getTime();
      return text;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#lookedAt = now.getTime();
      return null;
    }
  }

  async #compare(modeNow: () => AddressWatchMode, now: Date): Promise<string | null> {
    const { advertisedIp, isWan, isOtherPrivate } = await this.#visibility.get(false);
    if (!isWan || isOtherPrivate) {
      await this.#watched.clear();
      return null;
    }
    const publicIp = await this.#visibility.publicIp();
    if (publicIp === null) return null;
    const before = await this.#watched.get();
    // An admin may have changed it while the machine was asked.
    const mode = modeNow();
    if (mode === 'off') return null;
    const observedAt = now.toISOString();
    const since = before?.publicIp === publicIp ? before.since : observedAt;
    const isRight = advertisedIp === publicIp;
    const isNew = !isRight && before?.notifiedIp !== publicIp;
    if (isNew && mode === 'follow') await this.#visibility.update(publicIp);
    await this.#watched.set({ publicIp, since, observedAt, notifiedIp: isRight ? null : publicIp });
    if (!isNew) return null;
    const found = `The public address is now ${publicIp}, and players are sent to ${advertisedIp ?? 'another one'}.`;
    return mode === 'follow'
      ? `${found} It is saved, and takes effect when the battlegroup is stopped and started.`
      : `${found} Change it on the page “Visibility”, then stop and start the battlegroup.`;
  }
}
