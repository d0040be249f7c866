// The directory of licenses in a database of its own: which cell a license is in, and which license an identifier leads to.
import type pg from 'pg';
import { connectTo } from './client.ts';

/** Identifiers are stored as digests, so the directory holds no addresses and no keys. */
const digestOf = (text: string) => `encode(substr(sha256((${text})::bytea), 1, 16), 'hex')::uuid`;

/** Changes are numbered under a lock, so a replica that has seen a number has seen all before it. */
const changeLock = 7_261_640_199;

const tables = `
  create table license_cell (number int primary key, digest uuid not null, cell smallint not null);
  create table entry (digest uuid not null, number int not null);
  create table change (seq bigint primary key, digest uuid, number int not null, cell smallint,
    committed_at timestamptz not null default clock_timestamp())`;

/** Of each license: itself, an address, two API keys, two hosts and a public page. */
const identifiers = [
  `'license:' || n`,
  `'email:owner-' || n || '@example.com'`,
  `'key:' || n || '-1'`,
  `'key:' || n || '-2'`,
  `'host:' || n || '-1'`,
  `'host:' || n || '-2'`,
  `'page:license-' || n`,
];
export const identifiersOf = (n: number): string[] => [
  `license:${n}`,
  `email:owner-${n}@example.com`,
  `key:${n}-1`,
  `key:${n}-2`,
  `host:${n}-1`,
  `host:${n}-2`,
  `page:license-${n}`,
];

export class Directory {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Creates the database beside that of a cell; a product's directory has a server of its own. */
  static async create(cellUrl: string): Promise<string> {
    const client = await connectTo(cellUrl);
    await client.query('create database directory');
    await client.end();
    const url = new URL(cellUrl);
    url.pathname = '/directory';
    const directory = await connectTo(url.href);
    await directory.query(tables);
    await directory.end();
    return url.href;
  }

  static async connect(url: string): Promise<Directory> {
    const client = await connectTo(url);
    return new Directory(client);
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  /** Licenses 0 to `count`, half of them in each of two cells. */
  async simulate(count: number): Promise<void> {
    await this.#client.query(
      `insert into license_cell select n, ${digestOf(`'license:' || n`)}, n % 2 from generate_series(0, $1::int - 1) n`,
      [count],
    );
    for (const identifier of identifiers)
      await this.#client.query(
        `insert into entry select ${digestOf(identifier)}, n from generate_series(0, $1::int - 1) n`,
        [count],
      );
    await this.#client.query('create unique index on entry (digest)');
    await this.#client.query('create unique index on license_cell (digest)');
    await this.#client.query('analyze');
  }

  async add(licenseId: string, cell: number, names: readonly string[]): Promise<void> {
    await this.#change(async () => {
      const { rows } = await this.#client.query<{ number: number }>(
        `insert into license_cell select coalesce(max(number), -1) + 1, ${digestOf('$1::text')}, $2 from license_cell returning number`,
        [licenseId, cell],
      );
      const number = rows[0]?.number;
      await this.#client.query(
        `with added as (
           insert into entry select ${digestOf('name')}, $2 from unnest($1::text[]) as name returning digest
         )
         insert into change (seq, digest, number, cell)
         select (select coalesce(max(seq), 0) from change) + row_number() over (), digest, $2, $3 from added`,
        [[licenseId, ...names], number, cell],
      );
    });
  }

  /** Every identifier leads to the license's number, so a move changes one row. */
  async move(licenseId: string, cell: number): Promise<void> {
    await this.#change(() =>
      this.#client.query(
        `with moved as (
           update license_cell set cell = $2 where digest = ${digestOf('$1::text')} returning number
         )
         insert into change (seq, number, cell)
         select (select coalesce(max(seq), 0) from change) + 1, number, $2 from moved`,
        [licenseId, cell],
      ),
    );
  }

  async #change(work: () => Promise<unknown>): Promise<void> {
    await this.#client.query(`begin; select pg_advisory_xact_lock(${changeLock})`);
    await work();
    await this.#client.query('commit');
  }
}
