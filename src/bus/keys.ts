// The keys of the message bus, and the server configuration that makes a broker trust them.
import { randomUUID, createHash } from 'node:crypto';
import { createAccount, createOperator, fromPublic, fromSeed, type KeyPair } from '@nats-io/nkeys';
import { encodeAccount, encodeOperator, newScopedSigner } from '@nats-io/jwt';
import { createUserKey, nkeyOf, type Nkey } from '../../shared/nkeys.ts';

/** Seeds of the bus, which give full control over it; they are kept in a file that only the platform can read. */
export interface BusKeys {
  operator: string;
  system: string;
  systemSigning: string;
  account: string;
  platformSigning: string;
  agentSigning: string;
}

export function createBusKeys(): BusKeys {
  return {
    operator: seedOf(createOperator()),
    system: seedOf(createAccount()),
    systemSigning: seedOf(createAccount()),
    account: seedOf(createAccount()),
    platformSigning: seedOf(createAccount()),
    agentSigning: seedOf(createAccount()),
  };
}

/** The first letter of each public key, which identifies its kind. */
const kinds: Record<keyof BusKeys, 'O' | 'A'> = {
  operator: 'O',
  system: 'A',
  systemSigning: 'A',
  account: 'A',
  platformSigning: 'A',
  agentSigning: 'A',
};

/** Whether the value has every seed, each valid and of its kind. */
export function areBusKeys(value: unknown): value is BusKeys {
  const seeds = new Map(Object.entries(value ?? {}));
  return Object.entries(kinds).every(([name, kind]) => {
    try {
      return publicKeyOf(String(seeds.get(name))).startsWith(kind);
    } catch {
      return false;
    }
  });
}

function seedOf(pair: { getSeed(): Uint8Array }): string {
  return new TextDecoder().decode(pair.getSeed());
}

const nkey = (seed: string) => nkeyOf(new TextEncoder().encode(seed));

/** A pair as the library of JWTs takes it. */
function pairOf(seed: string): KeyPair {
  const { publicKey, sign } = nkey(seed);
  return Object.assign(fromSeed(new TextEncoder().encode(seed)), { getPublicKey: () => publicKey, sign });
}

/** An omitted limit would mean zero. */
const unlimited = {
  imports: -1,
  exports: -1,
  wildcards: true,
  conn: -1,
  leaf: -1,
  data: -1,
  payload: -1,
  subs: -1,
};

/** How long an agent may reply to a request of the platform (30 seconds, in nanoseconds), and how often. */
const agentReplies = { max: 1, ttl: 30_000_000_000 };

/** Permissions of an agent's credentials, limited to its own host's subjects regardless of the claims in its JWT. */
function agentScope(prefix: string) {
  return {
    pub: { allow: [`${prefix}.{{tag(host)}}.up.>`], deny: [] },
    sub: {
      allow: [`${prefix}.{{tag(host)}}.cmd.>`, `${prefix}.{{tag(host)}}.ask.>`, '_INBOX_A.{{tag(host)}}.>'],
      deny: [],
    },
    resp: agentReplies,
    subs: 32,
    data: -1,
    payload: 1024 * 1024,
    allowed_connection_types: ['STANDARD', 'WEBSOCKET'],
  };
}

/** The account's JWT. `revocations` maps public keys to the Unix second before which their credentials are void. */
export async function accountJwt(
  keys: BusKeys,
  prefix: string,
  revocations: Record<string, number>,
): Promise<string> {
  const account = pairOf(keys.account);
  return encodeAccount(
    'GANTRY',
    account,
    {
      limits: unlimited,
      signing_keys: [
        publicKeyOf(keys.platformSigning),
        newScopedSigner(pairOf(keys.agentSigning), 'agent', agentScope(prefix) as never),
      ],
      revocations,
    },
    { signer: pairOf(keys.operator) },
  );
}

/** The part of nats.conf that makes a server trust these keys. */
export async function serverConfiguration(
  keys: BusKeys,
  prefix: string,
  resolverDirectory: string,
): Promise<string> {
  const operator = pairOf(keys.operator);
  const system = pairOf(keys.system);
  const account = pairOf(keys.account);
  const operatorJwt = await encodeOperator('GANTRY', operator, {
    system_account: system.getPublicKey(),
  });
  const systemJwt = await encodeAccount(
    'SYS',
    system,
    { limits: unlimited, signing_keys: [publicKeyOf(keys.systemSigning)] },
    { signer: operator },
  );
  // After an outage thousands of agents connect at once; the usual two seconds end connections that only wait their turn.
  return `operator: ${operatorJwt}
authorization: { timeout: 10 }
system_account: ${system.getPublicKey()}
resolver: { type: full, dir: ${JSON.stringify(resolverDirectory)}, allow_delete: true, interval: "2m", timeout: "1.9s" }
resolver_preload: {
  ${system.getPublicKey()}: ${systemJwt}
  ${account.getPublicKey()}: ${await accountJwt(keys, prefix, {})}
}
`;
}

/** Creates JWTs of users; the library takes thirty milliseconds for each. */
export class UserJwtSigner {
  readonly #key: Nkey;
  readonly #account: string;

  constructor(signingSeed: string, accountSeed: string) {
    this.#key = nkey(signingSeed);
    this.#account = publicKeyOf(accountSeed);
  }

  /** A JWT for the holder of that nkey; `claims` are the `nats` claims besides the issuer account. */
  mint(name: string, publicKey: string, claims: Record<string, unknown>, expiresAt?: Date): string {
    const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
    const payload = {
      jti: createHash('sha256').update(randomUUID()).digest('hex'),
      iat: seconds(new Date()),
      ...(expiresAt && { exp: seconds(expiresAt) }),
      iss: this.#key.publicKey,
      name,
      sub: publicKey,
      nats: { issuer_account: this.#account, type: 'user', version: 2, ...claims },
    };
    const text = `${encoded({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encoded(payload)}`;
    return `${text}.${this.#key.sign(Buffer.from(text)).toString('base64url')}`;
  }
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Claims of the platform's own users. */
export const unlimitedUser = { subs: -1, data: -1, payload: -1 };

export const publicKeyOf = (seed: string): string => nkey(seed).publicKey;

/** Whether the text is a public key with a valid checksum. */
export function isPublicKey(text: string): boolean {
  try {
    fromPublic(text);
    return true;
  } catch {
    return false;
  }
}

/** Public keys of the account of agents and platform, and of the system account. */
export const accountsOf = (keys: BusKeys) => ({
  account: publicKeyOf(keys.account),
  system: publicKeyOf(keys.system),
});

/**
 * Credentials of a leaf node, for each account. Its server passes what agents there may do, and what the system account
 * needs to revoke credentials and to close connections there; it cannot send commands.
 */
export function leafCredentials(keys: BusKeys, prefix: string): { account: string; system: string } {
  const credentials = (signer: UserJwtSigner, pub: string[], sub: string[]) => {
    const { publicKey, seed } = createUserKey();
    const claims = { pub: { allow: pub }, sub: { allow: sub }, ...unlimitedUser };
    const jwt = signer.mint('leaf', publicKey, { ...claims, allowed_connection_types: ['LEAFNODE'] });
    return credentialsText(jwt, seed);
  };
  return {
    account: credentials(
      new UserJwtSigner(keys.platformSigning, keys.account),
      [`${prefix}.*.up.>`, '_INBOX.>'],
      [`${prefix}.*.cmd.>`, `${prefix}.*.ask.>`, '_INBOX_A.>'],
    ),
    system: credentials(
      new UserJwtSigner(keys.systemSigning, keys.system),
      ['$SYS.SERVER.>', '$SYS.ACCOUNT.>', '$SYS._INBOX.>', '_INBOX.>'],
      ['$SYS.>'],
    ),
  };
}

/** The text that nats-server reads from a file of credentials. */
const credentialsText = (jwt: string, seed: Uint8Array) => `-----BEGIN NATS USER JWT-----
${jwt}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${Buffer.from(seed).toString()}
------END USER NKEY SEED------
`;
