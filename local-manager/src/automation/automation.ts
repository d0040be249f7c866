// Carries out schedules and the watchdog, and reports their outcomes.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { components } from '../../../generated/local-manager.d.ts';
import type { Backups } from '../backups/backups.ts';
import type { Announcements } from '../battlegroup/announcements.ts';
import type { Battlegroups } from '../battlegroup/battlegroups.ts';
import type { Operation } from '../operations/operation-run.ts';
import type { Operations } from '../operations/operations.ts';
import { fieldsOf, jsonOf, listOf } from '../parsing.ts';
import { isRefusal, refusal } from '../refusals.ts';
import type { Secrets } from '../security/secrets.ts';
import type { StatusObserver } from '../status/status.ts';
import type { AddressWatch } from '../visibility/address-watch.ts';
import { writeWhole } from '../whole-files.ts';
import { withoutSecrets, withStoredSecrets, type Settings } from './automation-secrets.ts';
import { initial } from './initial-settings.ts';
import { notify } from './notifier.ts';
import { dueWarning, type Warned } from './player-warnings.ts';
import { nextRun, type Schedule } from './schedule-times.ts';

type Schemas = components['schemas'];
type Event = Schemas['AutomationEvent'];

/** A schedule waits this long for another operation; after that, and after a pause of the host, it is left out. */
const lateMs = 30 * 60_000;
const hourMs = 60 * 60_000;
const maxEvents = 100;

interface Parts {
  home: string;
  backups: Backups;
  battlegroups: Battlegroups;
  operations: Operations;
  status: StatusObserver;
  addressWatch: AddressWatch;
  announcements: Announcements;
  secrets: Secrets;
  log: Logger;
  tickMs: number;
}

interface Stored {
  settings: Settings;
  /** The time up to which each schedule is settled, so that no restart repeats or loses a run. */
  settledAt: Record<string, string>;
  /** When the watchdog restarted the battlegroup, within the last hour. */
  restartedAt: string[];
  /** The last warning of players, by schedule, so that no restart of the manager repeats one. */
  warned: Record<string, Warned>;
  events: Event[];
}

export class Automation {
  readonly #parts: Parts;
  #stored: Stored = { settings: initial, settledAt: {}, restartedAt: [], warned: {}, events: [] };
  #unreachableSince: number | undefined;
  #hasGivenUp = false;
  #timer: NodeJS.Timeout | undefined;
  #ticking: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.operations.events.on('operation', (operation) => this.#report(operation));
  }

  async start(): Promise<void> {
    const fields = fieldsOf(jsonOf(await readFile(this.#file, 'utf8').catch(emptyIfMissing)));
    if (fields['settings'] !== undefined) {
      const { settings, settledAt, restartedAt, warned, events } = fields as unknown as Stored;
      this.#stored = {
        settings: { ...initial, ...settings },
        settledAt: { ...settledAt },
        restartedAt: [...(listOf(restartedAt) as string[])],
        warned: { ...warned },
        events: [...(listOf(events) as Event[])],
      };
    }
    this.#hideSecrets(this.#stored.settings);
    this.#timer = setInterval(() => {
      this.#ticking = this.#ticking.then(() => this.tick());
    }, this.#parts.tickMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#ticking;
  }

  get(): Schemas['AutomationStatus'] {
    const { settings, events } = this.#stored;
    const now = new Date();
    const nextRuns = settings.schedules
      .filter(({ isEnabled }) => isEnabled)
      .map((schedule) => ({ id: schedule.id, at: nextRun(schedule, now).toISOString() }));
    return { automation: withoutSecrets(settings), nextRuns, events: [...events] };
  }

  async update(changed: Schemas['Automation']): Promise<Schemas['AutomationStatus']> {
    const settings = withStoredSecrets({ ...initial, ...changed }, this.#stored.settings);
    this.#hideSecrets(settings);
    const ids = settings.schedules.map(({ id }) => id);
    const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
    if (twice >= 0)
      throw refusal('invalid_setting', 'Two schedules have the same ID.', {
        faults: [{ in: 'body', pointer: `/schedules/${twice}/id`, detail: 'is used twice' }],
      });
    const settledAt = Object.fromEntries(ids.map((id) => [id, new Date().toISOString()]));
    const next = { ...this.#stored, settings, settledAt };
    await writeWhole(this.#file, JSON.stringify(next));
    this.#stored = next;
    this.#hasGivenUp = false;
    return this.get();
  }

  async sendTest(): Promise<{ data: Event[] }> {
    return { data: await this.#notify('This is a test of the local manager.') };
  }

  /** Failures are events, so that the next tick comes in any case. */
  async tick(now = new Date()): Promise<void> {
    try {
      for (const schedule of this.#stored.settings.schedules) {
        await this.#warn(schedule, now);
        await this.#settle(schedule, now);
      }
      await this.#watch(now);
      await this.#followAddress(now);
    } catch (error) {
      this.#parts.log.error({ err: error }, 'the automation');
    }
  }

  async #settle(schedule: Schedule, now: Date): Promise<void> {
    if (!schedule.isEnabled) return;
    const due = nextRun(schedule, new Date(this.#stored.settledAt[schedule.id] ?? now));
    if (due > now) return;
    const name = `The scheduled ${schedule.action}`;
    if (now.getTime() - due.getTime() > lateMs) {
      await this.#settled(schedule, now);
      await this.#announce(
        'leftOut',
        `${name} of ${timeOf(due)} was left out: the manager could not begin in time.`,
      );
      return;
    }
    if (this.#parts.operations.running !== undefined) return;
    // Recorded first: a manager that ends now does not do it twice.
    await this.#settled(schedule, now);
    try {
      const operation = await this.#begin(schedule);
      if (operation === undefined)
        await this.#announce('leftOut', `${name} was left out: the battlegroup is stopped.`);
      else await this.#record('started', `${name} has started.`);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await this.#announce('failed', `${name} could not begin: ${error.message}`);
    }
  }

  async #begin({ action }: Schedule): Promise<Operation | undefined> {
    const { backups, battlegroups } = this.#parts;
    if (action === 'backup') return backups.create('scheduled');
    const { isStopped } = await battlegroups.get();
    if (isStopped) return undefined;
    return action === 'restart' ? battlegroups.restart() : battlegroups.update();
  }

  /** Only a battlegroup that is known to be unreachable is restarted; one that cannot be asked may be well. */
  async #watch(now: Date): Promise<void> {
    const { operations, battlegroups, status } = this.#parts;
    const { watchdog } = this.#stored.settings;
    if (!watchdog.isEnabled || operations.running !== undefined) {
      this.#unreachableSince = undefined;
      return;
    }
    const { battlegroup, cluster, vm } = await status.get();
    const time = now.getTime();
    const isKnown = vm.state === 'running' && battlegroup !== null && cluster.observedAt !== null;
    if (!isKnown || battlegroup.isStopped || battlegroup.isReachable) {
      if (isKnown) this.#unreachableSince = undefined;
      if (isKnown && battlegroup.isReachable) this.#hasGivenUp = false;
      return;
    }
    this.#unreachableSince ??= time;
    if (time - this.#unreachableSince < watchdog.afterMinutes * 60_000) return;
    const restartedAt = this.#stored.restartedAt.filter((at) => Date.parse(at) > time - hourMs);
    if (restartedAt.length >= watchdog.maxRestartsPerHour) {
      if (this.#hasGivenUp) return;
      this.#hasGivenUp = true;
      await this.#announce(
        'gaveUp',
        `The battlegroup is still ${battlegroup.phase} after ${restartedAt.length === 1 ? 'one restart' : `${restartedAt.length} restarts`} within an hour. The watchdog waits for you.`,
      );
      return;
    }
    // Recorded first: a manager that ends now counts it, too.
    this.#stored.restartedAt = [...restartedAt, now.toISOString()];
    await this.#save();
    this.#unreachableSince = undefined;
    try {
      await battlegroups.restart();
      await this.#announce('restarted', `The battlegroup was ${battlegroup.phase} and is restarted.`);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await this.#announce('failed', `The battlegroup could not be restarted: ${error.message}`);
    }
  }

  announce(text: string): Promise<{ text: string }> {
    return this.#parts.announcements.send(text, this.#stored.settings.warnings.authToken);
  }

  /** A warning that fails is reported; the run takes place all the same. */
  async #warn(schedule: Schedule, now: Date): Promise<void> {
    const { settings, warned } = this.#stored;
    const due = dueWarning(settings.warnings, schedule, now, warned[schedule.id]);
    if (due === undefined) return;
    const { battlegroup } = await this.#parts.status.get();
    if (battlegroup?.isReachable !== true) return;
    // Recorded first: a manager that ends now does not send it twice.
    warned[schedule.id] = { run: due.run, minutes: due.minutes };
    await this.#save();
    try {
      await this.announce(due.text);
      await this.#record('warned', `Players were sent: ${due.text}`);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await this.#announce('failed', `Players could not be warned: ${error.message}`);
    }
  }

  async #followAddress(now: Date): Promise<void> {
    const { addressWatch, operations } = this.#parts;
    const { mode } = this.#stored.settings.addressWatch;
    if (mode === 'follow' && operations.running !== undefined) return;
    const text = await addressWatch.look(mode, now);
    if (text !== null) await this.#announce('addressChanged', text);
  }

  /** A failure is reported for every operation, also for those that an admin has started. */
  #report({ kind, state, problem }: Operation): void {
    if (state !== 'failed') return;
    void this.#announce('failed', `${kind} failed: ${problem?.detail ?? ''}`).catch((error: unknown) =>
      this.#parts.log.error({ err: error }, 'a notification'),
    );
  }

  async #announce(kind: Event['kind'], text: string): Promise<void> {
    await this.#record(kind, text);
    await this.#notify(text);
  }

  async #notify(text: string): Promise<Event[]> {
    const events: Event[] = [];
    for (const { receiver, fault } of await notify(this.#stored.settings.notifications, text))
      events.push(
        fault === null
          ? await this.#record('notified', `${receiver}: ${text}`)
          : await this.#record('notNotified', `${receiver} was not notified: ${fault}.`),
      );
    return events;
  }

  async #record(kind: Event['kind'], text: string): Promise<Event> {
    const event = { at: new Date().toISOString(), kind, text };
    this.#stored.events = [event, ...this.#stored.events].slice(0, maxEvents);
    await this.#save();
    return event;
  }

  async #settled({ id }: Schedule, at: Date): Promise<void> {
    this.#stored.settledAt[id] = at.toISOString();
    await this.#save();
  }

  /** One write after the other, so that the newest content remains. */
  #saving: Promise<void> = Promise.resolve();
  #save(): Promise<void> {
    this.#saving = this.#saving
      .catch(() => undefined)
      .then(() => writeWhole(this.#file, JSON.stringify(this.#stored)));
    return this.#saving;
  }

  #hideSecrets({ notifications, warnings }: Settings): void {
    for (const secret of [notifications.mail?.password, warnings.authToken])
      this.#parts.secrets.add(secret ?? '');
  }

  get #file(): string {
    return join(this.#parts.home, 'automation.json');
  }
}

function emptyIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}

const timeOf = (date: Date): string => date.toTimeString().slice(0, 5);
