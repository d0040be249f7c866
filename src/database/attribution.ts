// Attributes a running transaction to a user once that user is known; the audit log then names them.
import type { EntityManager } from './connection.ts';

/** Only fills in a missing actor: a job or a signed-in user stays the actor. */
export async function attributeToUser(
  em: EntityManager,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await em.execute(
    `select set_config('app.attribution', (attribution || ?::jsonb)::text, true)
     from (select nullif(current_setting('app.attribution', true), '')::jsonb as attribution) as so_far
     where attribution ->> 'actor_kind' = 'anonymous'`,
    [JSON.stringify({ actor_kind: 'user', actor_id: id, actor_label: email })],
  );
}
