// Counts requests by the rules of their class: in the database, shared by all replicas, or in this process.
import { createHash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Principal } from '../context.ts';
import type { Operation } from '../contract/document.ts';
import type { Count, Counted, Failures, RateLimits } from '../contract/rate-limit-replies.ts';
import { throwUnavailable } from '../database/faults.ts';
import type { Accounts } from './accounts.ts';
import {
  authenticationClass,
  generalClass,
  limitClasses,
  type CountedBy,
  type LimitClass,
  type Rule,
} from './classes.ts';
import { networkOf } from '../network/ip-networks.ts';

interface Counter {
  rule: Rule;
  name: string;
  max: number;
  limiter: RateLimiterMemory | RateLimiterPostgres;
}

interface Class {
  account: LimitClass['account'];
  /** Counters of this process, which need no database request. */
  local: readonly Counter[];
  /** Counters that all replicas share. */
  shared: readonly Counter[];
}

export interface LimiterOptions {
  /** The connection pool of the database with the table `rate_limit`. */
  pool: object;
  accounts: Accounts;
  /** Multiplies the maximum of every rule. */
  factor: number;
}

export class Limiter implements RateLimits<Principal> {
  readonly #accounts: Accounts;
  readonly #classes: ReadonlyMap<string, Class>;

  constructor({ pool, accounts, factor }: LimiterOptions) {
    this.#accounts = accounts;
    this.#classes = new Map(
      Object.entries(limitClasses).map(([name, { account, rules }]) => {
        const counters = rules.map((rule) => createCounter(name, rule, { pool, factor }));
        const local = counters.filter(({ rule }) => rule.isLocal);
        const shared = counters.filter(({ rule }) => !rule.isLocal);
        return [name, { account, local, shared }];
      }),
    );
  }

  has(name: string): boolean {
    return this.#classes.has(name);
  }

  async failuresOf(source: string): Promise<Failures> {
    const [counter] = this.#classNamed(authenticationClass).local;
    if (counter === undefined) throw new Error('credentials that are not valid have no limit');
    const key = keyIn(counter, networkOf(source));
    const use = await look(counter, key);
    return {
      count: countOf(counter, use, use.isBeyond),
      add: async () => {
        await consume(counter, key);
      },
    };
  }

  /**
   * Counts against the local rules of the class. A class with shared rules only is counted by the local rules of the
   * general class, and reports those limits only if they are exceeded.
   */
  async admit(
    { rateLimit }: Pick<Operation, 'rateLimit'>,
    principal: Principal,
    source: string,
  ): Promise<readonly Count[]> {
    const { local } = this.#classNamed(rateLimit);
    const network = networkOf(source);
    const keys = { source: network, principal: principalKey(principal, network) };
    const counts: Count[] = [];
    for (const counter of local.length > 0 ? local : this.#classNamed(generalClass).local) {
      const { by } = counter.rule;
      if (by !== 'source' && by !== 'principal')
        throw new Error(`${counter.name} needs more than its sender`);
      const use = await consume(counter, keyIn(counter, keys[by]));
      counts.push(countOf(counter, use, use.isBeyond));
      if (use.isBeyond) break;
    }
    return local.length > 0 ? counts : counts.filter(({ isExceeded }) => isExceeded);
  }

  async count(
    { rateLimit }: Pick<Operation, 'rateLimit'>,
    principal: Principal,
    { source, body }: { source: string; body: unknown },
  ): Promise<Counted> {
    const found = this.#classNamed(rateLimit);
    const account = found.account && (await this.#accounts.idOf(found.account, body));
    const network = networkOf(source);
    const keys: Record<CountedBy, string | undefined> = {
      source: network,
      principal: principalKey(principal, network),
      account,
      'account-and-source': account && `${account} ${network}`,
    };
    const counts: Count[] = [];
    const taken: { counter: Counter; key: string }[] = [];
    const giveBack = async () => {
      for (const { counter, key } of taken) if (counter.rule.failuresOnly) await reward(counter, key);
    };
    for (const counter of found.shared) {
      const counted = keys[counter.rule.by];
      if (counted === undefined) continue;
      const key = keyIn(counter, counted);
      const use = await consume(counter, key);
      const isExceeded = use.isBeyond && !(await this.#isSpared(counter.rule, account, source));
      counts.push(countOf(counter, use, isExceeded));
      taken.push({ counter, key });
      if (isExceeded) {
        // A refused request is not a failed attempt: its counts are returned, so that concurrent valid requests are not
        // locked out.
        await giveBack();
        break;
      }
    }
    return { counts, succeeded: giveBack };
  }

  #classNamed(name: string): Class {
    const found = this.#classes.get(name);
    if (found === undefined) throw new Error(`there is no class ${name} of limits`);
    return found;
  }

  async #isSpared(rule: Rule, account: string | undefined, source: string): Promise<boolean> {
    if (rule.sparesKnownSources !== true || account === undefined) return false;
    return this.#accounts.isKnownSource(account, source);
  }
}

const principalKey = ({ actor }: Principal, network: string) =>
  actor === null ? network : `${actor.kind} ${actor.id}`;

function createCounter(
  className: string,
  rule: Rule,
  { pool, factor }: { pool: object; factor: number },
): Counter {
  const name = `${className}-${rule.by}`;
  const max = Math.max(Math.round(rule.max * factor), 1);
  const options = { keyPrefix: name, points: max, duration: rule.seconds };
  const limiter =
    rule.isLocal === true
      ? new RateLimiterMemory(options)
      : new RateLimiterPostgres({
          ...options,
          storeClient: pool,
          storeType: 'pool',
          tableName: 'rate_limit',
          tableCreated: true,
          clearExpiredByTimeout: false,
          // Clients far beyond the limit cause no more statements, unless the rule returns counts of successful
          // requests.
          inMemoryBlockOnConsumed: rule.failuresOnly === true ? 0 : max + 1,
        });
  return { rule, name, max, limiter };
}

interface Use {
  /** More requests than the rule's maximum. `isExceeded` of a count is false nevertheless for an exempt source. */
  isBeyond: boolean;
  remaining: number;
  resetMs: number;
}

async function consume({ limiter }: Counter, key: string): Promise<Use> {
  try {
    const { remainingPoints, msBeforeNext } = await limiter.consume(key);
    return { isBeyond: false, remaining: remainingPoints, resetMs: msBeforeNext };
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) return throwUnavailable(error);
    return { isBeyond: true, remaining: 0, resetMs: error.msBeforeNext };
  }
}

/** The count so far; if nothing remains, the next request would exceed the limit. */
async function look({ limiter, rule, max }: Counter, key: string): Promise<Use> {
  const known = await limiter.get(key);
  const remaining = Math.max(max - (known?.consumedPoints ?? 0), 0);
  return { isBeyond: remaining === 0, remaining, resetMs: known?.msBeforeNext ?? rule.seconds * 1000 };
}

/** The request has already succeeded: failing to return its count is no reason to fail it. */
async function reward({ limiter }: Counter, key: string): Promise<void> {
  await limiter.reward(key).catch(() => undefined);
}

function countOf({ rule, name, max }: Counter, { remaining, resetMs }: Use, isExceeded: boolean): Count {
  return {
    name,
    max,
    windowSeconds: rule.seconds,
    remaining,
    resetSeconds: Math.ceil(resetMs / 1000),
    isExceeded,
    isOwn: rule.by !== 'account',
  };
}

/** Hashed, so that the table of counters does not reveal who has an account, or their addresses. */
const keyIn = ({ limiter }: Counter, counted: string) =>
  limiter instanceof RateLimiterPostgres ? createHash('sha256').update(counted).digest('base64url') : counted;
