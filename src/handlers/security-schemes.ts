// Implements the security schemes of the contract: identifies the caller.
import { anonymous, type Principal } from '../context.ts';
import { takesOnlyUsers } from '../contract/operation-problems.ts';
import type { SecurityOptions } from '../contract/security.ts';
import { DomainError } from '../errors.ts';
import type { Agents } from '../services/agents/index.ts';
import type { AccessTokens } from '../services/auth/access-tokens.ts';
import { authorize } from '../services/auth/authorization.ts';
import type { ApiKeyPrincipals } from '../services/auth/api-key-principals.ts';
import type { LicenseKeys } from '../services/auth/license-keys.ts';
import type { Principals } from '../services/auth/principals.ts';
import type { ResellerKeys } from '../services/auth/reseller-keys.ts';
import type { StepUps } from '../services/auth/step-ups.ts';

export interface SchemeServices {
  tokens: AccessTokens;
  principals: Principals;
  stepUps: StepUps;
  apiKeys: ApiKeyPrincipals;
  agents: Agents;
  licenseKeys: LicenseKeys;
  resellerKeys: ResellerKeys;
}

export function createSecurity({
  tokens,
  principals,
  stepUps,
  apiKeys,
  agents,
  licenseKeys,
  resellerKeys,
}: SchemeServices): SecurityOptions<Principal> {
  const accessToken = async ({ bearer }: { bearer: string }) => {
    const claims = await tokens.verify(bearer);
    return { ...(await principals.find(claims)), accessEndsAt: new Date(claims.exp * 1000) };
  };
  return {
    schemes: {
      apiKey: ({ apiKey, source }) => apiKeys.find(apiKey, source),
      bearerAuth: accessToken,
      superAdmin: accessToken,
      companionToken: ({ bearer }) => agents.companionOf(bearer),
      hostKey: ({ bearer }) => resellerKeys.find(bearer),
      licenseKey: ({ licenseKey }) => licenseKeys.find(licenseKey),
    },
    authorize,
    confirm: (principal) => stepUps.require(principal),
    refuseOtherScheme: ({ security }, sent) => {
      const taken = security.flatMap(Object.keys);
      const detail = `This operation takes ${taken.map(nameOf).join(' or ')}, and you sent ${nameOf(sent)}.`;
      return new DomainError(takesOnlyUsers(taken) ? 'user_required' : 'forbidden', detail);
    },
    anonymous,
  };
}

const names: Readonly<Record<string, string>> = {
  apiKey: 'an API key of a license',
  bearerAuth: 'the access token of a signed-in user',
  superAdmin: 'the access token of a super admin',
  companionToken: 'a companion token',
  hostKey: 'the API key of a reseller',
  licenseKey: 'a license key',
};

const nameOf = (scheme: string) => names[scheme] ?? scheme;
