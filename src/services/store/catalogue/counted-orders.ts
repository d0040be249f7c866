// Which orders count towards purchase limits: paid orders, and those that can still be paid.
import { sql, type RawBuilder } from 'kysely';

const isPaid = (alias: string): string => `${alias}.status in ('paid', 'partially_refunded')`;

/**
 * True for rows of `store_order`, under that alias, whose units are taken. The alias must be a constant, never user
 * input.
 */
export const takesUnits = (alias: string): string =>
  // A checkout may have been paid until its provider reports otherwise.
  `(${isPaid(alias)} or ${alias}.status = 'pending'
    and (${alias}.expires_at > now() or ${alias}.checkout_reference is not null))`;

/** The same condition as a query expression. */
export const counting = (alias: string): RawBuilder<boolean> => sql.raw<boolean>(takesUnits(alias));

/** True for rows of `store_order`, under that alias, whose units are paid for. */
export const ownsUnits = (alias: string): RawBuilder<boolean> => sql.raw<boolean>(isPaid(alias));
