// Rechecks access during long operations: a caller's access may have ended since the operation began.
import type { Ctx, PermissionMap, Principal } from '../../context.ts';
import { unauthorized } from '../../errors.ts';
import type { ApiKeyPrincipals } from './api-key-principals.ts';
import { authorize } from './authorization.ts';
import type { Principals } from './principals.ts';

/** What the operation requires of its caller. */
export interface AccessRequirement {
  scheme: 'bearerAuth' | 'superAdmin';
  permissions: readonly string[];
  allowsRevoked?: boolean;
}

export class LastingAccess {
  readonly #principals: Principals;
  readonly #apiKeys: ApiKeyPrincipals;

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
    return { ...principal, ...(await this.#principals.find(claims)) };
  }
}
