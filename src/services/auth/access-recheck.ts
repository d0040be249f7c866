// Rechecks access during long operations: a caller's access may have ended since the operation began.
import type { Ctx, PermissionMap, Principal, SessionPrincipal } from '../../context.ts';
import { unauthorized } from '../../errors.ts';
import type { ApiKeyPrincipals } from './api-key-principals.ts';
import { authorize } from './authorization.ts';
import type { Principals, SessionClaims } from './principals.ts';

/** What the operation requires of its caller. */
export interface AccessRequirement {
  scheme: 'bearerAuth' | 'superAdmin';
  permissions: readonly string[];
  allowsRevoked?: boolean;
}

interface Asked {
  claims: SessionClaims;
  known: PromiseWithResolvers<SessionPrincipal>;
}

/** Sessions looked up in one query. */
const askedAtOnce = 1_000;

export class LastingAccess {
  readonly #principals: Principals;
  readonly #apiKeys: ApiKeyPrincipals;
  /** Lookups that wait for the running query to end. */
  #asked: Asked[] = [];
  #isAsking = false;

  constructor(principals: Principals, apiKeys: ApiKeyPrincipals) {
    this.#principals = principals;
    this.#apiKeys = apiKeys;
  }

  /** Throws once the caller's access has ended. An access token that has expired meanwhile is accepted. */
  async refuseEnded(ctx: Ctx, requirement: AccessRequirement): Promise<void> {
    await this.permissionsNow(ctx, requirement);
  }

  /** As `refuseEnded`; returns the permissions that the caller has now. */
  async permissionsNow(
    ctx: Ctx,
    { scheme, permissions, allowsRevoked = false }: AccessRequirement,
  ): Promise<PermissionMap> {
    const principal = await this.#principalNow(ctx);
    authorize(principal, scheme, permissions, { allowsRevoked });
    return principal.license?.permissions ?? {};
  }

  async #principalNow({ principal, source }: Ctx): Promise<Principal> {
    if (principal.kind === 'api_key') return this.#apiKeys.findAgain(principal, source);
    if (principal.kind !== 'user') throw unauthorized();
    const { userId, sessionId, license } = principal;
    const claims = { sub: userId, sid: sessionId, license_id: license?.id ?? null };
    return { ...principal, ...(await this.#find(claims)) };
  }

  /**
   * Batches lookups: callers that arrive during a query share the next one. Otherwise thousands of streams rechecked in one
   * minute would take every database connection.
   */
  #find(claims: SessionClaims): Promise<SessionPrincipal> {
    const known = Promise.withResolvers<SessionPrincipal>();
    this.#asked.push({ claims, known });
    if (!this.#isAsking) void this.#askForAll();
    return known.promise;
  }

  async #askForAll(): Promise<void> {
    this.#isAsking = true;
    while (this.#asked.length > 0) {
      const asked = this.#asked.splice(0, askedAtOnce);
      try {
        const found = await this.#principals.findAll(asked.map(({ claims }) => claims));
        for (const [index, { known }] of asked.entries()) {
          const principal = found[index];
          if (principal === undefined) known.reject(unauthorized());
          else known.resolve(principal);
        }
      } catch (error) {
        for (const { known } of asked) known.reject(error);
      }
    }
    this.#isAsking = false;
  }
}
