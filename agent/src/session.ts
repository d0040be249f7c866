// Exchanges the companion token for short-lived bus credentials, and keeps asking until it gets them.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Logger } from 'pino';
import { Backoff, jittered, pause } from './backoff.ts';
import type { PlatformClock } from './clock.ts';

export interface Session {
  host_id: string;
  heartbeat_interval_seconds: number;
  server_time: string;
  bus: { urls: string[]; jwt: string; expires_at: string; prefix: string };
}

export interface SessionRequest {
  hostname: string;
  public_key: string;
  agent_version: string;
  platform: string;
}

const requestTimeoutMs = 15_000;
const refusedPauseMs = 60_000;

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

type Attempt = { session: Session } | { failure: string; isRefused: boolean };

export class SessionClient {
  readonly #url: string;
  readonly #token: string;
  readonly #request: SessionRequest;
  readonly #clock: PlatformClock;
  readonly #log: Logger;
  readonly #validate;

  constructor(url: string, token: string, request: SessionRequest, clock: PlatformClock, log: Logger) {
    this.#url = `${url}/api/agent/session`;
    this.#token = token;
    this.#request = request;
    this.#clock = clock;
    this.#log = log;
    const ajv = new Ajv2020();
    addFormats.default(ajv);
    this.#validate = ajv.compile<Session>(sessionSchema);
  }

  /** Resolves with a session, or with null once the signal fires. */
  async obtain(signal: AbortSignal): Promise<Session | null> {
    const backoff = new Backoff(1_000, 30_000);
    while (!signal.aborted) {
      const attempt = await this.#ask(signal);
      if ('session' in attempt) return attempt.session;
      if (signal.aborted) break;
      const pauseMs = attempt.isRefused ? jittered(refusedPauseMs) : backoff.nextMs();
      this.#log[attempt.isRefused ? 'error' : 'warn'](
        { url: this.#url, retry_in_ms: pauseMs },
        attempt.failure,
      );
      await pause(pauseMs, signal);
    }
    return null;
  }

  async #ask(signal: AbortSignal): Promise<Attempt> {
    const askedAtMs = Date.now();
    let response: Response;
    let text: string;
    try {
      response = await fetch(this.#url, {
        method: 'POST',
        redirect: 'error', // a redirect would carry the token elsewhere
        headers: {
          authorization: `Bearer ${this.#token}`,
          'content-type': 'application/json',
          accept: 'application/json',
        },
        body: JSON.stringify(this.#request),
        signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
      });
      text = await response.text();
    } catch (error) {
      return { failure: `the platform cannot be reached: ${causeOf(error)}`, isRefused: false };
    }
    if (response.status !== 200) return refusal(response.status, text);
    const body = parseJson(text);
    if (!this.#validate(body)) {
      const [error] = this.#validate.errors ?? [];
      return {
        failure: `the platform's session is not understood: ${error?.instancePath || '/'} ${error?.message ?? ''}`,
        isRefused: false,
      };
    }
    this.#clock.learn(body.server_time, askedAtMs, Date.now());
    return { session: body };
  }
}

/** How long from the time it was issued until two thirds of a session's life are over. */
export function refreshAfterMs(session: Session): number {
  const lifeMs = Date.parse(session.bus.expires_at) - Date.parse(session.server_time);
  return Math.max(500, Math.min((lifeMs * 2) / 3, 2 ** 31 - 1));
}

function refusal(status: number, text: string): Attempt {
  const problem = parseJson(text);
  const code = field(problem, 'code');
  const detail = field(problem, 'detail') ?? field(problem, 'title');
  const words = [`status ${status}`, code, detail].filter((part) => part !== undefined).join(', ');
  if (status === 401 || status === 403) {
    return {
      failure: `the platform refuses the companion token (${words}); check GANTRY_COMPANION_TOKEN`,
      isRefused: true,
    };
  }
  const isTransient = status >= 500 || status === 429 || status === 408;
  return { failure: `the platform gives no session (${words})`, isRefused: !isTransient };
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
    return null; // judged by its status or by the schema
  }
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error && error.cause.message !== '') return error.cause.message;
  return error.message;
}
