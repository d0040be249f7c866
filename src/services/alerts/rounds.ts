// Has the figures of every license looked at in turn, its alerts raised and ended, and those told.
import type { Contexts, Ctx } from '../../context.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { tryTurn } from '../../database/advisory-locks.ts';
import { carryOut } from './application.ts';
import { lookAt, type Round } from './evaluation.ts';

const everySeconds = 20;
/** Looked at together. */
const licensesAtOnce = 100;

export class AlertRounds {
  readonly #platform: PlatformScope;
  readonly #contexts: Contexts;
  readonly #ownVersion: string;

  /** `ownVersion` is that of the agent which comes with the platform. */
  constructor(platform: PlatformScope, contexts: Contexts, ownVersion: string) {
    this.#platform = platform;
    this.#contexts = contexts;
    this.#ownVersion = ownVersion;
  }

  /**
   * Goes round once. Any number of replicas may: each license is looked at by one of them. Many are looked at together,
   * and those for which something is to be done once more, each in a transaction of its own license.
   */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    let due: DueRound[] = [];
    do {
      const former = due.at(-1);
      due = [];
      const busy = await this.#platform
        .transact('jobs', async (em) => {
          due = await claim(em, former);
          return this.#busyAmong(em, due);
        })
        .catch((error: unknown) => {
          if (due.length === 0) throw error;
          // Each by itself: what went wrong for one is to keep none of the others waiting.
          return due.map(({ licenseId }) => licenseId);
        });
      for (const licenseId of busy)
        await this.#contexts
          .forJob('evaluate-alerts', licenseId, (ctx) => this.#goRound(ctx))
          .catch((error: unknown) => failures.push(error));
    } while (due.length === licensesAtOnce);
    if (failures.length > 0)
      throw new AggregateError(failures, `alerts of ${failures.length} licenses could not be evaluated`);
  }

  /** Those of which an alert is to change in any way; the others have been round. */
  async #busyAmong(em: EntityManager, due: readonly DueRound[]): Promise<string[]> {
    if (due.length === 0) return [];
    const gone = await endRounds(em, due);
    const looks = await lookAt(
      em,
      due.filter(({ licenseId }) => !gone.has(licenseId)),
      this.#ownVersion,
    );
    const [quiet, busy] = [true, false].map((isQuiet) =>
      looks.filter((look) => look.isQuiet === isQuiet).map(({ licenseId }) => licenseId),
    );
    await em.execute('update alert_round set begun_at = now() where license_id = any(?::uuid[])', [
      arrayOf(quiet ?? []),
    ]);
    return busy ?? [];
  }

  async #goRound(ctx: Ctx): Promise<void> {
    await ctx.transact(async (em) => {
      const round = await begin(ctx, em);
      if (round === undefined) return;
      for (const { rules, decision } of await lookAt(em, [round], this.#ownVersion))
        await carryOut(em, rules, decision);
    });
  }
}

interface DueRound extends Round {
  /** As PostgreSQL writes it. */
  begunAt: string;
}

interface DueRow {
  license_id: string;
  begun_at: string;
  looked_ms: number;
}

/** A license that was never looked at is as if it had been looked at just now. */
const lookedMs = (column: string) =>
  `extract(epoch from case when ${column} > '-infinity' then ${column} else now() end)::float8 * 1000`;

/** The longest unseen first, after the one before; they stay this transaction's. */
async function claim(em: EntityManager, former: DueRound | undefined): Promise<DueRound[]> {
  const rows = await em.execute<DueRow[]>(
    `select license_id, begun_at::text as begun_at, ${lookedMs('begun_at')} as looked_ms from alert_round
     where begun_at < now() - make_interval(secs => ?) and (begun_at, license_id) > (?::timestamptz, ?::uuid)
     order by begun_at, license_id limit ? for update skip locked`,
    [everySeconds, former?.begunAt ?? '-infinity', former?.licenseId ?? firstId, licensesAtOnce],
  );
  return rows.map((row) => ({
    licenseId: row.license_id,
    begunAt: row.begun_at,
    lookedAtMs: row.looked_ms,
  }));
}

/** Before every license's. */
const firstId = '00000000-0000-0000-0000-000000000000';

/** Ends the rounds of licenses that are revoked, or have neither a host nor an open alert; a host begins them anew. */
async function endRounds(em: EntityManager, due: readonly DueRound[]): Promise<ReadonlySet<string>> {
  const gone = await em.execute<{ license_id: string }[]>(
    `delete from alert_round as round where license_id = any(?::uuid[]) and not exists (
       select from license where license.id = round.license_id and status = 'active'
         and (exists (select from agent_host where license_id = license.id)
           or exists (select from alert where license_id = license.id and ended_at is null)))
     returning license_id`,
    [arrayOf(due.map(({ licenseId }) => licenseId))],
  );
  return new Set(gone.map(({ license_id }) => license_id));
}

/** If it is this process's turn, and time. */
async function begin({ licenseId }: Ctx, em: EntityManager): Promise<Round | undefined> {
  if (!(await tryTurn(em, `alerts ${licenseId}`))) return undefined;
  const [begun] = await em.execute<{ looked_ms: number }[]>(
    `update alert_round set begun_at = now()
     where license_id = ? and begun_at < now() - make_interval(secs => ?)
     returning ${lookedMs('old.begun_at')} as looked_ms`,
    [licenseId, everySeconds],
  );
  return begun && { licenseId, lookedAtMs: begun.looked_ms };
}

const arrayOf = (ids: readonly string[]) => `{${ids.join(',')}}`;
