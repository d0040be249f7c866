// Who may call: the security schemes of the contract, and what they and their permissions ask of a principal.
import { activeLicense, anonymous, type Principal } from '../../context.ts';
import type { SecurityOptions } from '../../contract/security.ts';
import { DomainError } from '../../errors.ts';
import type { Agents } from '../agents.ts';
import { grants } from '../permissions.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { ApiKeyPrincipals } from './api-key-principals.ts';
import type { Principals } from './principals.ts';

export interface SchemeServices {
  tokens: AccessTokens;
  principals: Principals;
  apiKeys: ApiKeyPrincipals;
  agents: Agents;
}

export function createSecurity({
  tokens,
  principals,
  apiKeys,
  agents,
}: SchemeServices): SecurityOptions<Principal> {
  const accessToken = async ({ bearer }: { bearer: string }) => principals.find(await tokens.verify(bearer));
  return {
    schemes: {
      apiKey: ({ apiKey, source }) => apiKeys.find(apiKey, source),
      bearerAuth: accessToken,
      superAdmin: accessToken,
      companionToken: ({ bearer }) => agents.companionOf(bearer),
    },
    authorize,
    anonymous,
  };
}

function authorize(principal: Principal, scheme: string, permissions: readonly string[]): void {
  if (scheme === 'superAdmin' && !(principal.kind === 'user' && principal.isSuperAdmin)) {
    throw new DomainError('forbidden', 'This is for super admins of the platform.');
  }
  if (permissions.length === 0) return;
  const held = activeLicense(principal).permissions;
  const missing = permissions.filter((permission) => !grants(held, permission));
  if (missing.length > 0) {
    throw new DomainError('forbidden', `This needs the permission ${missing.join(', ')}.`);
  }
}
