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

  /**
   * Computes the change from the stored content, after all earlier changes. Nothing of the change remains if it cannot
   * be written.
   */
  change(partOf: (stored: Readonly<StoredAutomation>) => Partial<StoredAutomation>): Promise<void> {
    const saved = this.#saving.then(async () => {
      const changed = { ...this.#content, ...partOf(this.#content) };
      await writeWhole(this.#file, JSON.stringify(changed));
      this.#content = changed;
    });
    // A failure is reported to the caller of that change; the next change is written all the same.
    this.#saving = saved.catch(() => undefined);
    return saved;
  }
}

/** A new schedule begins now; one that has not changed keeps a run that still waits for another operation. */
export function settledWith(
  { schedules }: Settings,
  { settings, settledAt }: Readonly<StoredAutomation>,
): Record<string, string> {
  const now = new Date().toISOString();
  const before = new Set(settings.schedules.map((schedule) => JSON.stringify(schedule)));
  return Object.fromEntries(
    schedules.map((schedule) => [
      schedule.id,
      before.has(JSON.stringify(schedule)) ? (settledAt[schedule.id] ?? now) : now,
    ]),
  );
}

function emptyIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}
