// Samples and marks in a SQLite file of the manager's home, bounded by age and by size.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { components } from '../../../generated/local-manager.d.ts';
import { fieldsOf, jsonOf } from '../parsing.ts';
import type { Mark, Seen } from './marks.ts';
import { isFull, openDatabase } from './monitoring-database.ts';

type Schemas = components['schemas'];

export interface Sample {
  at: Date;
  machine: Omit<Schemas['MachinePoint'], 'at'>;
  servers: ReadonlyMap<string, Omit<Schemas['ServerPoint'], 'at'>>;
  marks: readonly Mark[];
  /** What the next sample is compared with. */
  seen: Seen;
  /** Why figures are missing. */
  missing: readonly string[];
}

export interface Period {
  from: Date;
  to: Date;
  stepSeconds: number;
}

export const retentionDays = 30;
const dayMs = 24 * 60 * 60_000;
const defaultMaxBytes = 256 * 1024 * 1024;
const maxMarks = 500;

export class MonitoringStore {
  readonly #file: string;
  readonly #maxBytes: number;
  #database: DatabaseSync | undefined;
  readonly #statements = new Map<string, StatementSync>();

  constructor(file: string, { maxBytes = defaultMaxBytes }: { maxBytes?: number } = {}) {
    this.#file = file;
    this.#maxBytes = maxBytes;
  }

  /** Returns where a damaged file was moved to; undefined if there was none. */
  open(): string | undefined {
    const { database, movedTo } = openDatabase(this.#file, this.#maxBytes);
    this.#database = database;
    return movedTo;
  }

  get isOpen(): boolean {
    return this.#database !== undefined;
  }

  close(): void {
    this.#statements.clear();
    this.#database?.close();
    this.#database = undefined;
  }

  /** All of it or nothing. A file at its maximum size loses its oldest day first. */
  add(sample: Sample): void {
    for (let tries = 0; ; tries += 1) {
      try {
        this.#inTransaction(() => this.#write(sample));
        return;
      } catch (error) {
        if (!isFull(error) || !this.#isAtMaximum() || tries >= retentionDays) throw error;
        this.#forgetOldestDay();
      }
    }
  }

  lastSeen(): Seen {
    const fields = fieldsOf(jsonOf(this.#stateOf('seen')));
    return {
      machineStartedAt: fields['machineStartedAt'] as Seen['machineStartedAt'],
      pods: fields['pods'] as Seen['pods'],
    };
  }

  read({ from, to, stepSeconds }: Period): Pick<Schemas['Monitoring'], 'machine' | 'servers' | 'marks'> {
    const step = stepSeconds * 1_000;
    const range = [step, step, from.getTime(), to.getTime()];
    const machine = this.#all<MachineRow>(
      `select cast(at / ? as integer) * ? as start, max(players) as players, avg(cpu) as cpu, avg(memory_used) as memoryUsed,
        max(memory_total) as memoryTotal, max(disk_used) as diskUsed, max(disk_total) as diskTotal
      from sample where at between ? and ? group by start order by start`,
      ...range,
    ).map(({ start, players, cpu, memoryUsed, memoryTotal, diskUsed, diskTotal }) => ({
      at: timeOf(start),
      players,
      cpuPercent: rounded(cpu),
      memoryUsedGB: rounded(memoryUsed),
      memoryTotalGB: memoryTotal,
      diskUsedGB: diskUsed,
      diskTotalGB: diskTotal,
    }));
    const points = Map.groupBy(
      this.#all<ServerRow>(
        `select cast(at / ? as integer) * ? as start, server, max(players) as players, avg(cpu) as cpu, avg(memory) as memory
        from server_sample where at between ? and ? group by server, start order by server, start`,
        ...range,
      ),
      ({ server }) => server,
    );
    const servers = [...points].map(([server, rows]) => ({
      server,
      points: rows.map(({ start, players, cpu, memory }) => ({
        at: timeOf(start),
        players,
        cpuCores: rounded(cpu),
        memoryGB: rounded(memory),
      })),
    }));
    const marks = this.#all<MarkRow>(
      `select at, kind, server, detail from mark where at between ? and ? order by at desc, rowid desc limit ${maxMarks}`,
      from.getTime(),
      to.getTime(),
    ).map(({ at, ...mark }) => ({ at: timeOf(at), ...mark }));
    return { machine, servers, marks };
  }

  last(): { at: string | null; missing: string[] } {
    const [row] = this.#all<{ at: number | null }>('select max(at) as at from sample');
    const at = row?.at ?? null;
    const missing = jsonOf(this.#stateOf('missing'));
    return {
      at: at === null ? null : timeOf(at),
      missing: Array.isArray(missing) ? missing.map(String) : [],
    };
  }

  #write({ at, machine, servers, marks, seen, missing }: Sample): void {
    const time = at.getTime();
    this.#run(
      'insert or replace into sample values (?, ?, ?, ?, ?, ?, ?)',
      time,
      machine.players,
      machine.cpuPercent,
      machine.memoryUsedGB,
      machine.memoryTotalGB,
      machine.diskUsedGB,
      machine.diskTotalGB,
    );
    for (const [server, { players, cpuCores, memoryGB }] of servers)
      this.#run(
        'insert or replace into server_sample values (?, ?, ?, ?, ?)',
        ...[time, server, players, cpuCores, memoryGB],
      );
    for (const mark of marks)
      this.#run(
        'insert into mark values (?, ?, ?, ?)',
        ...[Date.parse(mark.at), mark.kind, mark.server, mark.detail],
      );
    const state = { seen, missing };
    for (const [key, value] of Object.entries(state))
      this.#run('insert or replace into state values (?, ?)', key, JSON.stringify(value));
    this.#forgetBefore(time - retentionDays * dayMs);
  }

  #forgetBefore(time: number): void {
    for (const table of ['sample', 'server_sample', 'mark'])
      this.#run(`delete from ${table} where at < ?`, time);
  }

  /** A full drive reports the same error, and deleting samples would not help there. */
  #isAtMaximum(): boolean {
    const [row] = this.#all<{ pages: number; max_pages: number }>(
      'select page_count as pages, max_page_count as max_pages from pragma_page_count, pragma_max_page_count',
    );
    return row !== undefined && row.pages >= row.max_pages;
  }

  #forgetOldestDay(): void {
    const [row] = this.#all<{ at: number | null }>('select min(at) as at from sample');
    this.#inTransaction(() => this.#forgetBefore((row?.at ?? 0) + dayMs));
  }

  #stateOf(key: string): string {
    const [row] = this.#all<{ value: string }>('select value from state where key = ?', key);
    return row?.value ?? '';
  }

  #inTransaction(work: () => void): void {
    this.#open.exec('begin immediate');
    try {
      work();
      this.#open.exec('commit');
    } catch (error) {
      // A full file has ended the transaction already.
      if (this.#open.isTransaction) this.#open.exec('rollback');
      throw error;
    }
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#prepared(sql).run(...values);
  }

  #all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepared(sql).all(...values) as Row[];
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#open.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  get #open(): DatabaseSync {
    if (this.#database === undefined) throw new Error('the store of samples is closed');
    return this.#database;
  }
}

interface MachineRow {
  start: number;
  players: number | null;
  cpu: number | null;
  memoryUsed: number | null;
  memoryTotal: number | null;
  diskUsed: number | null;
  diskTotal: number | null;
}

interface ServerRow {
  start: number;
  server: string;
  players: number | null;
  cpu: number | null;
  memory: number | null;
}

interface MarkRow {
  at: number;
  kind: Mark['kind'];
  server: string | null;
  detail: string | null;
}

const timeOf = (ms: number): string => new Date(ms).toISOString();
const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 100) / 100;
