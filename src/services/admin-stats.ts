// The platform's key figures, which leave sandboxes out.
import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { recurringRevenue } from './admin-subscriptions.ts';
import type { Administration } from './auth/administration.ts';

export type PlatformFigures = Awaited<ReturnType<AdminStats['get']>>;

export class AdminStats {
  readonly #administration: Administration;

  constructor(administration: Administration) {
    this.#administration = administration;
  }

  async get(ctx: Ctx) {
    return this.#administration.read(ctx, async (queries) => {
      const sandboxes = queries.selectFrom('sandbox').select('license_id');
      const licenses = await queries
        .selectFrom('license')
        .where('is_sandbox', '=', false)
        .select(({ fn }) => [
          fn.countAll<number>().filterWhere('status', '=', 'active').as('active'),
          fn
            .countAll<number>()
            .filterWhere('status', '=', 'revoked')
            .filterWhere('revoked_by', 'is distinct from', 'reseller')
            .as('revoked'),
          fn
            .countAll<number>()
            .filterWhere('status', '=', 'revoked')
            .filterWhere('revoked_by', '=', 'reseller')
            .as('suspended'),
          ...added,
        ])
        .executeTakeFirstOrThrow();
      const users = await queries
        .selectFrom('user_account')
        .where('sandbox_license_id', 'is', null)
        .select(({ fn }) => [
          fn.countAll<number>().as('total'),
          fn.countAll<number>().filterWhere('is_disabled', '=', true).as('disabled'),
          fn.countAll<number>().filterWhere('is_super_admin', '=', true).as('super_admins'),
          ...added,
        ])
        .executeTakeFirstOrThrow();
      const hosts = await queries
        .selectFrom('agent_host')
        .where('license_id', 'not in', sandboxes)
        .select(({ fn }) => [
          fn.countAll<number>().as('total'),
          fn.countAll<number>().filterWhere('status', '=', 'online').as('online'),
          ...added,
        ])
        .executeTakeFirstOrThrow();
      const instances = await queries
        .selectFrom('game_instance')
        .where('license_id', 'not in', sandboxes)
        .select(({ fn }) => [
          fn.countAll<number>().as('total'),
          fn.countAll<number>().filterWhere('state', '=', 'running').as('running'),
        ])
        .executeTakeFirstOrThrow();
      const signups = await queries
        .selectFrom('early_access_signup')
        .select(({ fn }) => [fn.countAll<number>().as('total'), ...added])
        .executeTakeFirstOrThrow();
      return { licenses, users, hosts, instances, signups, revenue: (await recurringRevenue(queries)).total };
    });
  }
}

/** Counts the rows of two periods of 30 days by their `created_at`. */
const added = [
  sql<number>`count(*) filter (where created_at > now() - interval '30 days')`.as('added'),
  sql<number>`count(*) filter (where created_at between now() - interval '60 days' and now() - interval '30 days')`.as(
    'added_before',
  ),
] as const;
