// Issues short-lived bus credentials to agents, and revokes them before they expire.
import { connect } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { accountJwt, unlimitedUser, UserJwtSigner, type BusKeys } from './keys.ts';
import { authenticatorOf, createUserKey } from '../../shared/nkeys.ts';

/** Lifetime of an agent's credentials; agents renew them well before it ends. */
const lifetimeMs = 15 * 60_000;

export interface Credentials {
  jwt: string;
  expiresAt: Date;
}

export class AgentCredentials {
  readonly #keys: BusKeys;
  readonly #signer: UserJwtSigner;
  readonly #prefix: string;
  readonly #url: string;
  readonly #log: Logger;

  constructor(options: { keys: BusKeys; prefix: string; url: string; log: Logger }) {
    this.#keys = options.keys;
    this.#signer = new UserJwtSigner(options.keys.agentSigning, options.keys.account);
    this.#prefix = options.prefix;
    this.#url = options.url;
    this.#log = options.log;
  }

  /** Credentials for the holder of that nkey, valid only for the subjects of that host. */
  mint(hostId: string, publicKey: string): Credentials {
    const expiresAt = new Date(Date.now() + lifetimeMs);
    return { jwt: this.#signer.mint(hostId, publicKey, { tags: [`host:${hostId}`] }, expiresAt), expiresAt };
  }

  /**
   * Makes the broker drop and refuse credentials that these keys were issued before the given times. The list replaces
   * the previous one; entries older than a lifetime can be omitted.
   */
  async revoke(revocations: readonly { publicKey: string; revokedAt: Date }[]): Promise<void> {
    const list = Object.fromEntries(
      revocations.map(({ publicKey, revokedAt }) => [publicKey, Math.floor(revokedAt.getTime() / 1000)]),
    );
    const user = createUserKey();
    const systemSigner = new UserJwtSigner(this.#keys.systemSigning, this.#keys.system);
    const jwt = systemSigner.mint('gantry-revocations', user.publicKey, unlimitedUser);
    const connection = await connect({
      servers: this.#url.split(','),
      authenticator: authenticatorOf(jwt, user.seed),
      reconnect: false,
      timeout: 10_000,
    });
    try {
      const token = await accountJwt(this.#keys, this.#prefix, list);
      const reply = await connection.request('$SYS.REQ.CLAIMS.UPDATE', token, { timeout: 5_000 });
      const { error } = reply.json<{ error?: { description?: string } }>();
      if (error !== undefined)
        throw new Error(`the broker refused the revocations: ${error.description ?? 'no reason given'}`);
      this.#log.debug({ revoked: revocations.length }, 'the broker has the revocations');
    } finally {
      await connection.close();
    }
  }

  /** Revocations older than this concern credentials that have already expired. */
  get lifetimeMs(): number {
    return lifetimeMs;
  }
}
