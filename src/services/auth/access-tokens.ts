// Signs and verifies access tokens.
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import passport from 'passport';
import { Strategy } from 'passport-jwt';
import type { PermissionMap } from '../../context.ts';
import { unauthorized } from '../../errors.ts';
import { formats } from '../../values/formats.ts';

export const accessTokenSeconds = 15 * 60;

const issuer = 'gantry';
/** Tokens for other purposes have another audience, so none of them is accepted as an access token. */
const audience = 'gantry:access';
const algorithm = 'HS256';

export interface AccessClaims {
  /** User id. */
  sub: string;
  /** Session id. */
  sid: string;
  license_id: string | null;
  role: string | null;
  permissions: PermissionMap;
  is_super_admin: boolean;
}

export interface VerifiedClaims extends AccessClaims {
  exp: number;
}

/** The part of a request that passport needs. */
interface TokenRequest {
  token: string;
  headers: object;
}

export class AccessTokens {
  readonly #secret: string;
  readonly #authenticator = new passport.Passport();
  /** Claims of tokens with a verified signature, until they expire. */
  readonly #verified = new LRUCache<string, VerifiedClaims>({ max: 5_000 });

  constructor(secret: string) {
    this.#secret = secret;
    this.#authenticator.use(
      'access',
      new Strategy(
        {
          jwtFromRequest: (request: unknown) => (request as TokenRequest).token,
          secretOrKey: secret,
          algorithms: [algorithm],
          audience,
          issuer,
        },
        (claims: unknown, done) => done(null, isVerified(claims) ? claims : false),
      ),
    );
  }

  sign(claims: AccessClaims, expiresAt = new Date(Date.now() + accessTokenSeconds * 1000)): string {
    const exp = Math.floor(expiresAt.getTime() / 1000);
    return jwt.sign({ ...claims, exp }, this.#secret, { algorithm, audience, issuer });
  }

  /** The claims of an access token; throws `unauthorized` for anything else. */
  async verify(token: string): Promise<VerifiedClaims> {
    const known = this.#verified.get(token);
    if (known !== undefined && known.exp * 1000 > Date.now()) return known;
    const claims = await this.#authenticate({ token, headers: {} });
    this.#verified.set(token, claims);
    return claims;
  }

  #authenticate(request: TokenRequest): Promise<VerifiedClaims> {
    return new Promise((resolve, reject) => {
      const decide = (error: unknown, claims: VerifiedClaims | false | null | undefined) => {
        if (error) reject(Error.isError(error) ? error : new Error('the token could not be checked'));
        else if (!claims) reject(unauthorized());
        else resolve(claims);
      };
      const authenticate = this.#authenticator.authenticate('access', { session: false }, decide) as (
        request: TokenRequest,
      ) => void;
      authenticate(request);
    });
  }
}

const isId = (value: unknown) => typeof value === 'string' && formats.uuid(value);

/** Other holders of the secret may have signed different claims with it, so their form is checked. */
function isVerified(claims: unknown): claims is VerifiedClaims {
  const { sub, sid, license_id, exp } = claims as Partial<Record<keyof VerifiedClaims, unknown>>;
  return isId(sub) && isId(sid) && (license_id === null || isId(license_id)) && typeof exp === 'number';
}
