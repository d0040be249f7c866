// Who is calling and what they may reach; the only place where a Ctx is made.
import type { Envelope } from './contract/router.ts';
import type { EntityManager } from './database/connection.ts';
import type { Queries } from './database/reader.ts';
import type { TenantScope } from './database/tenant-scope.ts';
import { DomainError, unauthorized } from './errors.ts';
import type { Services } from './services/index.ts';

export type PermissionMap = Readonly<Record<string, boolean>>;

/** A signed-in user, in the license of the access token if it carries one. */
export interface UserPrincipal {
  kind: 'user';
  userId: string;
  email: string;
  sessionId: string;
  isSuperAdmin: boolean;
  license: { id: string; role: string; permissions: PermissionMap; isRevoked: boolean } | null;
}

export type Principal =
  | { kind: 'anonymous' }
  | UserPrincipal
  /** Whoever holds a license's companion token. */
  | { kind: 'companion'; licenseId: string };

export const anonymous: Principal = { kind: 'anonymous' };

export class Ctx {
  readonly principal: Principal;
  readonly requestId: string;
  /** Address that the request came from. */
  readonly source: string;
  readonly services: Services;
  readonly #tenant: TenantScope;

  constructor(principal: Principal, envelope: Envelope, services: Services, tenant: TenantScope) {
    this.principal = principal;
    this.requestId = envelope.requestId;
    this.source = envelope.source;
    this.services = services;
    this.#tenant = tenant;
  }

  /** The signed-in user. */
  get user(): UserPrincipal {
    if (this.principal.kind !== 'user') throw unauthorized();
    return this.principal;
  }

  /** The license that the caller acts in. */
  get licenseId(): string {
    const { principal } = this;
    if (principal.kind === 'companion') return principal.licenseId;
    if (principal.kind !== 'user' || principal.license === null) throw licenseRequired();
    if (principal.license.isRevoked) throw licenseRevoked();
    return principal.license.id;
  }

  /** Who is asking, for records that people read. */
  get actor(): string | null {
    return this.principal.kind === 'user' ? this.principal.email : null;
  }

  /** Reads rows of the caller's license. */
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#tenant.read(this.licenseId, work);
  }

  /** Changes rows of the caller's license; all of it or nothing. */
  transact<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    return this.#tenant.transact(this.licenseId, work);
  }
}

export const licenseRequired = () =>
  new DomainError(
    'license_required',
    'Your access token carries no license; refresh it if you have just got one, or switch to one of yours.',
  );

export const licenseRevoked = () => new DomainError('license_revoked', 'This license is revoked.');
