// What happens within a license that others may want to hear of, written where and when it becomes true.
import type { EntityManager } from '../database/connection.ts';

/** The events there are, with what is told of each. */
export interface DomainEvents {
  /** The subject is the player action. */
  player_banned: {
    instance_id: string | null;
    instance_name: string;
    steam_id: string;
    reason: string | null;
    until: string | null;
    requested_by: string | null;
  };
  /** The subject is the wipe. */
  wipe_completed: {
    instance_id: string | null;
    instance_name: string;
    kind: 'map' | 'blueprints' | 'full';
    seed: number | null;
    world_size: number | null;
    map_id: string | null;
    requested_by: string | null;
  };
}

export interface Occurrence<Kind extends keyof DomainEvents> {
  licenseId: string;
  /** What it happened to; of each subject an event of a kind is kept once, however often it is recorded. */
  subjectId: string;
  data: DomainEvents[Kind];
}

/** Call it in the transaction that makes it true. */
export async function recordEvent<Kind extends keyof DomainEvents>(
  em: EntityManager,
  kind: Kind,
  { licenseId, subjectId, data }: Occurrence<Kind>,
): Promise<void> {
  await em.execute(
    `insert into domain_event (license_id, kind, subject_id, data) values (?, ?, ?, ?::jsonb)
     on conflict (license_id, kind, subject_id) do nothing`,
    [licenseId, kind, subjectId, JSON.stringify(data)],
  );
}
