// Access of super admins to every license's rows: given by the caller, never held by a service of its own.
import type { Ctx } from '../../context.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import type { Queries } from '../../database/reader.ts';
import { authorize } from './authorization.ts';

export class Administration {
  readonly #platform: PlatformScope;

  constructor(platform: PlatformScope) {
    this.#platform = platform;
  }

  /** Throws unless the caller is a super admin. */
  async read<T>({ principal }: Ctx, work: (queries: Queries) => Promise<T>): Promise<T> {
    authorize(principal, 'superAdmin', [], { allowsRevoked: true });
    return this.#platform.read('administration', work);
  }

  /** Throws unless the caller is a super admin. */
  async transact<T>(
    { principal }: Ctx,
    work: (em: EntityManager, queries: Queries) => Promise<T>,
  ): Promise<T> {
    authorize(principal, 'superAdmin', [], { allowsRevoked: true });
    return this.#platform.transact('administration', work);
  }
}
