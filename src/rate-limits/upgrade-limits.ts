// Counts WebSocket upgrades by source, in this process: they cause work before the client is authenticated.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../network/ip-networks.ts';

const minute = 60;

const rules = {
  /** Attempts with forged tickets; valid tickets were counted when they were issued. */
  console: { max: 120, seconds: minute },
  /** Connections that the bus has not accepted yet; many hosts may share an address. */
  'agent-bus': { max: 600, seconds: minute },
  /** Attempts with forged tickets. */
  'agent-files': { max: 120, seconds: minute },
} as const;

export type UpgradeKind = keyof typeof rules;

export interface Admission {
  /** Undefined if admitted. */
  retryAfterSeconds: number | undefined;
}

export class UpgradeLimits {
  readonly #limiters: Readonly<Record<UpgradeKind, RateLimiterMemory>>;

  /** `factor` multiplies the maximum of every rule. */
  constructor(factor: number) {
    const limiterOf = (kind: UpgradeKind) =>
      new RateLimiterMemory({
        keyPrefix: `upgrade-${kind}`,
        points: Math.max(Math.round(rules[kind].max * factor), 1),
        duration: rules[kind].seconds,
      });
    this.#limiters = {
      console: limiterOf('console'),
      'agent-bus': limiterOf('agent-bus'),
      'agent-files': limiterOf('agent-files'),
    };
  }

  /** Counts an attempt before it is checked, so that concurrent attempts cannot pass together. */
  async admit(kind: UpgradeKind, source: string): Promise<Admission> {
    try {
      await this.#limiters[kind].consume(networkOf(source));
      return { retryAfterSeconds: undefined };
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      // Refused attempts are not counted: otherwise clients that retry would keep each other out.
      await this.refund(kind, source);
      return { retryAfterSeconds: Math.ceil(error.msBeforeNext / 1_000) };
    }
  }

  /** Removes an attempt that turned out to be legitimate from the count. */
  async refund(kind: UpgradeKind, source: string): Promise<void> {
    await this.#limiters[kind].reward(networkOf(source));
  }
}
