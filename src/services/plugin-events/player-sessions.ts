// Derives players' sessions again wherever new facts may change them; each session is written once.
import pLimit from 'p-limit';
import { BatchSize } from '../../database/batch-size.ts';
import type { EntityManager } from '../../database/connection.ts';
import { distinctOf } from '../../database/distinct-values.ts';
import type { TenantScope } from '../../database/tenant-scope.ts';
import { factsOf, type DueSessions, type Facts } from './facts.ts';
import { sessionsOf, silenceMs, type Session } from './session-rules.ts';

/** Each instance needs a database connection. */
const instancesAtOnce = 2;
const maxDueInstances = 200;
/** Limits the batch: the instance's heartbeats wait while its players' sessions are derived. */
const maxPlayers = 200;
const silentAtOnce = 1_000;

interface DueInstance {
  license_id: string;
  instance_id: string;
}

/**
 * Makes silent sessions due, and returns due instances in random order, so that one that fails does not block the
 * others indefinitely.
 */
export async function findDueSessions(em: EntityManager): Promise<DueInstance[]> {
  await em.execute(
    `insert into player_session_due as due (license_id, instance_id, steam_id, since)
     select license_id, instance_id, steam_id, min(started_at) from (
       select license_id, instance_id, steam_id, started_at from player_session
       where ended_at is null and last_sign_at < now() - make_interval(secs => ?) order by last_sign_at limit ?
     ) as silent
     group by license_id, instance_id, steam_id order by instance_id, steam_id
     on conflict (license_id, instance_id, steam_id) do update set since = least(due.since, excluded.since)`,
    [silenceMs / 1_000, silentAtOnce],
  );
  return em.execute<DueInstance[]>(
    `select * from ${distinctOf(['license_id', 'instance_id'], 'player_session_due')} as due
     order by random() limit ?`,
    [maxDueInstances],
  );
}

export class PlayerSessions {
  readonly #find: () => Promise<DueInstance[]>;
  readonly #tenant: TenantScope;

  /** `find` runs `findDueSessions` on the sessions of every license. */
  constructor(find: () => Promise<DueInstance[]>, tenant: TenantScope) {
    this.#find = find;
    this.#tenant = tenant;
  }

  /** Derives all due sessions once. Replicas may run this concurrently. */
  async deriveDue(): Promise<void> {
    const failures: unknown[] = [];
    const limit = pLimit(instancesAtOnce);
    await limit.map(await this.#find(), (instance) =>
      this.#deriveInstance(instance).catch((error: unknown) => failures.push(error)),
    );
    if (failures.length > 0)
      throw new AggregateError(failures, `the sessions of ${failures.length} instances could not be derived`);
  }

  async #deriveInstance({ license_id, instance_id }: DueInstance): Promise<void> {
    const batch = new BatchSize(maxPlayers);
    let isMore: boolean;
    do
      isMore = await batch.take(async (size) => {
        const count = await this.#tenant.transact(license_id, (em) =>
          deriveSome(em, { licenseId: license_id, instanceId: instance_id, size }),
        );
        return count === size;
      });
    while (isMore);
  }
}

/** Returns how many players were processed. Facts that arrive meanwhile make their players due again. */
async function deriveSome(
  em: EntityManager,
  { licenseId, instanceId, size }: { licenseId: string; instanceId: string; size: number },
): Promise<number> {
  // A process that changes the instance's state holds its row lock: this waits for uncommitted changes.
  await em.execute('select from game_instance where id = ? for share', [instanceId]);
  const due = await em.execute<DueSessions[]>(
    `select steam_id, since from player_session_due where license_id = ? and instance_id = ?
     order by steam_id limit ? for update skip locked`,
    [licenseId, instanceId, size],
  );
  if (due.length === 0) return 0;
  const now = Date.now();
  const facts = await factsOf(em, { licenseId, instanceId, due });
  await replaceSessions(
    em,
    { licenseId, instanceId },
    facts.map((known) => ({
      known,
      sessions: sessionsOf(known.open, known.signs, known.breaks, now),
    })),
  );
  return due.length;
}

async function replaceSessions(
  em: EntityManager,
  { licenseId, instanceId }: { licenseId: string; instanceId: string },
  derived: readonly { known: Facts; sessions: Session[] }[],
): Promise<void> {
  const outdated = derived.map(({ known: { steamId, from } }) => ({ steam_id: steamId, since: iso(from) }));
  const steamIds = JSON.stringify(outdated);
  await em.execute(
    `delete from player_session as session
     using jsonb_to_recordset(?::jsonb) as outdated(steam_id text, since timestamptz)
     where session.license_id = ? and session.instance_id = ? and session.steam_id = outdated.steam_id
       and session.started_at >= outdated.since`,
    [steamIds, licenseId, instanceId],
  );
  const rows = derived.flatMap(({ known, sessions }) => sessions.map((session) => rowOf(known, session)));
  await em.execute(
    `insert into player_session (instance_id, steam_id, started_at, ended_at, last_sign_at, has_join, end_reason)
     select ?, * from jsonb_to_recordset(?::jsonb) as session(steam_id text, started_at timestamptz,
       ended_at timestamptz, last_sign_at timestamptz, has_join boolean, end_reason text)`,
    [instanceId, JSON.stringify(rows)],
  );
  await em.execute(
    `delete from player_session_due as due
     using jsonb_to_recordset(?::jsonb) as outdated(steam_id text)
     where due.license_id = ? and due.instance_id = ? and due.steam_id = outdated.steam_id`,
    [steamIds, licenseId, instanceId],
  );
}

const iso = (ms: number) => new Date(ms).toISOString();

function rowOf({ steamId }: Facts, { startedAt, endedAt, lastSignAt, hasJoin, endReason }: Session) {
  return {
    steam_id: steamId,
    started_at: iso(startedAt),
    ended_at: endedAt === null ? null : iso(endedAt),
    last_sign_at: iso(lastSignAt),
    has_join: hasJoin,
    end_reason: endReason,
  };
}
