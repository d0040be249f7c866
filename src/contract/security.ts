// Decides from an operation's `security` who is calling and whether they may.
import type { IncomingMessage } from 'node:http';
import { DomainError, unauthorized } from '../errors.ts';
import type { Document, Operation, SecurityRequirement } from './document.ts';

/** Says who sent the request and refuses them unless they hold every permission named. */
export type SchemeHandler<Principal> = (
  request: IncomingMessage,
  permissions: readonly string[],
) => Promise<Principal>;

export type SchemeHandlers<Principal> = Readonly<Record<string, SchemeHandler<Principal>>>;

export class Security<Principal> {
  readonly #schemes: SchemeHandlers<Principal>;
  readonly #anonymous: Principal;

  /** Throws when a scheme of the document has no handler, so that nothing is ever let in for want of one. */
  constructor(document: Document, schemes: SchemeHandlers<Principal>, anonymous: Principal) {
    for (const name of Object.keys(document.components.securitySchemes ?? {})) {
      if (schemes[name] === undefined) throw new Error(`the security scheme ${name} has no handler`);
    }
    this.#schemes = schemes;
    this.#anonymous = anonymous;
  }

  /** The principal of the first alternative that lets the caller in; otherwise throws the most telling refusal. */
  async authorize(request: IncomingMessage, { security, id }: Operation): Promise<Principal> {
    if (security.length === 0) return this.#anonymous;
    let refusal: DomainError | undefined;
    for (const requirement of security) {
      try {
        return await this.#satisfy(request, requirement, id);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        if (refusal === undefined || refusal.code === 'unauthorized') refusal = error;
      }
    }
    throw refusal ?? unauthorized();
  }

  async #satisfy(request: IncomingMessage, requirement: SecurityRequirement, id: string): Promise<Principal> {
    const [entry, ...others] = Object.entries(requirement);
    if (entry === undefined || others.length > 0)
      throw new Error(`${id}: a security alternative names one scheme`);
    const [name, permissions] = entry;
    const scheme = this.#schemes[name];
    if (scheme === undefined) throw new Error(`the security scheme ${name} has no handler`);
    return scheme(request, permissions);
  }
}

/** The credential of an `Authorization: Bearer` header. */
export function bearerToken(request: IncomingMessage): string {
  const match = /^Bearer ([\x21-\x7e]{1,8192})$/i.exec(request.headers.authorization ?? '');
  if (match?.[1] === undefined) throw unauthorized();
  return match[1];
}
