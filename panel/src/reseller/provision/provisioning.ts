// Provisions servers in batches, each under a key of its own, so that a lost connection or a reload repeats nothing.
import { useSyncExternalStore } from 'react';
import { newKey } from '../../api/intents.ts';
import type { Schemas } from '../../api/operations.ts';
import { beforeKeyChange, hostKey, identifierOf } from '../host-key.ts';
import { refreshLicenses } from '../reading.ts';
import { provisionOnce, type License, type Report, type Server } from './provision-once.ts';

/** A server with its outcome; null while it has not been sent. */
export interface RunRow extends Server {
  outcome: Schemas['ProvisioningOutcome'] | null;
  problem: string | null;
}

interface Batch {
  /** Its idempotency key, stored before the first attempt. */
  key: string;
  /** Positions of its rows. */
  rows: readonly number[];
  isDone: boolean;
}

export interface Run {
  /** Whose key it was begun with. */
  reseller: string;
  rows: readonly RunRow[];
  batches: readonly Batch[];
}

export interface ProvisioningState {
  run: Run | null;
  /** By `server_id`. They hold secrets, so that they are not stored. */
  licenses: ReadonlyMap<string, License>;
  isRunning: boolean;
  error: Error | null;
}

const storageName = 'gantry-host-run';
/** The platform accepts 60 requests a minute; a server that a lost request has provisioned is `existing` in the next. */
const batchSize = 25;

const idle: ProvisioningState = { run: null, licenses: new Map(), isRunning: false, error: null };

class Provisioning {
  #state: ProvisioningState = { ...idle, run: stored() };
  /** Counts how often everything was forgotten: what began before does not return. */
  #age = 0;
  readonly #listeners = new Set<() => void>();

  get state(): ProvisioningState {
    return this.#state;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** A run that is interrupted stays for the key that it was begun with. */
  forgetUnlessOf(key: string | null): void {
    const { run } = this.#state;
    if (key === null || run?.reseller !== identifierOf(key)) this.forget();
  }

  start(servers: readonly Server[]): Promise<void> {
    const rows = servers.map((server) => ({ ...server, outcome: null, problem: null }));
    this.#set({ ...idle });
    this.#keep({
      reseller: identifierOf(hostKey()),
      rows,
      batches: batchesOf([...rows.keys()]),
    });
    return this.proceed();
  }

  /** Sends what has no response yet. */
  proceed(): Promise<void> {
    return this.#each((batch) => !batch.isDone);
  }

  /** Under new keys: under the former ones the platform would only repeat the failures. */
  retryFailed(): Promise<void> {
    const { run } = this.#state;
    if (run === null) return Promise.resolve();
    const failed = [...run.rows.keys()].filter((index) => run.rows[index]?.outcome === 'failed');
    const isFailed = new Set(failed);
    this.#keep({
      ...run,
      rows: run.rows.map((row, index) =>
        isFailed.has(index) ? { ...row, outcome: null, problem: null } : row,
      ),
      batches: [
        ...run.batches
          .map((batch) => ({ ...batch, rows: batch.rows.filter((index) => !isFailed.has(index)) }))
          .filter(({ rows }) => rows.length > 0),
        ...batchesOf(failed),
      ],
    });
    return this.proceed();
  }

  /** Provisioned servers are sent again, which returns their licenses and changes nothing. */
  async recall(): Promise<void> {
    const { run, licenses } = this.#state;
    const age = this.#age;
    const missing = (run?.rows ?? []).filter(
      ({ server_id, outcome }) =>
        (outcome === 'created' || outcome === 'existing') && !licenses.has(server_id),
    );
    await this.#work(async () => {
      for (const { rows } of batchesOf([...missing.keys()])) {
        const servers = rows.flatMap((index) => missing[index] ?? []).map(serverOf);
        const { results } = await provisionOnce(servers);
        if (this.#age !== age) return;
        this.#set({ licenses: withLicenses(this.#state.licenses, results) });
      }
    });
  }

  forget(): void {
    window.sessionStorage.removeItem(storageName);
    this.#age += 1;
    this.#set({ ...idle });
  }

  #each(isDue: (batch: Batch) => boolean): Promise<void> {
    return this.#work(async () => {
      for (;;) {
        const { run } = this.#state;
        const batch = run?.batches.find(isDue);
        if (run === null || batch === undefined) return;
        const servers = batch.rows.flatMap((index) => run.rows[index] ?? []).map(serverOf);
        const { results } = await provisionOnce(servers, { key: batch.key });
        // Another key has made it forget the run in the meantime.
        if (this.#state.run !== run) return;
        this.#keep(withResults(run, batch, results), withLicenses(this.#state.licenses, results));
        refreshLicenses();
      }
    });
  }

  async #work(task: () => Promise<void>): Promise<void> {
    if (this.#state.isRunning) return;
    const age = this.#age;
    this.#set({ isRunning: true, error: null });
    let error: Error | null = null;
    try {
      await task();
    } catch (caught) {
      error = caught as Error;
    }
    if (this.#age === age) this.#set({ isRunning: false, error });
  }

  #keep(run: Run, licenses = this.#state.licenses): void {
    window.sessionStorage.setItem(storageName, JSON.stringify(run));
    this.#set({ run, licenses });
  }

  #set(change: Partial<ProvisioningState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

const serverOf = ({ server_id, hostname, customer_email }: Server): Server => ({
  server_id,
  hostname,
  customer_email,
});

function batchesOf(indexes: readonly number[]): Batch[] {
  const batches: Batch[] = [];
  for (let start = 0; start < indexes.length; start += batchSize)
    batches.push({ key: newKey(), rows: indexes.slice(start, start + batchSize), isDone: false });
  return batches;
}

function withResults(run: Run, batch: Batch, results: Report['results']): Run {
  const resultOf = new Map(batch.rows.map((index, position) => [index, results[position]]));
  return {
    ...run,
    rows: run.rows.map((row, index) => {
      const result = resultOf.get(index);
      return result === undefined
        ? row
        : { ...row, outcome: result.outcome, problem: result.problem?.detail ?? null };
    }),
    batches: run.batches.map((each) => (each === batch ? { ...each, isDone: true } : each)),
  };
}

function withLicenses(
  licenses: ReadonlyMap<string, License>,
  results: Report['results'],
): ReadonlyMap<string, License> {
  const next = new Map(licenses);
  for (const { server_id, license } of results) if (license !== null) next.set(server_id, license);
  return next;
}

function stored(): Run | null {
  const text = window.sessionStorage.getItem(storageName);
  return text === null ? null : (JSON.parse(text) as Run);
}

export const provisioning = new Provisioning();

beforeKeyChange((next) => provisioning.forgetUnlessOf(next));

export const useProvisioning = (): ProvisioningState =>
  useSyncExternalStore(provisioning.subscribe, () => provisioning.state);
