// What the archive holds: for each source, its table, the rows of a month, and the columns of its Parquet files.
import type { ArchiveSource } from '../entities/archive.ts';

export interface Source {
  table: 'player_session' | 'instance_stats_5m' | 'instance_stats_hour';
  /** The column that its partitions by month are made by. */
  time: string;
  /** Columns of the files, with the types of DuckDB. Times are UTC. */
  columns: Readonly<Record<string, string>>;
  /** The rows of a month in the scope of their license, in the order of `columns`. */
  rows: (month: string) => string;
}

const stats = {
  instance_id: 'UUID',
  bucket_at: 'TIMESTAMP',
  map_id: 'UUID',
  samples: 'INTEGER',
  running_samples: 'INTEGER',
  players_samples: 'INTEGER',
  players_sum: 'BIGINT',
  players_min: 'INTEGER',
  players_max: 'INTEGER',
  fps_samples: 'INTEGER',
  fps_sum: 'DOUBLE',
  fps_min: 'DOUBLE',
  entities_samples: 'INTEGER',
  entities_sum: 'BIGINT',
  entities_max: 'INTEGER',
} as const;

const inMonth = (column: string, month: string) =>
  `${column} >= '${month}'::date and ${column} < '${month}'::date + interval '1 month'`;

const inUtc = (column: string) => `${column} at time zone 'UTC'`;

const statsSource = (table: 'instance_stats_5m' | 'instance_stats_hour'): Source => ({
  table,
  time: 'bucket_at',
  columns: stats,
  rows: (month) => `
    select ${Object.keys(stats)
      .map((column) => (column === 'bucket_at' ? inUtc(column) : column))
      .join(', ')}
    from ${table} where ${inMonth('bucket_at', month)} order by instance_id, bucket_at, map_id`,
});

export const sources: Readonly<Record<ArchiveSource, Source>> = {
  sessions: {
    table: 'player_session',
    time: 'started_at',
    columns: {
      instance_id: 'UUID',
      player: 'BIGINT',
      started_at: 'TIMESTAMP',
      ended_at: 'TIMESTAMP',
      last_sign_at: 'TIMESTAMP',
      has_join: 'BOOLEAN',
      end_reason: 'VARCHAR',
    },
    // Players whom the platform has forgotten get negative numbers, which are of this file only.
    rows: (month) => `
      with forgotten as (
        select steam_id, -row_number() over (order by random()) as number from (
          select distinct steam_id from player_session as session
          where ${inMonth('started_at', month)} and not exists (
            select from archived_player as known
            where known.license_id = session.license_id and known.steam_id = session.steam_id)
        ) as players
      )
      select instance_id, coalesce(known.number, forgotten.number), ${inUtc('started_at')}, ${inUtc('ended_at')},
        ${inUtc('last_sign_at')}, has_join, end_reason
      from player_session as session
      left join archived_player as known using (license_id, steam_id) left join forgotten using (steam_id)
      where ${inMonth('started_at', month)}
      order by instance_id, started_at, 2`,
  },
  stats_5m: statsSource('instance_stats_5m'),
  stats_hours: statsSource('instance_stats_hour'),
};

/** The statement that gives numbers to players of a day, in the scope of their license. */
export const numberPlayers = `
  insert into archived_player (steam_id)
  select distinct steam_id from player_session as session join player using (license_id, steam_id)
  where started_at >= ?::date and started_at < ?::date + interval '1 day' and not exists (
    select from archived_player as known
    where known.license_id = session.license_id and known.steam_id = session.steam_id)
  on conflict do nothing`;
