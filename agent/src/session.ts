// Exchanges the companion token, or a token signed with the host's own key, for short-lived bus credentials, with retries until it succeeds.
import addFormats from 'ajv-formats';
import type { Logger } from 'pino';
import { Backoff, jittered, pause } from './backoff.ts';
import { causeOf, SettingError } from './errors.ts';
import type { PlatformClock } from './clock.ts';
import type { CompanionToken } from './config.ts';
import type { Identity } from './identity.ts';
import { ownSchemas } from './messages.ts';
import { ThrottledLog } from './log.ts';

export interface Session {
  host_id: string;
  heartbeat_interval_seconds: number;
  server_time: string;
  bus: { urls: string[]; jwt: string; expires_at: string; prefix: string };
}

export interface SessionOptions {
  url: string;
  /** Undefined for a host that signs in with its own key. */
  companionToken: CompanionToken | undefined;
  /** What the agent reports about its host, besides the key. */
  host: { hostname: string; agent_version: string; platform: string };
  identity: Identity;
  clock: PlatformClock;
  log: Logger;
}

const requestTimeoutMs = 15_000;
const refusedPauseMs = 60_000;
/** The platform takes signed tokens that are up to five minutes off. */
const remarkableSkewMs = 60_000;

const sessionSchema = {
  type: 'object',
  required: ['host_id', 'heartbeat_interval_seconds', 'server_time', 'bus'],
  properties: {
    host_id: { type: 'string', format: 'uuid' },
    heartbeat_interval_seconds: { type: 'number', exclusiveMinimum: 0, maximum: 3600 },
    server_time: { type: 'string', format: 'date-time' },
    bus: {
      type: 'object',
      required: ['urls', 'jwt', 'expires_at', 'prefix'],
      properties: {
        urls: {
          type: 'array',
          minItems: 1,
          maxItems: 50,
          items: { type: 'string', pattern: '^(nats|tls|ws|wss)://' },
        },
        jwt: { type: 'string', minLength: 1 },
        expires_at: { type: 'string', format: 'date-time' },
        prefix: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
      },
    },
  },
};

interface Failure {
  failure: string;
  isRefused: boolean;
  isCredentialRefused?: boolean;
  isKeyTaken?: boolean;
  /** The platform's time was unknown before this attempt. */
  isClockLearned?: boolean;
}

type Attempt = { session: Session } | Failure;

export class SessionClient {
  readonly #options: SessionOptions;
  readonly #url: string;
  readonly #validate;
  readonly #failures = new ThrottledLog();
  /** By how much the platform was ahead of this host when it refused a signed token. */
  #skewMs = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#url = `${options.url}/api/agent/session`;
    const ajv = ownSchemas();
    addFormats.default(ajv);
    this.#validate = ajv.compile<Session>(sessionSchema);
  }

  /** Resolves with a session, or with null once the signal fires. */
  async obtain(signal: AbortSignal): Promise<Session | null> {
    const { identity, log } = this.#options;
    const backoff = new Backoff(1_000, 30_000);
    while (!signal.aborted) {
      const attempt = await this.#ask(signal);
      if ('session' in attempt) {
        if (this.#failures.settle('session'))
          log.info({ url: this.#url }, 'the platform grants sessions again');
        return attempt.session;
      }
      if (signal.aborted) break;
      // The host was renamed, its disk copied or its license changed: the key belongs to the host that enrolled it
      // before.
      if (attempt.isKeyTaken === true && this.#options.companionToken !== undefined) await identity.renew();
      const pauseMs = attempt.isRefused ? jittered(refusedPauseMs) : backoff.nextMs();
      this.#failures.report('session', attempt.failure, (fields) =>
        log[attempt.isRefused ? 'error' : 'warn'](
          { url: this.#url, retry_in_ms: pauseMs, ...fields },
          attempt.failure,
        ),
      );
      await pause(pauseMs, signal);
    }
    return null;
  }

  /** False also if the platform cannot be reached. */
  async isCredentialRefused(): Promise<boolean> {
    const signal = new AbortController().signal;
    let attempt = await this.#ask(signal);
    if ('failure' in attempt && attempt.isClockLearned === true) attempt = await this.#ask(signal);
    return 'failure' in attempt && attempt.isCredentialRefused === true;
  }

  #guessedNowMs(): number {
    const { clock } = this.#options;
    return clock.nowMs() + (clock.isKnown ? 0 : this.#skewMs);
  }

  /** Takes the platform's time from a refusal; true if that explains the refusal of a token. */
  #learnSkew(response: Response): boolean {
    const platformMs = Date.parse(response.headers.get('date') ?? '');
    const skewMs = platformMs - this.#options.clock.nowMs();
    if (Number.isNaN(skewMs) || Math.abs(skewMs - this.#skewMs) < remarkableSkewMs) return false;
    this.#skewMs = skewMs;
    return true;
  }

  async #ask(signal: AbortSignal): Promise<Attempt> {
    const { companionToken, host, identity, clock } = this.#options;
    let token: string;
    try {
      token = companionToken?.read() ?? identity.signedToken(this.#guessedNowMs());
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      return { failure: `the companion token cannot be read: ${error.message}`, isRefused: false };
    }
    const askedAtMs = clock.monotonicMs();
    let response: Response;
    let text: string;
    try {
      response = await fetch(this.#url, {
        method: 'POST',
        redirect: 'error', // a redirect would carry the token elsewhere
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json',
        },
        body: JSON.stringify({ ...host, public_key: identity.publicKey }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
      });
      text = await response.text();
    } catch (error) {
      return { failure: `the platform cannot be reached: ${causeOf(error)}`, isRefused: false };
    }
    if (companionToken === undefined && response.status === 401 && this.#learnSkew(response)) {
      return {
        failure: "this host's clock differs from the platform's; the request is repeated",
        isRefused: false,
        isClockLearned: true,
      };
    }
    if (response.status !== 200) return refusal(response.status, text, credentialOf(companionToken));
    const body = parseJson(text);
    if (!this.#validate(body)) {
      const [error] = this.#validate.errors ?? [];
      return {
        failure: `the platform's session is invalid: ${error?.instancePath || '/'} ${error?.message ?? ''}`,
        isRefused: false,
      };
    }
    clock.learn(body.server_time, askedAtMs);
    return { session: body };
  }
}

/** Returns two thirds of the session's lifetime, counted from its issue. */
export function refreshAfterMs(session: Session): number {
  const lifeMs = Date.parse(session.bus.expires_at) - Date.parse(session.server_time);
  return Math.max(500, Math.min((lifeMs * 2) / 3, 2 ** 31 - 1));
}

interface Credential {
  name: string;
  remedy: string;
}

const credentialOf = (token: CompanionToken | undefined): Credential =>
  token === undefined
    ? { name: "this host's key", remedy: 'enroll the host again with a new code' }
    : { name: 'the companion token', remedy: `check ${token.setting}` };

function refusal(status: number, text: string, credential: Credential): Attempt {
  const problem = parseJson(text);
  const code = field(problem, 'code');
  const detail = field(problem, 'detail') ?? field(problem, 'title');
  const details = [`status ${status}`, code, detail].filter((part) => part !== undefined).join(', ');
  if (status === 401) {
    return {
      failure: `the platform refuses ${credential.name} (${details}); ${credential.remedy}`,
      isRefused: true,
      isCredentialRefused: true,
    };
  }
  if (code === 'public_key_taken') {
    return {
      failure: `the platform knows this agent's key as another host's (${details}); a new key is created`,
      isRefused: false,
      isKeyTaken: true,
    };
  }
  const isTransient = status >= 500 || status === 429 || status === 408;
  return { failure: `the platform grants no session (${details})`, isRefused: !isTransient };
}

function field(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof found === 'string' ? found.slice(0, 300) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the status or the schema check reports it
  }
}
