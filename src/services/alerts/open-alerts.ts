// Reads the alerts of licenses that are open or can be reopened.
import type { EntityManager } from '../../database/connection.ts';
import { suppressedMinutes, wellMinutes, type RecentAlert } from './decision.ts';
import type { AlertKind } from './rules.ts';

export interface RecentAlerts {
  alerts: RecentAlert[];
  /** Player count before the drop, by instance with an open `population_drop` alert. */
  playersBefore: ReadonlyMap<string, number>;
  /** Time of the reported crash, by instance with an `instance_crashed` alert that is open or can be reopened. */
  reportedCrashes: ReadonlyMap<string, number>;
}

interface AlertRow {
  license_id: string;
  id: string;
  kind: AlertKind;
  subject_id: string;
  is_open: boolean;
  is_well: boolean;
  has_been_well: boolean;
  players_before: number | null;
  crashed_ms: number | null;
}

/** Returns the alerts by license; a license without alerts has no entry. */
export async function readRecentAlerts(
  em: EntityManager,
  licenseIds: readonly string[],
): Promise<ReadonlyMap<string, RecentAlerts>> {
  const rows = await em.execute<AlertRow[]>(
    `select license_id, id, kind, subject_id, ended_at is null as is_open, well_since is not null as is_well,
       coalesce(well_since <= now() - make_interval(mins => case when reopened_at is null then ?::integer else ? end),
         false) as has_been_well,
       case when kind = 'population_drop' and ended_at is null then (metadata ->> 'players_before')::float8 end
         as players_before,
       case when kind = 'instance_crashed'
         then extract(epoch from (metadata ->> 'crashed_at')::timestamptz)::float8 * 1000 end as crashed_ms
     from alert where license_id = any(?::uuid[])
       and (ended_at is null or raised_at > now() - make_interval(mins => ?)) order by raised_at, id`,
    [wellMinutes.first, wellMinutes.afterComingBack, `{${licenseIds.join(',')}}`, suppressedMinutes],
  );
  return new Map(
    [...Map.groupBy(rows, ({ license_id }) => license_id)].map(([licenseId, own]) => [
      licenseId,
      {
        alerts: own.map(alertOf),
        playersBefore: figuresIn(own, ({ players_before: players }) => players),
        reportedCrashes: figuresIn(own, ({ crashed_ms: crashed }) => crashed),
      },
    ]),
  );
}

const alertOf = (row: AlertRow): RecentAlert => ({
  id: row.id,
  kind: row.kind,
  subjectId: row.subject_id,
  isOpen: row.is_open,
  crashedAt: row.crashed_ms,
  isWell: row.is_well,
  hasBeenWell: row.has_been_well,
});

const figuresIn = (alerts: readonly AlertRow[], figureOf: (alert: AlertRow) => number | null) =>
  new Map(
    alerts.flatMap((alert) => {
      const figure = figureOf(alert);
      return figure === null ? [] : [[alert.subject_id, figure] as const];
    }),
  );
