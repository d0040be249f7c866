// Which orders count towards purchase limits: those that are paid, and those that can still be.
import { sql, type RawBuilder } from 'kysely';

/** Holds for rows of `store_order`, under that alias, whose units are taken. */
export const counting = (alias: string): RawBuilder<boolean> => {
  const status = sql.ref(`${alias}.status`);
  // A checkout may have been paid until its provider says that it was not.
  return sql<boolean>`(${status} in ('paid', 'partially_refunded') or ${status} = 'pending'
    and (${sql.ref(`${alias}.expires_at`)} > now() or ${sql.ref(`${alias}.checkout_reference`)} is not null))`;
};
