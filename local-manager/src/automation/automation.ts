// Carries out schedules and the watchdog, and reports their outcomes.
import type { Logger } from 'pino';
import type { components } from '../../../generated/local-manager.d.ts';
import type { Backups } from '../backups/backups.ts';
import type { Announcements } from '../battlegroup/announcements.ts';
import type { Battlegroups } from '../battlegroup/battlegroups.ts';
import type { Operation } from '../operations/operation-run.ts';
import type { Operations } from '../operations/operations.ts';
import { isRefusal, refusalAt } from '../refusals.ts';
import type { Secrets } from '../security/secrets.ts';
import type { StatusObserver } from '../status/status.ts';
import type { AddressWatch } from '../visibility/address-watch.ts';
import { passwordsIn } from '../web-addresses.ts';
import { withoutSecrets, withStoredSecrets, type Settings } from './automation-secrets.ts';
import { AutomationStore, settledWith, type AutomationEvent } from './automation-store.ts';
import { failureOf, timeOf } from './event-texts.ts';
import { initial } from './initial-settings.ts';
import { notify } from './notifier.ts';
import { dueWarning, type DueWarning } from './player-warnings.ts';
import { nextRun, type Schedule } from './schedule-times.ts';

type Schemas = components['schemas'];

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

export class Automation {
  readonly #parts: Parts;
  readonly #store: AutomationStore;
  #unreachableSince: number | undefined;
  #hasGivenUp = false;
  #timer: NodeJS.Timeout | undefined;
  #ticking: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#store = new AutomationStore(parts.home);
    parts.operations.events.on('operation', (operation) => this.#report(operation));
  }

  async start(): Promise<void> {
    await this.#store.load();
    this.#hideSecrets(this.#store.content.settings);
    let isIdle = true;
    this.#timer = setInterval(() => {
      // A tick may wait for a slow machine or receiver; the next one then looks at the time itself.
      if (!isIdle) return;
      isIdle = false;
      this.#ticking = this.tick().finally(() => (isIdle = true));
    }, this.#parts.tickMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#ticking;
  }

  get keepBackups(): number {
    return this.#store.content.settings.keepBackups;
  }

  get(): Schemas['AutomationStatus'] {
    const { settings, events } = this.#store.content;
    const now = new Date();
    const nextRuns = settings.schedules
      .filter(({ isEnabled }) => isEnabled)
      .map((schedule) => ({ id: schedule.id, at: nextRun(schedule, now).toISOString() }));
    return { automation: withoutSecrets(settings), nextRuns, events: [...events] };
  }

  async update(changed: Schemas['Automation']): Promise<Schemas['AutomationStatus']> {
    await this.#store.change((stored) => {
      const settings = withStoredSecrets({ ...initial, ...changed }, stored.settings);
      this.#hideSecrets(settings);
      const ids = settings.schedules.map(({ id }) => id);
      const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
      if (twice >= 0)
        throw refusalAt('invalid_setting', `/schedules/${twice}/id`, 'Two schedules have the same ID.');
      const warned = Object.entries(stored.warned).filter(([id]) => ids.includes(id));
      return { settings, settledAt: settledWith(settings, stored), warned: Object.fromEntries(warned) };
    });
    this.#hasGivenUp = false;
    return this.get();
  }

  async sendTest(): Promise<{ data: AutomationEvent[] }> {
    return { data: await this.#notify('This is a test of the local manager.') };
  }

  /** Failures are events, so that the next tick comes in any case. */
  async tick(now = new Date()): Promise<void> {
    try {
      for (const { id } of this.#store.content.settings.schedules) {
        await this.#warn(id, now);
        await this.#settle(id, now);
      }
      await this.#watch(now);
      await this.#followAddress(now);
    } catch (error) {
      this.#parts.log.error({ err: error }, 'the automation');
    }
  }

  async #settle(id: string, now: Date): Promise<void> {
    const schedule = this.#enabled(id);
    if (schedule === undefined) return;
    const due = nextRun(schedule, new Date(this.#store.content.settledAt[schedule.id] ?? now));
    if (due > now) return;
    const name = `The scheduled ${schedule.action}`;
    if (now.getTime() - due.getTime() > lateMs) {
      if (!(await this.#settled(schedule, now))) return;
      await this.#announce(
        'leftOut',
        `${name} of ${timeOf(due)} was skipped: the manager could not start it in time.`,
      );
      return;
    }
    if (this.#parts.operations.running !== undefined) return;
    // Recorded first: a manager that ends now does not do it twice.
    if (!(await this.#settled(schedule, now))) return;
    try {
      const operation = await this.#begin(schedule);
      if (operation === 'withdrawn') return;
      if (operation === 'isStopped')
        await this.#announce('leftOut', `${name} was skipped: the battlegroup is stopped.`);
      else await this.#record('started', `${name} has started.`);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await this.#announce('failed', `${name} could not start: ${error.message}`);
    }
  }

  async #begin(schedule: Schedule): Promise<Operation | 'isStopped' | 'withdrawn'> {
    const { backups, battlegroups } = this.#parts;
    const { action } = schedule;
    if (action === 'backup') return backups.create('scheduled');
    const { isStopped } = await battlegroups.get();
    if (!this.#holds(schedule)) return 'withdrawn';
    if (isStopped) return 'isStopped';
    return action === 'restart' ? battlegroups.restart() : battlegroups.update();
  }

  /** Only a battlegroup that is known to be unreachable is restarted; one that cannot be asked may be well. */
  async #watch(now: Date): Promise<void> {
    const { operations, battlegroups, status } = this.#parts;
    const isOff = () => !this.#store.content.settings.watchdog.isEnabled || operations.running !== undefined;
    if (isOff()) {
      this.#unreachableSince = undefined;
      return;
    }
    const { battlegroup, cluster, vm } = await status.get();
    if (isOff()) return;
    const { watchdog } = this.#store.content.settings;
    const time = now.getTime();
    const isKnown = vm.state === 'running' && battlegroup !== null && cluster.observedAt !== null;
    if (!isKnown || battlegroup.isStopped || battlegroup.isReachable) {
      if (isKnown) this.#unreachableSince = undefined;
      if (isKnown && battlegroup.isReachable) this.#hasGivenUp = false;
      return;
    }
    this.#unreachableSince ??= time;
    if (time - this.#unreachableSince < watchdog.afterMinutes * 60_000) return;
    const restartedAt = this.#store.content.restartedAt.filter((at) => Date.parse(at) > time - hourMs);
    if (restartedAt.length >= watchdog.maxRestartsPerHour) {
      if (this.#hasGivenUp) return;
      this.#hasGivenUp = true;
      await this.#announce(
        'gaveUp',
        `The battlegroup is still ${battlegroup.phase} after ${restartedAt.length === 1 ? 'one restart' : `${restartedAt.length} restarts`} within an hour. The watchdog does not restart it again within this hour.`,
      );
      return;
    }
    // Recorded first: a manager that ends now counts it, too.
    await this.#store.change(() => ({ restartedAt: [...restartedAt, now.toISOString()] }));
    this.#unreachableSince = undefined;
    if (isOff()) return;
    try {
      await battlegroups.restart();
      await this.#announce('restarted', `The battlegroup was ${battlegroup.phase} and is restarted.`);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await this.#announce('failed', `The battlegroup could not be restarted: ${error.message}`);
    }
  }

  announce(text: string): Promise<{ text: string }> {
    return this.#parts.announcements.send(text, this.#store.content.settings.warnings.authToken);
  }

  /** A warning that fails is reported; the run takes place all the same. */
  async #warn(id: string, now: Date): Promise<void> {
    if (this.#dueWarning(id, now) === undefined) return;
    const { battlegroup } = await this.#parts.status.get();
    if (battlegroup?.isReachable !== true) return;
    const due = this.#dueWarning(id, now);
    if (due === undefined) return;
    // Recorded first: a manager that ends now does not send it twice.
    const { run, minutes } = due;
    await this.#store.change(({ settings, warned }) =>
      settings.schedules.some((schedule) => schedule.id === id)
        ? { warned: { ...warned, [id]: { run, minutes } } }
        : {},
    );
    if (!this.#store.content.settings.warnings.isEnabled || this.#enabled(id) === undefined) return;
    try {
      await this.announce(due.text);
      await this.#record('warned', `Sent to players: ${due.text}`);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await this.#announce('failed', `Players could not be warned: ${error.message}`);
    }
  }

  #dueWarning(id: string, now: Date): DueWarning | undefined {
    const { settings, warned } = this.#store.content;
    const schedule = this.#enabled(id);
    return schedule && dueWarning(settings.warnings, schedule, now, warned[id]);
  }

  /** An admin may disable or remove the schedule while a tick waits. */
  #enabled(id: string): Schedule | undefined {
    return this.#store.content.settings.schedules.find(
      (schedule) => schedule.id === id && schedule.isEnabled,
    );
  }

  #holds(schedule: Schedule): boolean {
    return JSON.stringify(this.#enabled(schedule.id)) === JSON.stringify(schedule);
  }

  async #followAddress(now: Date): Promise<void> {
    const { addressWatch, operations } = this.#parts;
    const mode = () => this.#store.content.settings.addressWatch.mode;
    if (mode() === 'follow' && operations.running !== undefined) return;
    const text = await addressWatch.look(mode, now);
    if (text !== null) await this.#announce('addressChanged', text);
  }

  /** A failure is reported for every operation, also for those that an admin has started. */
  #report(operation: Operation): void {
    if (operation.state !== 'failed') return;
    void this.#announce('failed', failureOf(operation)).catch((error: unknown) =>
      this.#parts.log.error({ err: error }, 'a notification'),
    );
  }

  async #announce(kind: AutomationEvent['kind'], text: string): Promise<void> {
    await this.#record(kind, text);
    await this.#notify(text);
  }

  async #notify(text: string): Promise<AutomationEvent[]> {
    const events: AutomationEvent[] = [];
    for (const { receiver, fault } of await notify(this.#store.content.settings.notifications, text))
      events.push(
        fault === null
          ? await this.#record('notified', `${receiver}: ${text}`)
          : await this.#record('notNotified', `${receiver} was not notified: ${fault}.`),
      );
    return events;
  }

  async #record(kind: AutomationEvent['kind'], text: string): Promise<AutomationEvent> {
    const event = { at: new Date().toISOString(), kind, text };
    await this.#store.change(({ events }) => ({ events: [event, ...events].slice(0, maxEvents) }));
    return event;
  }

  /** Returns whether the schedule still holds; a change of it has settled it already. */
  async #settled(schedule: Schedule, at: Date): Promise<boolean> {
    await this.#store.change(({ settledAt }) =>
      this.#holds(schedule) ? { settledAt: { ...settledAt, [schedule.id]: at.toISOString() } } : {},
    );
    return this.#holds(schedule);
  }

  #hideSecrets({ notifications, warnings }: Settings): void {
    const { webhookUrl, ntfyUrl, mail } = notifications;
    const inAddresses = [webhookUrl, ntfyUrl].flatMap((address) => passwordsIn(address ?? ''));
    for (const secret of [mail?.password, warnings.authToken, ...inAddresses])
      this.#parts.secrets.add(secret ?? '');
  }
}
