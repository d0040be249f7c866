// Which orders count towards purchase limits: those that are paid, and those that can still be.
import { sql, type RawBuilder } from 'kysely';

const isPaid = (alias: string): string => `${alias}.status in ('paid', 'partially_refunded')`;

/** Holds for rows of `store_order`, under that alias, whose units are taken. The alias is ours, never a caller's. */
export const takesUnits = (alias: string): string =>
  // A checkout may have been paid until its provider says that it was not.
  `(${isPaid(alias)} or ${alias}.status = 'pending'
    and (${alias}.expires_at > now() or ${alias}.checkout_reference is not null))`;

/** The same as an expression of a query. */
export const counting = (alias: string): RawBuilder<boolean> => sql.raw<boolean>(takesUnits(alias));

/** Holds for rows of `store_order`, under that alias, whose units are paid for. */
export const ownsUnits = (alias: string): RawBuilder<boolean> => sql.raw<boolean>(isPaid(alias));
