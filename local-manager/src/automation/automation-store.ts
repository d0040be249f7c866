// The file of the automation: its settings, and what it has done so far.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { components } from '../../../generated/local-manager.d.ts';
import { fieldsOf, jsonOf, listOf } from '../parsing.ts';
import { writeWhole } from '../whole-files.ts';
import type { Settings } from './automation-secrets.ts';
import { initial } from './initial-settings.ts';
import type { Warned } from './player-warnings.ts';

export type AutomationEvent = components['schemas']['AutomationEvent'];

export interface StoredAutomation {
  settings: Settings;
  /** The time up to which each schedule is settled, so that no restart repeats or loses a run. */
  settledAt: Record<string, string>;
  /** When the watchdog restarted the battlegroup, within the last hour. */
  restartedAt: string[];
  /** The last warning of players, by schedule, so that no restart of the manager repeats one. */
  warned: Record<string, Warned>;
  events: AutomationEvent[];
}

export class AutomationStore {
  readonly #file: string;
  #content: StoredAutomation = { settings: initial, settledAt: {}, restartedAt: [], warned: {}, events: [] };
  #saving: Promise<void> = Promise.resolve();

  constructor(home: string) {
    this.#file = join(home, 'automation.json');
  }

  get content(): Readonly<StoredAutomation> {
    return this.#content;
  }

  async load(): Promise<void> {
    const fields = fieldsOf(jsonOf(await readFile(this.#file, 'utf8').catch(emptyIfMissing)));
    if (fields['settings'] === undefined) return;
    const { settings, settledAt, restartedAt, warned, events } = fields as unknown as StoredAutomation;
    this.#content = {
      settings: { ...initial, ...settings },
      settledAt: { ...settledAt },
      restartedAt: [...(listOf(restartedAt) as string[])],
      warned: { ...warned },
      events: [...(listOf(events) as AutomationEvent[])],
    };
  }

  /** Nothing of the change remains if it cannot be written. */
  change(part: Partial<StoredAutomation>): Promise<void> {
    const before = this.#content;
    this.#content = { ...before, ...part };
    const changed = this.#content;
    // One write after the other, so that the newest content remains.
    const saved = this.#saving
      .catch(() => undefined)
      .then(() => writeWhole(this.#file, JSON.stringify(this.#content)));
    this.#saving = saved;
    return saved.catch((error: unknown) => {
      if (this.#content === changed) this.#content = before;
      throw error;
    });
  }
}

function emptyIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}
