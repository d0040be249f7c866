// Reads the facts that players' sessions on an instance derive from, only as far back as sessions may change.
import type { EntityManager } from '../../database/connection.ts';
import type { GameInstance } from '../../entities/index.ts';
import { silenceMs, type Break, type SessionSign, type Session } from './session-rules.ts';

/** A player whose sessions may have changed since that moment. */
export interface DueSessions {
  steam_id: string;
  since: string;
}

/** The facts that a player's sessions derive from. */
export interface Facts {
  steamId: string;
  /** Sessions that begin at or after this moment are derived again; earlier ones are unchanged. */
  from: number;
  /** The session that is open when the facts begin. */
  open: Session | undefined;
  signs: SessionSign[];
  breaks: Break[];
}

interface Place {
  licenseId: string;
  instanceId: string;
}

export async function factsOf(
  em: EntityManager,
  { due, ...place }: Place & { due: readonly DueSessions[] },
): Promise<Facts[]> {
  const before = new Map((await sessionsBefore(em, place, due)).map((row) => [row.steam_id, openOf(row)]));
  const signs = Map.groupBy(await signsSince(em, place, due), ({ steam_id }) => steam_id);
  const begins = due.map(({ steam_id, since }) => before.get(steam_id)?.lastSignAt ?? Date.parse(since));
  const breaks = await breaksSince(em, place, Math.min(...begins));
  return due.map(({ steam_id: steamId, since }) => {
    const open = before.get(steamId);
    const from = open?.startedAt ?? Date.parse(since);
    return {
      steamId,
      from,
      open,
      signs: (signs.get(steamId) ?? []).map(({ at, kind }) => ({ at: Date.parse(at), kind })),
      breaks: breaks.filter(({ at }) => at >= (open?.lastSignAt ?? from)),
    };
  });
}

interface SessionBefore {
  steam_id: string;
  since: string;
  started_at: string;
  ended_at: string | null;
  last_sign_at: string;
  has_join: boolean;
  end_reason: Session['endReason'];
  /** The last event of the session before `since`. */
  sign_at: string | null;
}

/** Returns each player's last session that began before `since`. */
function sessionsBefore(
  em: EntityManager,
  { licenseId, instanceId }: Place,
  due: readonly DueSessions[],
): Promise<SessionBefore[]> {
  return em.execute<SessionBefore[]>(
    `select due.steam_id, due.since, last.*, (
       select max(event.occurred_at) from player_event as event
       where event.license_id = last.license_id and event.instance_id = last.instance_id
         and event.steam_id = due.steam_id and event.occurred_at >= last.started_at
         and event.occurred_at < due.since
     ) as sign_at
     from jsonb_to_recordset(?::jsonb) as due(steam_id text, since timestamptz)
     cross join lateral (
       select license_id, instance_id, started_at, ended_at, last_sign_at, has_join, end_reason
       from player_session as session
       where session.license_id = ? and session.instance_id = ? and session.steam_id = due.steam_id
         and session.started_at < due.since
       order by started_at desc limit 1
     ) as last`,
    [JSON.stringify(due), licenseId, instanceId],
  );
}

/**
 * Returns the session as open at `since`, if it may have lasted until then: it ended at or after `since`, or it ended
 * earlier without a leave and `since` is at most 24 hours after its last event. Later facts may change such an end.
 */
function openOf(row: SessionBefore): Session | undefined {
  const since = Date.parse(row.since);
  const lastSignAt = Date.parse(row.last_sign_at);
  const endedAt = row.ended_at === null ? Infinity : Date.parse(row.ended_at);
  const canLast = row.end_reason !== 'leave' && since <= lastSignAt + silenceMs;
  if (endedAt < since && !canLast) return undefined;
  return {
    startedAt: Date.parse(row.started_at),
    endedAt: null,
    lastSignAt: Math.min(lastSignAt, Date.parse(row.sign_at ?? row.started_at)),
    hasJoin: row.has_join,
    endReason: null,
  };
}

interface Sign {
  steam_id: string;
  at: string;
  kind: SessionSign['kind'];
}

function signsSince(
  em: EntityManager,
  { licenseId, instanceId }: Place,
  due: readonly DueSessions[],
): Promise<Sign[]> {
  return em.execute<Sign[]>(
    `select event.steam_id, event.occurred_at as at, event.kind
     from jsonb_to_recordset(?::jsonb) as due(steam_id text, since timestamptz)
     join player_event as event on event.steam_id = due.steam_id and event.occurred_at >= due.since
     where event.license_id = ? and event.instance_id = ?`,
    [JSON.stringify(due), licenseId, instanceId],
  );
}

type State = GameInstance['state'];

/** States in which no process of the game server is known. */
const withoutProcess: readonly State[] = ['offline', 'stopped', 'crashed'];

/** Returns the state changes that end sessions. */
async function breaksSince(
  em: EntityManager,
  { licenseId, instanceId }: Place,
  since: number,
): Promise<Break[]> {
  const rows = await em.execute<{ at: string; before: State | null; state: State }[]>(
    `select from_at as at, lag(state) over (order by from_at) as before, state from instance_state_interval
     where license_id = ? and instance_id = ? and (to_at is null or to_at >= ?) order by from_at`,
    [licenseId, instanceId, new Date(since).toISOString()],
  );
  return rows.flatMap(({ at, before, state }): Break[] => {
    if (before === null || before === state) return [];
    if (withoutProcess.includes(before)) return [{ at: Date.parse(at), wasRunning: false }];
    if (withoutProcess.includes(state) || state === 'starting')
      return [{ at: Date.parse(at), wasRunning: true }];
    return [];
  });
}
