// Names the user that a running transaction turns out to be for: the audit log does from there on.
import type { EntityManager } from './connection.ts';

/** Only who was nobody so far becomes somebody: a job or a signed-in user stays who they are. */
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
