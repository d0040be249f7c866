// The platform's key figures, which leave sandboxes out.
import type { Ctx } from '../context.ts';
import { readAdditions, readCounts, type CountRow, type Figure } from '../platform-counts/counts.ts';
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
      const counts = await readCounts(queries, ['licenses', 'users', 'hosts', 'instances', 'signups']);
      const sum = (figure: Figure, isWanted: (count: CountRow) => boolean = () => true) =>
        counts.reduce((n, count) => (count.figure === figure && isWanted(count) ? n + count.n : n), 0);
      const withKey = (wanted: string) => (count: CountRow) => count.key === wanted;
      return {
        licenses: {
          active: sum('licenses', withKey('active')),
          revoked: sum('licenses', withKey('revoked')),
          suspended: sum('licenses', withKey('suspended')),
          ...(await readAdditions(queries, 'licenses_added')),
        },
        users: {
          total: sum('users'),
          disabled: sum('users', withKey('disabled')),
          super_admins: sum('users', ({ detail }) => detail === 'super_admin'),
          ...(await readAdditions(queries, 'users_added')),
        },
        hosts: {
          total: sum('hosts'),
          online: sum('hosts', withKey('online')),
          ...(await readAdditions(queries, 'hosts_added')),
        },
        instances: { total: sum('instances'), running: sum('instances', withKey('running')) },
        signups: { total: sum('signups'), ...(await readAdditions(queries, 'signups_added')) },
        revenue: (await recurringRevenue(queries)).total,
      };
    });
  }
}
