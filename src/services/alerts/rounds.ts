// Evaluates the alert rules of every license periodically and applies the decisions.
import type { Contexts, Ctx } from '../../context.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { tryLock } from '../../database/advisory-locks.ts';
import { applyDecision } from './application.ts';
import { evaluate, type Round } from './evaluation.ts';

const everySeconds = 20;
/** Licenses evaluated in one batch. */
const licensesAtOnce = 100;

export class AlertRounds {
  readonly #platform: PlatformScope;
  readonly #contexts: Contexts;
  readonly #ownVersion: string;

  /** `ownVersion` is the version of the agent that ships with the platform. */
  constructor(platform: PlatformScope, contexts: Contexts, ownVersion: string) {
    this.#platform = platform;
    this.#contexts = contexts;
    this.#ownVersion = ownVersion;
  }

  /**
   * Evaluates every due license once. Replicas may run concurrently: one of them evaluates each license. Licenses are
   * evaluated in batches; those with changes are then evaluated again, each in a transaction of its own license.
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
          // Evaluate each license separately, so that one license's failure does not delay the others.
          return due.map(({ licenseId }) => licenseId);
        });
      for (const licenseId of busy)
        await this.#contexts
          .forJob('evaluate-alerts', licenseId, (ctx) => this.#evaluateLicense(ctx))
          .catch((error: unknown) => failures.push(error));
    } while (due.length === licensesAtOnce);
    if (failures.length > 0)
      throw new AggregateError(failures, `alerts of ${failures.length} licenses could not be evaluated`);
  }

  /** Returns the licenses whose alerts change. The rounds of the other licenses are complete. */
  async #busyAmong(em: EntityManager, due: readonly DueRound[]): Promise<string[]> {
    if (due.length === 0) return [];
    const gone = await endRounds(em, due);
    const evaluations = await evaluate(
      em,
      due.filter(({ licenseId }) => !gone.has(licenseId)),
      this.#ownVersion,
    );
    const [quiet, busy] = [true, false].map((isQuiet) =>
      evaluations.filter((evaluation) => evaluation.isQuiet === isQuiet).map(({ licenseId }) => licenseId),
    );
    await em.execute('update alert_round set begun_at = now() where license_id = any(?::uuid[])', [
      arrayOf(quiet ?? []),
    ]);
    return busy ?? [];
  }

  async #evaluateLicense(ctx: Ctx): Promise<void> {
    await ctx.transact(async (em) => {
      const round = await begin(ctx, em);
      if (round === undefined) return;
      for (const { rules, decision } of await evaluate(em, [round], this.#ownVersion))
        await applyDecision(em, rules, decision);
    });
  }
}

interface DueRound extends Round {
  /** The timestamp in PostgreSQL's text form. */
  begunAt: string;
}

interface DueRow {
  license_id: string;
  begun_at: string;
  evaluated_ms: number;
}

/** A license that was never evaluated counts as evaluated just now. */
const lastEvaluatedOf = (column: string) =>
  `extract(epoch from case when ${column} > '-infinity' then ${column} else now() end)::float8 * 1000`;

/** Locks the next keyset page of due licenses, the longest unevaluated first, until the transaction ends. */
async function claim(em: EntityManager, former: DueRound | undefined): Promise<DueRound[]> {
  const rows = await em.execute<DueRow[]>(
    `select license_id, begun_at::text as begun_at, ${lastEvaluatedOf('begun_at')} as evaluated_ms from alert_round
     where begun_at < now() - make_interval(secs => ?) and (begun_at, license_id) > (?::timestamptz, ?::uuid)
     order by begun_at, license_id limit ? for update skip locked`,
    [everySeconds, former?.begunAt ?? '-infinity', former?.licenseId ?? firstId, licensesAtOnce],
  );
  return rows.map((row) => ({
    licenseId: row.license_id,
    begunAt: row.begun_at,
    lastEvaluatedMs: row.evaluated_ms,
  }));
}

/** Sorts before the id of every license. */
const firstId = '00000000-0000-0000-0000-000000000000';

/** Ends the rounds of licenses that are revoked, or have neither a host nor an open alert. A new host restarts them. */
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

/** Starts the round, unless another process holds the license's lock or the round is not due. */
async function begin({ licenseId }: Ctx, em: EntityManager): Promise<Round | undefined> {
  if (!(await tryLock(em, `alerts ${licenseId}`))) return undefined;
  const [begun] = await em.execute<{ evaluated_ms: number }[]>(
    `with former as (
       select license_id, begun_at from alert_round
       where license_id = ? and begun_at < now() - make_interval(secs => ?) for no key update
     )
     update alert_round as round set begun_at = now() from former where round.license_id = former.license_id
     returning ${lastEvaluatedOf('former.begun_at')} as evaluated_ms`,
    [licenseId, everySeconds],
  );
  return begun && { licenseId, lastEvaluatedMs: begun.evaluated_ms };
}

const arrayOf = (ids: readonly string[]) => `{${ids.join(',')}}`;
