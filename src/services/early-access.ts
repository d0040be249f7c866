// Signups for early access, and the places of the Founding Admin Program.
import { LockMode } from '@mikro-orm/core';
import type { Schemas } from '../platform-contract/types.ts';
import type { EntityManager } from '../database/connection.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import { holdLock } from '../database/advisory-locks.ts';
import { EarlyAccessClaim, EarlyAccessSignup } from '../entities/index.ts';
import { DomainError } from '../errors.ts';
import { enqueueJob } from '../queue/enqueue.ts';
import type { MailOut } from '../mail/mail-out.ts';
import { createSecret, hashSecret } from '../secrets/random-secrets.ts';

export const foundingPlaces = 25;
const linkMs = 7 * 24 * 60 * 60_000;
/** Maximum messages to one address per day. */
const maxMessages = 3;
const dayMs = 24 * 60 * 60_000;

export interface Receipt {
  placesLeft: number;
}

export interface SignupStatus {
  email: string;
  holdsPlace: boolean;
  placesLeft: number;
}

export class EarlyAccess {
  readonly #platform: PlatformScope;

  constructor(platform: PlatformScope) {
    this.#platform = platform;
  }

  /**
   * Does not look the address up: a job does the rest, so that neither response nor timing reveals whether it is known.
   * Reserves no place, since anybody can sign up any address: only confirmed addresses get places.
   */
  async signUp(input: Schemas['EarlyAccessSignupCreate']): Promise<Receipt> {
    return this.#platform.transact('sign-in', async (em) => {
      const claim = em.create(EarlyAccessClaim, {
        email: input.email.toLowerCase(),
        serverCount: input.server_count,
        expiresAt: new Date(Date.now() + linkMs),
      });
      await em.flush();
      await enqueueJob(em, 'welcome-signup', { claim_id: claim.id });
      return { placesLeft: await placesLeft(em) };
    });
  }

  /** Gives the confirmed address a place, if one is left. */
  async confirm({ token }: Schemas['EarlyAccessConfirmation']): Promise<SignupStatus> {
    return this.#platform.transact('sign-in', async (em) => {
      await holdLock(em, 'founding places');
      const claim = await em.findOne(EarlyAccessClaim, {
        tokenHash: hashSecret(token),
        expiresAt: { $gt: new Date() },
      });
      if (claim === null) throw invalidLink();
      const signup = await em.findOneOrFail(
        EarlyAccessSignup,
        { email: claim.email },
        { lockMode: LockMode.PESSIMISTIC_WRITE },
      );
      const now = new Date();
      const left = await placesLeft(em);
      signup.confirmedAt ??= now;
      signup.serverCount = claim.serverCount;
      if (left > 0) signup.foundingPlaceAt ??= now;
      const holdsPlace = Boolean(signup.foundingPlaceAt);
      await em.flush();
      return { email: claim.email, holdsPlace, placesLeft: await placesLeft(em) };
    });
  }
}

/** Records new addresses and sends the confirmation links. */
export class EarlyAccessMail {
  readonly #platform: PlatformScope;
  readonly #mailOut: MailOut;

  constructor(platform: PlatformScope, mailOut: MailOut) {
    this.#platform = platform;
    this.#mailOut = mailOut;
  }

  async welcome(claimId: string): Promise<void> {
    await this.#platform.transact('jobs', async (em) => {
      const claim = await em.findOne(EarlyAccessClaim, claimId, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (claim === null || claim.mailedAt) return;
      const { email, serverCount } = claim;
      await holdLock(em, `early access ${email}`);
      await em.execute(
        'insert into early_access_signup (email, server_count, created_at) values (?, ?, ?) on conflict (email) do nothing',
        [email, serverCount, claim.createdAt],
      );
      const since = new Date(Date.now() - dayMs);
      if ((await em.count(EarlyAccessClaim, { email, mailedAt: { $gt: since } })) >= maxMessages) return;
      const token = createSecret('gantry_signup_');
      claim.tokenHash = hashSecret(token);
      claim.mailedAt = new Date();
      const template = (await placesLeft(em)) > 0 ? 'early-access-place' : 'early-access-waiting';
      await this.#mailOut.enqueue(em, { to: email, template, values: { email, token } }, 'early access');
    });
  }
}

/** Places that no confirmed address has taken. */
async function placesLeft(em: EntityManager): Promise<number> {
  return Math.max(
    foundingPlaces - (await em.count(EarlyAccessSignup, { foundingPlaceAt: { $ne: null } })),
    0,
  );
}

const invalidLink = () =>
  new DomainError('invalid_link', 'This link is no longer valid; sign up again to get a new one.');
