// Builds the Ctx of every operation and job: who is calling and what they may access.
import type { Envelope } from './contract/router.ts';
import type { EntityManager } from './database/connection.ts';
import type { Queries } from './database/reader.ts';
import type { TenantScope } from './database/tenant-scope.ts';
import type { Transactions } from './database/transactions.ts';
import { DomainError, unauthorized } from './errors.ts';

export type PermissionMap = Readonly<Record<string, boolean>>;

/** The actor of a change, as audit records name it. */
export interface Actor {
  kind: 'user' | 'companion' | 'api_key' | 'job' | 'plugin' | 'reseller';
  id: string;
  /** A human-readable name, for example an e-mail address. */
  label: string;
}

/** A license that a principal acts in, and the principal's permissions there. */
export interface LicenseAccess {
  id: string;
  role: string;
  permissions: PermissionMap;
  isRevoked: boolean;
}

interface AnonymousPrincipal {
  kind: 'anonymous';
  actor: null;
  license: null;
}

/** A session's current user, in the license of the session's access token if it carries one. */
export interface SessionPrincipal {
  kind: 'user';
  actor: Actor;
  license: LicenseAccess | null;
  userId: string;
  email: string;
  sessionId: string;
  isSuperAdmin: boolean;
}

/** A signed-in user, as identified by their access token. */
export interface UserPrincipal extends SessionPrincipal {
  /** When the presented access token expires. */
  accessEndsAt: Date;
}

/**
 * What an agent has signed in with: the hash of the license's companion token, or the host's own key. Either may be
 * replaced while the request runs.
 */
export type AgentCredential = { tokenHash: string } | { hostId: string; publicKey: string };

/** A holder of a license's companion token, or a host with a credential of its own. */
interface CompanionPrincipal {
  kind: 'companion';
  actor: Actor;
  license: LicenseAccess;
  credential: AgentCredential;
}

/** A program with an API key of a license. */
export interface ApiKeyPrincipal {
  kind: 'api_key';
  /** The non-secret part of the key that identifies it. */
  identifier: string;
  actor: Actor;
  license: LicenseAccess;
}

/** A plugin of a game server, with its license's key. */
interface PluginPrincipal {
  kind: 'plugin';
  actor: Actor;
  license: LicenseAccess;
}

/** A job that works in a license. It has no permissions: its creator was authorized when it was created. */
interface JobPrincipal {
  kind: 'job';
  actor: Actor;
  license: LicenseAccess;
}

/** A hosting company that sells licenses, authenticated by its API key. */
interface ResellerPrincipal {
  kind: 'reseller';
  actor: Actor;
  license: null;
  resellerId: string;
}

export type Principal =
  | AnonymousPrincipal
  | UserPrincipal
  | CompanionPrincipal
  | ApiKeyPrincipal
  | JobPrincipal
  | PluginPrincipal
  | ResellerPrincipal;

export const anonymous: Principal = { kind: 'anonymous', actor: null, license: null };

/** Creates the Ctx of every operation and job. */
export class Contexts {
  readonly #tenant: TenantScope;
  readonly #transactions: Transactions;

  constructor(tenant: TenantScope, transactions: Transactions) {
    this.#tenant = tenant;
    this.#transactions = transactions;
  }

  forRequest(principal: Principal, envelope: Envelope): Ctx {
    return new Ctx(principal, envelope, this.#tenant);
  }

  /** Runs a job's work in a license, revoked or not; the audit log names the job. */
  forJob<T>(name: string, licenseId: string, work: (ctx: Ctx) => Promise<T>): Promise<T> {
    const actor = jobNamed(name);
    const license = { id: licenseId, role: '', permissions: {}, isRevoked: false };
    const ctx = new Ctx(
      { kind: 'job', actor, license },
      { requestId: '', source: '', userAgent: null, allowsRevoked: true },
      this.#tenant,
    );
    return this.#transactions.attribute({ actor, operation: name }, () => work(ctx));
  }

  /** Runs a job's work on the rows of many licenses; the audit log names the job. */
  forJobOfMany<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#transactions.attribute({ actor: jobNamed(name), operation: name }, work);
  }

  /** Runs an operation's work for its caller, whom the audit log names. */
  run<T>({ actor, requestId, source }: Ctx, operation: string, work: () => Promise<T>): Promise<T> {
    return this.#transactions.attribute({ actor, operation, requestId, source }, work);
  }

  /** As `run`, for an operation that may change the caller's license: later reads of this process show the changes. */
  async runChanging<T>(ctx: Ctx, operation: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.run(ctx, operation, work);
    } finally {
      // A failed operation may have committed a part.
      const { license } = ctx.principal;
      if (license !== null) this.#tenant.recordChange(license.id);
    }
  }
}

const jobNamed = (name: string): Actor => ({ kind: 'job', id: name, label: name });

class Ctx {
  readonly principal: Principal;
  readonly requestId: string;
  /** Address that the request came from. */
  readonly source: string;
  /** The program that sent the request, as it calls itself; null if it does not. */
  readonly userAgent: string | null;
  readonly #allowsRevoked: boolean;
  readonly #tenant: TenantScope;

  constructor(principal: Principal, envelope: Envelope, tenant: TenantScope) {
    this.principal = principal;
    this.requestId = envelope.requestId;
    this.source = envelope.source;
    this.userAgent = envelope.userAgent;
    this.#allowsRevoked = envelope.allowsRevoked;
    this.#tenant = tenant;
  }

  /** The signed-in user. */
  get user(): UserPrincipal {
    if (this.principal.kind !== 'user') throw unauthorized();
    return this.principal;
  }

  /** What the calling agent has signed in with. */
  get agentCredential(): AgentCredential {
    if (this.principal.kind !== 'companion') throw unauthorized();
    return this.principal.credential;
  }

  /** The reseller that is calling. */
  get resellerId(): string {
    if (this.principal.kind !== 'reseller') throw unauthorized();
    return this.principal.resellerId;
  }

  /** The license that the caller acts in. */
  get licenseId(): string {
    return this.license.id;
  }

  /** The license that the caller acts in, and the caller's permissions there. */
  get license(): LicenseAccess {
    const license = licenseOf(this.principal);
    if (license.isRevoked && !this.#allowsRevoked) throw licenseRevoked();
    return license;
  }

  /** The actor for records that people read. */
  get actor(): Actor | null {
    return this.principal.actor;
  }

  /** Reads rows of the caller's license. */
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#tenant.read(this.licenseId, work);
  }

  /**
   * Reads rows of the caller's license that may be a few seconds old: for figures and exports. They have what this
   * process has changed for callers of the license.
   */
  readLagging<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#tenant.readLagging(this.licenseId, work);
  }

  /** Changes rows of the caller's license atomically. `queries` see what the work has flushed. */
  transact<T>(work: (em: EntityManager, queries: Queries) => Promise<T>): Promise<T> {
    return this.#tenant.transact(this.licenseId, work);
  }
}
export type { Ctx };

function licenseOf({ license }: Principal): LicenseAccess {
  if (license === null) throw licenseRequired();
  return license;
}

export const licenseRequired = () =>
  new DomainError(
    'license_required',
    'Your access token carries no license; refresh it if you have just got one, or switch to one of yours.',
  );

export const licenseRevoked = () => new DomainError('license_revoked', 'This license is revoked.');
