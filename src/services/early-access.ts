// Signing up before the platform opens to everybody, and the places of the Founding Admin Program.
import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../context.ts';
import type { Schemas } from '../contract-types.ts';
import type { EntityManager } from '../database/connection.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import { holdTurn } from '../database/turns.ts';
import { EarlyAccessClaim, EarlyAccessSignup } from '../entities/index.ts';
import { DomainError } from '../errors.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import type { MailOut } from './mail.ts';
import { createSecret, hashSecret } from './secrets.ts';

export const foundingPlaces = 25;
const heldMs = 60 * 60_000;
const linkMs = 7 * 24 * 60 * 60_000;
/** Messages that one address gets within a day. */
const mostMessages = 3;
const dayMs = 24 * 60 * 60_000;

export interface Receipt {
  heldUntil: Date | null;
  placesLeft: number;
}

export interface Standing {
  email: string;
  holdsPlace: boolean;
  placesLeft: number;
}

export class EarlyAccess {
  readonly #platform: PlatformScope;

  constructor(platform: PlatformScope) {
    this.#platform = platform;
  }

  /** Never looks whether the address is known: the rest is left to a job, so that neither answer nor time tells. */
  async signUp(_ctx: Ctx, input: Schemas['EarlyAccessSignupCreate']): Promise<Receipt> {
    return this.#platform.transact('sign-in', async (em) => {
      const placesLeft = await takeTurn(em);
      const now = Date.now();
      const heldUntil = placesLeft > 0 ? new Date(now + heldMs) : null;
      const claim = em.create(EarlyAccessClaim, {
        email: input.email.toLowerCase(),
        serverCount: input.server_count,
        placeUntil: heldUntil,
        expiresAt: new Date(now + linkMs),
      });
      await em.flush();
      await enqueueJob(em, 'welcome-signup', { claim_id: claim.id });
      return { heldUntil, placesLeft: Math.max(placesLeft - 1, 0) };
    });
  }

  /** Gives the address that the link was sent to a place for good, if its claim still holds one or one is left. */
  async confirm(_ctx: Ctx, { token }: Schemas['EarlyAccessConfirmation']): Promise<Standing> {
    return this.#platform.transact('sign-in', async (em) => {
      const left = await takeTurn(em);
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
      const isHeld = (claim.placeUntil ?? now) > now;
      const placesLeft = left + (isHeld ? 1 : 0);
      const hadPlace = Boolean(signup.foundingPlaceAt);
      const holdsPlace = hadPlace || placesLeft > 0;
      claim.placeUntil = null;
      signup.confirmedAt ??= now;
      signup.serverCount = claim.serverCount;
      if (holdsPlace) signup.foundingPlaceAt ??= now;
      const isTaken = holdsPlace && !hadPlace;
      return { email: claim.email, holdsPlace, placesLeft: placesLeft - (isTaken ? 1 : 0) };
    });
  }
}

/** Writes new addresses down and sends the links. */
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
      await holdTurn(em, `early access ${email}`);
      await em.execute(
        'insert into early_access_signup (email, server_count, created_at) values (?, ?, ?) on conflict (email) do nothing',
        [email, serverCount, claim.createdAt],
      );
      const since = new Date(Date.now() - dayMs);
      if ((await em.count(EarlyAccessClaim, { email, mailedAt: { $gt: since } })) >= mostMessages) {
        // Nobody can confirm what no link was sent for.
        claim.placeUntil = null;
        return;
      }
      const token = createSecret('gantry_signup_');
      claim.tokenHash = hashSecret(token);
      claim.mailedAt = new Date();
      const template = claim.placeUntil ? 'early-access-place' : 'early-access-waiting';
      await this.#mailOut.enqueue(em, { to: email, template, values: { email, token } }, 'early access');
    });
  }
}

/** Waits until nobody else takes a place; answers how many are left. */
async function takeTurn(em: EntityManager): Promise<number> {
  await holdTurn(em, 'founding places');
  const given = await em.count(EarlyAccessSignup, { foundingPlaceAt: { $ne: null } });
  const held = await em.count(EarlyAccessClaim, { placeUntil: { $gt: new Date() } });
  return foundingPlaces - given - held;
}

const invalidLink = () =>
  new DomainError('invalid_link', 'This link is not valid any more; sign up again to get another one.');
