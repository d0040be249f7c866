// Looks at the figures of every license in turn, raises and ends its alerts, and has them told.
import { sql } from 'kysely';
import type { Contexts, Ctx } from '../../context.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import type { Queries } from '../../database/reader.ts';
import { tryTurn } from '../../database/turns.ts';
import type { AlertKind, AlertRules } from './rules.ts';
import { configOf } from './config.ts';
import { decide, suppressedMinutes, wellMinutes, type Decision, type Standing } from './deciding.ts';
import { judgeAll, type Subject } from './figures.ts';

const everySeconds = 20;
const licensesAtOnce = 1_000;

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

  /** Goes round once. Any number of replicas may: each license is looked at by one of them, in one transaction. */
  async run(): Promise<void> {
    const licenses = await this.#platform.read('jobs', dueLicenses);
    const failures: unknown[] = [];
    for (const { id } of licenses)
      await this.#contexts
        .forJob('evaluate-alerts', id, (ctx) => goRound(ctx, this.#ownVersion))
        .catch((error: unknown) => failures.push(error));
    if (failures.length > 0)
      throw new AggregateError(failures, `alerts of ${failures.length} licenses could not be evaluated`);
  }
}

/** Those with a host, or with an alert that is left of one; the longest unseen first. */
function dueLicenses(queries: Queries) {
  return queries
    .selectFrom('license')
    .leftJoin('alert_round', 'alert_round.license_id', 'license.id')
    .select('license.id')
    .where('license.status', '=', 'active')
    .where(
      sql<boolean>`(begun_at is null or begun_at < now() - make_interval(secs => ${everySeconds}))
        and (exists (select from agent_host where license_id = license.id)
          or exists (select from alert where license_id = license.id and ended_at is null))`,
    )
    .orderBy('begun_at', (order) => order.asc().nullsFirst())
    .limit(licensesAtOnce)
    .execute();
}

async function goRound(ctx: Ctx, ownVersion: string): Promise<void> {
  await ctx.transact(async (em, queries) => {
    const lookedAt = await begin(ctx, em);
    if (lookedAt === undefined) return;
    const { rules } = await configOf(queries);
    const { standing, ...told } = await standingAlerts(em);
    const judged = await judgeAll(em, rules, { ownVersion, lookedAt, ...told });
    const decision = decide(judged, standing, enabledKinds(rules));
    await raise(em, rules, decision);
    await reopen(em, decision);
    await noteWell(em, decision);
    await end(em, decision);
  });
}

/** When the round before this one began, if it is this process's turn, and time. */
async function begin({ licenseId }: Ctx, em: EntityManager): Promise<string | undefined> {
  if (!(await tryTurn(em, `alerts ${licenseId}`))) return undefined;
  const [begun] = await em.execute<{ looked_at: string }[]>(
    `insert into alert_round (begun_at) values (now())
     on conflict (license_id) do update set begun_at = excluded.begun_at
     where alert_round.begun_at < now() - make_interval(secs => ?)
     returning coalesce(old.begun_at, now())::text as looked_at`,
    [everySeconds],
  );
  return begun?.looked_at;
}

const enabledKinds = (rules: AlertRules) =>
  new Set((Object.keys(rules) as AlertKind[]).filter((kind) => rules[kind].is_enabled));

interface StandingRow {
  id: string;
  kind: AlertKind;
  subject_id: string;
  is_open: boolean;
  is_well: boolean;
  has_been_well: boolean;
  players_before: number | null;
  crashed_ms: number | null;
}

async function standingAlerts(
  em: EntityManager,
): Promise<{ standing: Standing[]; playersBefore: Map<string, number>; crashesTold: Map<string, number> }> {
  const alerts = await em.execute<StandingRow[]>(
    `select id, kind, subject_id, ended_at is null as is_open, well_since is not null as is_well,
       coalesce(well_since <= now() - make_interval(mins => case when reopened_at is null then ?::integer else ? end),
         false) as has_been_well,
       case when kind = 'population_drop' and ended_at is null then (metadata ->> 'players_before')::float8 end
         as players_before,
       case when kind = 'instance_crashed'
         then extract(epoch from (metadata ->> 'crashed_at')::timestamptz)::float8 * 1000 end as crashed_ms
     from alert where ended_at is null or raised_at > now() - make_interval(mins => ?) order by raised_at, id`,
    [wellMinutes.first, wellMinutes.afterComingBack, suppressedMinutes],
  );
  return {
    standing: alerts.map((alert) => ({
      id: alert.id,
      kind: alert.kind,
      subjectId: alert.subject_id,
      isOpen: alert.is_open,
      isWell: alert.is_well,
      hasBeenWell: alert.has_been_well,
    })),
    playersBefore: figuresIn(alerts, ({ players_before: players }) => players),
    crashesTold: figuresIn(alerts, ({ crashed_ms: crashed }) => crashed),
  };
}

const figuresIn = (alerts: readonly StandingRow[], figureOf: (alert: StandingRow) => number | null) =>
  new Map(
    alerts.flatMap((alert) => {
      const figure = figureOf(alert);
      return figure === null ? [] : [[alert.subject_id, figure] as const];
    }),
  );

/** A channel that is being turned off meanwhile is waited for: it is not told any more. */
async function raise(em: EntityManager, rules: AlertRules, { raised }: Decision<Subject>): Promise<void> {
  if (raised.length === 0) return;
  const alerts = raised.map(({ kind, subject, metadata }) => ({
    kind,
    severity: rules[kind].severity,
    subject_id: subject.instanceId ?? subject.hostId,
    subject_name: subject.name,
    host_id: subject.hostId,
    host_name: subject.hostName,
    instance_id: subject.instanceId,
    metadata,
  }));
  await em.execute(
    `with raised as (
       insert into alert (kind, severity, subject_id, subject_name, host_id, host_name, instance_id, metadata)
       select kind, severity, subject_id, subject_name, host_id, host_name, instance_id, metadata
       from jsonb_to_recordset(?::jsonb) as one(kind text, severity text, subject_id uuid, subject_name text,
         host_id uuid, host_name text, instance_id uuid, metadata jsonb)
       returning id, severity
     ), listening as (
       select id, least_severity from notification_channel where is_enabled order by id for share
     )
     insert into notification (channel_id, alert_id, event)
     select listening.id, raised.id, 'raised' from raised join listening
       on array_position(array['Info', 'Warning', 'Critical'], raised.severity)
         >= array_position(array['Info', 'Warning', 'Critical'], listening.least_severity)
     order by raised.id`,
    [JSON.stringify(alerts)],
  );
}

/** Where it was told that it had recovered it is told anew, so that this is not the last that is heard of it. */
async function reopen(em: EntityManager, { reopened }: Decision<Subject>): Promise<void> {
  if (reopened.length === 0) return;
  await em.execute(
    `with reopened as (
       update alert set ended_at = null, end_reason = null, well_since = null, reopened_at = now(),
         metadata = one.metadata
       from jsonb_to_recordset(?::jsonb) as one(id uuid, metadata jsonb) where alert.id = one.id returning alert.id
     ), listening as (
       select id from notification_channel where is_enabled order by id for share
     )
     insert into notification (channel_id, alert_id, event)
     select distinct told.channel_id, reopened.id, 'raised' from reopened
       join notification as told on told.alert_id = reopened.id and told.event = 'recovered'
         and told.status <> 'cancelled'
       join listening on listening.id = told.channel_id`,
    [JSON.stringify(reopened)],
  );
}

async function noteWell(em: EntityManager, { wellSince, notWell }: Decision<Subject>): Promise<void> {
  if (wellSince.length + notWell.length === 0) return;
  await em.execute(
    `update alert set well_since = case when one.is_well then now() end
     from jsonb_to_recordset(?::jsonb) as one(id uuid, is_well boolean) where alert.id = one.id`,
    [
      JSON.stringify([
        ...wellSince.map((id) => ({ id, is_well: true })),
        ...notWell.map((id) => ({ id, is_well: false })),
      ]),
    ],
  );
}

/** That it has recovered is told wherever it was told, or is to be, that it was raised. */
async function end(em: EntityManager, { ended }: Decision<Subject>): Promise<void> {
  if (ended.length === 0) return;
  await em.execute(
    `with ended as (
       update alert set end_reason = one.reason,
         ended_at = case when one.reason in ('recovered', 'settled') then well_since else now() end
       from jsonb_to_recordset(?::jsonb) as one(id uuid, reason text) where alert.id = one.id
       returning alert.id, one.reason
     ), listening as (
       select id from notification_channel where is_enabled order by id for share
     )
     insert into notification (channel_id, alert_id, event)
     select distinct told.channel_id, ended.id, 'recovered' from ended
       join notification as told on told.alert_id = ended.id and told.event = 'raised' and told.status <> 'cancelled'
       join listening on listening.id = told.channel_id
     where ended.reason = 'recovered' order by 2`,
    [JSON.stringify(ended)],
  );
}
