// One prepared statement and the settings of its scope, sent as one implicit transaction of the wire protocol.
import pg from 'pg';
import { readSettings, type Scope } from './scope.ts';

type Row = Record<string, unknown>;
type Parse = (text: string) => unknown;

/** The columns of a statement's rows. */
interface Columns {
  names: string[];
  parsers: Parse[];
  /** A row of nulls: copying it costs less than adding field after field. */
  empty: Row;
}

interface PreparedStatement {
  columns?: Columns;
}

/** The statements that a connection has prepared, by name. */
type Prepared = Map<string, PreparedStatement>;

const preparedOn = new WeakMap<object, Prepared>();

/** Messages of the extended protocol, as pg sends them. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: unknown[]; valueMapper: (value: unknown) => unknown }): void;
  execute(message: object): void;
  describe(message: { type: 'P' }): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
  sendCopyFail(reason: string): void;
}

/** A statement of this name is replaced by the next one. */
export const unnamed = '';

export interface Statement {
  /** `unnamed`, or unique for the text and the kind of scope: PostgreSQL plans again if a statement changes its role. */
  name: string;
  sql: string;
  values: readonly unknown[];
}

type Done = (error: Error | null, rows: Row[]) => void;

const prepareValue = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils
  .prepareValue;

/**
 * All messages go out before one Sync, so PostgreSQL runs them in one transaction, which ends with that Sync: the
 * settings never outlive the statement. If a setting fails, PostgreSQL skips the statement.
 */
export class ScopedQuery implements pg.Submittable {
  /** pg calls it with the outcome. */
  readonly callback: Done;
  readonly #scope: Scope;
  readonly #statement: Statement;
  readonly #types: pg.CustomTypesConfig;
  #prepared: Prepared = new Map();
  #columns: Columns | undefined;
  #areSettingsDone = false;
  #rows: Row[] = [];
  #failure: Error | undefined;

  constructor(scope: Scope, statement: Statement, types: pg.CustomTypesConfig, callback: Done) {
    this.#scope = scope;
    this.#statement = statement;
    this.#types = types;
    this.callback = callback;
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    const { name, sql, values } = this.#statement;
    const settings = readSettings(this.#scope);
    this.#prepared = preparedOn.get(connection) ?? new Map<string, PreparedStatement>();
    preparedOn.set(connection, this.#prepared);
    // One system call instead of one for each message.
    wire.stream.cork();
    try {
      this.#prepare(wire, settings.name, settings.sql);
      this.#bind(wire, settings.name, settings.values);
      wire.execute({});
      this.#prepare(wire, name, sql);
      this.#bind(wire, name, values);
      this.#columns = this.#prepared.get(name)?.columns;
      if (this.#columns === undefined) wire.describe({ type: 'P' });
      wire.execute({});
    } catch (error) {
      // A value that cannot be written. What was already sent runs without effect.
      this.#failure = error as Error;
    } finally {
      wire.sync();
      wire.stream.uncork();
    }
  }

  #prepare(wire: Wire, name: string, text: string): void {
    if (this.#prepared.has(name)) return;
    if (name === unnamed) {
      wire.parse({ name, text });
      return;
    }
    // After a failure it is unknown whether the connection has the statement; closing an unknown one is no error.
    wire.close({ type: 'S', name });
    wire.parse({ name, text });
    this.#prepared.set(name, {});
  }

  #bind(wire: Wire, statement: string, values: readonly unknown[]): void {
    wire.bind({ statement, values: [...values], valueMapper: prepareValue });
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    const names = fields.map(({ name }) => name);
    const columns: Columns = {
      names,
      parsers: fields.map(({ dataTypeID }) => this.#types.getTypeParser(dataTypeID, 'text') as Parse),
      empty: Object.fromEntries(names.map((name) => [name, null])),
    };
    this.#columns = columns;
    if (this.#statement.name !== unnamed) this.#prepared.set(this.#statement.name, { columns });
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (!this.#areSettingsDone || this.#columns === undefined || this.#failure !== undefined) return;
    const { names, parsers, empty } = this.#columns;
    const row = { ...empty };
    try {
      for (let index = 0; index < names.length; index += 1) {
        const text = fields[index];
        if (text !== null && text !== undefined) row[names[index] ?? ''] = parsers[index]?.(text);
      }
    } catch (error) {
      this.#failure = error as Error;
    }
    this.#rows.push(row);
  }

  handleCommandComplete(): void {
    this.#areSettingsDone = true;
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: pg.Connection): void {
    (connection as unknown as Wire).sendCopyFail('reads take no copied rows');
  }

  handleCopyData(): void {}

  handleError(error: Error): void {
    this.#prepared.delete(this.#statement.name);
    this.#prepared.delete(readSettings(this.#scope).name);
    this.callback(error, []);
  }

  handleReadyForQuery(): void {
    if (this.#failure === undefined) this.callback(null, this.#rows);
    else this.callback(this.#failure, []);
  }
}
