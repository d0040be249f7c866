// Carries out schedules and the watchdog, and reports their outcomes.
import type { Logger } from 'pino';
import type { components } from '../../../generated/local-manager.d.ts';
import type { Backups } from '../backups/backups.ts';
import type { Announcements } from '../battlegroup/announcements.ts';
import type { Battlegroups } from '../battlegroup/battlegroups.ts';
import { kindInWords } from '../operations/kind-words.ts';
import type { Operation } from '../operations/operation-run.ts';
import type { Operations } from '../operations/operations.ts';
import { isRefusal, refusalAt } from '../refusals.ts';
import type { Secrets } from '../security/secrets.ts';
import type { StatusObserver } from '../status/status.ts';
import type { AddressWatch } from '../visibility/address-watch.ts';
import { passwordsIn } from '../web-addresses.ts';
import { withoutSecrets, withStoredSecrets, type Settings } from './automation-secrets.ts';
import { AutomationStore, type AutomationEvent } from './automation-store.ts';
import { initial } from './initial-settings.ts';
import { notify } from './notifier.ts';
import { dueWarning } from './player-warnings.ts';
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
    this.#timer = setInterval(() => {
      this.#ticking = this.#ticking.then(() => this.tick());
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
    const settings = withStoredSecrets({ ...initial, ...changed }, this.#store.content.settings);
    this.#hideSecrets(settings);
    const ids = settings.schedules.map(({ id }) => id);
    const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
    if (twice >= 0)
      throw refusalAt('invalid_setting', `/schedules/${twice}/id`, 'Two schedules have the same ID.');
    await this.#store.change({ settings, settledAt: this.#settledWith(settings) });
    this.#hasGivenUp = false;
    return this.get();
  }

  async sendTest(): Promise<{ data: AutomationEvent[] }> {
    return { data: await this.#notify('This is a test of the local manager.') };
  }

  /** Failures are events, so that the next tick comes in any case. */
  async tick(now = new Date()): Promise<void> {
    try {
      for (const schedule of this.#store.content.settings.schedules) {
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
    const due = nextRun(schedule, new Date(this.#store.content.settledAt[schedule.id] ?? now));
    if (due > now) return;
    const name = `The scheduled ${schedule.action}`;
    if (now.getTime() - due.getTime() > lateMs) {
      await this.#settled(schedule, now);
      await this.#announce(
        'leftOut',
        `${name} of ${timeOf(due)} was skipped: the manager could not start it in time.`,
      );
      return;
    }
    if (this.#parts.operations.running !== undefined) return;
    // Recorded first: a manager that ends now does not do it twice.
    await this.#settled(schedule, now);
    try {
      const operation = await this.#begin(schedule);
      if (operation === undefined)
        await this.#announce('leftOut', `${name} was skipped: the battlegroup is stopped.`);
      else await this.#record('started', `${name} has started.`);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await this.#announce('failed', `${name} could not start: ${error.message}`);
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
    const { watchdog } = this.#store.content.settings;
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
    await this.#store.change({ restartedAt: [...restartedAt, now.toISOString()] });
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
    return this.#parts.announcements.send(text, this.#store.content.settings.warnings.authToken);
  }

  /** A warning that fails is reported; the run takes place all the same. */
  async #warn(schedule: Schedule, now: Date): Promise<void> {
    const { settings, warned } = this.#store.content;
    const due = dueWarning(settings.warnings, schedule, now, warned[schedule.id]);
    if (due === undefined) return;
    const { battlegroup } = await this.#parts.status.get();
    if (battlegroup?.isReachable !== true) return;
    // Recorded first: a manager that ends now does not send it twice.
    const { run, minutes } = due;
    await this.#store.change({ warned: { ...warned, [schedule.id]: { run, minutes } } });
    try {
      await this.announce(due.text);
      await this.#record('warned', `Sent to players: ${due.text}`);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await this.#announce('failed', `Players could not be warned: ${error.message}`);
    }
  }

  async #followAddress(now: Date): Promise<void> {
    const { addressWatch, operations } = this.#parts;
    const { mode } = this.#store.content.settings.addressWatch;
    if (mode === 'follow' && operations.running !== undefined) return;
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
    await this.#store.change({ events: [event, ...this.#store.content.events].slice(0, maxEvents) });
    return event;
  }

  async #settled({ id }: Schedule, at: Date): Promise<void> {
    await this.#store.change({ settledAt: { ...this.#store.content.settledAt, [id]: at.toISOString() } });
  }

  /** A new schedule begins now; one that has not changed keeps a run that still waits for another operation. */
  #settledWith({ schedules }: Settings): Record<string, string> {
    const { settings, settledAt } = this.#store.content;
    const now = new Date().toISOString();
    const before = new Set(settings.schedules.map((schedule) => JSON.stringify(schedule)));
    return Object.fromEntries(
      schedules.map((schedule) => [
        schedule.id,
        before.has(JSON.stringify(schedule)) ? (settledAt[schedule.id] ?? now) : now,
      ]),
    );
  }

  #hideSecrets({ notifications, warnings }: Settings): void {
    const { webhookUrl, ntfyUrl, mail } = notifications;
    const inAddresses = [webhookUrl, ntfyUrl].flatMap((address) => passwordsIn(address ?? ''));
    for (const secret of [mail?.password, warnings.authToken, ...inAddresses])
      this.#parts.secrets.add(secret ?? '');
  }
}

/** `Create backup failed at “Dump the database”: …` */
function failureOf({ kind, steps, problem }: Operation): string {
  const step = steps.findLast(({ state }) => state === 'failed')?.name;
  return `${kindInWords(kind)} failed${step === undefined ? '' : ` at “${step}”`}: ${problem?.detail ?? 'the reason is unknown'}`;
}

const timeOf = (date: Date): string => date.toTimeString().slice(0, 5);
