// The session of the browser, which outlives the manager until it expires or `stop` ends it.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldsOf, jsonOf, numberOf, textOf } from '../parsing.ts';
import { writeWhole } from '../whole-files.ts';
import type { Secrets } from './secrets.ts';

/** The browser keeps its session this long after the link was opened. */
export const sessionSeconds = 30 * 24 * 60 * 60;

type Clock = () => number;

const fileOf = (home: string) => join(home, 'browser-session.json');

export class BrowserSession {
  readonly #home: string;
  readonly #clock: Clock;
  #value: string;
  #expiresAt: number;
  #secrets: Secrets | undefined;

  private constructor(
    home: string,
    clock: Clock,
    { value, expiresAt }: { value: string; expiresAt: number },
  ) {
    this.#home = home;
    this.#clock = clock;
    this.#value = value;
    this.#expiresAt = expiresAt;
  }

  /** The same after a restart, and a new one once it has expired. Only this user can read the home. */
  static async load(home: string, clock: Clock = Date.now): Promise<BrowserSession> {
    const text = await readFile(fileOf(home), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    const fields = fieldsOf(jsonOf(text));
    const [kept, expiresAt] = [textOf(fields['session']), numberOf(fields['expiresAt'])];
    if (kept !== null && kept.length >= 43 && expiresAt !== null && clock() < expiresAt)
      return new BrowserSession(home, clock, { value: kept, expiresAt });
    const session = new BrowserSession(home, clock, { value: random(), expiresAt: 0 });
    await session.renew();
    return session;
  }

  /** Keeps this value and later ones out of what is printed and stored. */
  hideIn(secrets: Secrets): void {
    this.#secrets = secrets;
    secrets.add(this.#value);
  }

  /** The cookie's value. */
  get value(): string {
    return this.#value;
  }

  /** Whether it is this session, and has not expired while the manager runs. */
  matches(candidate: string | undefined): boolean {
    return isSame(candidate, this.#value) && this.#clock() < this.#expiresAt;
  }

  /** Called when the link was opened: the session lasts from then on. An expired value is never valid again. */
  async renew(): Promise<void> {
    if (this.#clock() >= this.#expiresAt) this.#value = random();
    this.#secrets?.add(this.#value);
    this.#expiresAt = this.#clock() + sessionSeconds * 1000;
    await writeWhole(
      fileOf(this.#home),
      JSON.stringify({ session: this.#value, expiresAt: this.#expiresAt }),
    );
  }
}

/** Browsers need a new link afterwards. */
export const endSession = (home: string): Promise<void> => rm(fileOf(home), { force: true });

export const random = (): string => randomBytes(32).toString('base64url');

const hashOf = (text: string) => createHash('sha256').update(text).digest();

/** Takes the same time for every candidate. */
export const isSame = (candidate: string | undefined, secret: string): boolean =>
  candidate !== undefined && timingSafeEqual(hashOf(candidate), hashOf(secret));
