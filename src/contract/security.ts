// Authenticates and authorizes callers by an operation's `security`.
import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'cookie';
import { DomainError, isRefusal, unauthorized } from '../errors.ts';
import { operationsOf, type Document, type Operation, type SecurityRequirement } from './document.ts';

/** The parts of a request that identify its sender. */
export interface Sender {
  headers: IncomingHttpHeaders;
  /** Address that the request came from. */
  source: string;
  /** The value of the body field that can carry the credential instead of a header. */
  bodyCredential?: string | undefined;
}

/** Whether the request has any credentials, valid or not. */
export function bringsCredentials({ headers, bodyCredential }: Sender): boolean {
  const all = [headers.authorization, headers['x-api-key'], headers['x-license-key'], bodyCredential];
  return all.some((credential) => credential !== undefined);
}

/** The credentials of a request. */
export class Credentials {
  readonly source: string;
  readonly #headers: IncomingHttpHeaders;
  readonly #bodyCredential: string | undefined;

  constructor({ headers, source, bodyCredential }: Sender) {
    this.#headers = headers;
    this.source = source;
    this.#bodyCredential = bodyCredential;
  }

  /** The credential of `Authorization: Bearer`. */
  get bearer(): string {
    const match = /^Bearer ([\x21-\x7e]{1,8192})$/i.exec(this.#headers.authorization ?? '');
    if (match?.[1] === undefined) throw unauthorized();
    return match[1];
  }

  /** The credential of `X-Api-Key` or, failing that, of `Authorization: Bearer`. */
  get apiKey(): string {
    const key = this.#headers['x-api-key'];
    return typeof key === 'string' ? key : this.bearer;
  }

  /** The value of the header. */
  header(name: string): string {
    const value = this.#headers[name.toLowerCase()];
    if (typeof value !== 'string') throw unauthorized();
    return value;
  }

  /** The value of the cookie. */
  cookie(name: string): string {
    const value = parse(this.#headers.cookie ?? '')[name];
    if (value === undefined) throw unauthorized();
    return value;
  }

  /** The credential of `X-License-Key` or, failing that, of the body. */
  get licenseKey(): string {
    const key = this.#headers['x-license-key'] ?? this.#bodyCredential;
    if (typeof key !== 'string') throw unauthorized();
    return key;
  }
}

/** Returns the principal, or throws `unauthorized`. Permissions are checked elsewhere. */
export type Scheme<Principal> = (credentials: Credentials) => Promise<Principal>;

/** Throws unless the principal may call the operation, which requires these permissions in this scheme. */
export type Authorize<Principal> = (
  principal: Principal,
  scheme: string,
  permissions: readonly string[],
  operation: Operation,
) => void | Promise<void>;

export interface SecurityOptions<Principal> {
  schemes: Readonly<Record<string, Scheme<Principal>>>;
  authorize: Authorize<Principal>;
  /** Throws unless the principal has confirmed their identity recently; required by operations with `x-step-up`. */
  confirm?: (principal: Principal) => Promise<void>;
  /** The refusal of a valid credential of a scheme that the operation does not take. Without it: `unauthorized`. */
  refuseOtherScheme?: (operation: Operation, scheme: string) => DomainError;
  anonymous: Principal;
}

export class Security<Principal> {
  readonly #options: SecurityOptions<Principal>;

  /** Throws if a scheme or a step-up of the document has no handler, so that a missing handler never grants access. */
  constructor(document: Document, options: SecurityOptions<Principal>) {
    for (const name of Object.keys(document.components.securitySchemes ?? {})) {
      if (options.schemes[name] === undefined) throw new Error(`the security scheme ${name} has no handler`);
    }
    const withStepUp = operationsOf(document).find(({ requiresStepUp }) => requiresStepUp);
    if (withStepUp !== undefined && options.confirm === undefined)
      throw new Error(`${withStepUp.id}: step-ups have no handler`);
    this.#options = options;
  }

  /** The principal of the first alternative that accepts the caller; otherwise throws the most specific refusal. */
  async authorize(sender: Sender, operation: Operation): Promise<Principal> {
    const { security } = operation;
    if (security.length === 0) return this.#options.anonymous;
    const credentials = new Credentials(sender);
    let refusal: DomainError | undefined;
    for (const requirement of security) {
      try {
        return await this.#satisfy(credentials, requirement, operation);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        if (refusal === undefined || refusal.code === 'unauthorized') refusal = error as DomainError;
      }
    }
    if (refusal === undefined || refusal.code === 'unauthorized')
      refusal = (await this.#refusalOfOtherSchemes(credentials, operation)) ?? refusal;
    throw refusal ?? unauthorized();
  }

  /** Called once the request is valid: people are not asked for a password before a form that is refused anyway. */
  async confirm(principal: Principal, { id, requiresStepUp }: Operation): Promise<void> {
    if (!requiresStepUp) return;
    if (this.#options.confirm === undefined) throw new Error(`${id}: step-ups have no handler`);
    await this.#options.confirm(principal);
  }

  /** Undefined unless the caller has valid credentials of a scheme that the operation does not take. */
  async #refusalOfOtherSchemes(
    credentials: Credentials,
    operation: Operation,
  ): Promise<DomainError | undefined> {
    const { schemes, refuseOtherScheme } = this.#options;
    if (refuseOtherScheme === undefined) return undefined;
    const tried = new Set(operation.security.flatMap(Object.keys).map((name) => schemes[name]));
    for (const [name, scheme] of Object.entries(schemes)) {
      if (tried.has(scheme)) continue;
      tried.add(scheme);
      if (await isKnown(scheme, credentials)) return refuseOtherScheme(operation, name);
    }
    return undefined;
  }

  async #satisfy(
    credentials: Credentials,
    requirement: SecurityRequirement,
    operation: Operation,
  ): Promise<Principal> {
    const [entry, ...others] = Object.entries(requirement);
    if (entry === undefined || others.length > 0)
      throw new Error(`${operation.id}: a security alternative names one scheme`);
    const [name, permissions] = entry;
    const scheme = this.#options.schemes[name];
    if (scheme === undefined) throw new Error(`the security scheme ${name} has no handler`);
    const principal = await scheme(credentials);
    await this.#options.authorize(principal, name, permissions, operation);
    return principal;
  }
}

/** A credential that is refused with any other code than `unauthorized` is genuine. */
async function isKnown<Principal>(scheme: Scheme<Principal>, credentials: Credentials): Promise<boolean> {
  try {
    await scheme(credentials);
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return error.code !== 'unauthorized';
  }
}
