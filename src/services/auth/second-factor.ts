// The second factor: codes of an authenticator app, and recovery codes for when it is lost. Each works once.
import { LockMode } from '@mikro-orm/core';
import { generateSecret, generateURI, verify } from 'otplib';
import { toDataURL } from 'qrcode';
import type { Ctx } from '../../context.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { RecoveryCode, Totp, UserAccount } from '../../entities/index.ts';
import { DomainError } from '../../errors.ts';
import { purposes, SecretCipher } from '../../secrets/encryption.ts';
import { createRecoveryCode, hashSecret } from '../../secrets/random-secrets.ts';
import type { AccessChanges } from './access-changes.ts';
import { endSessions } from './session-revocation.ts';

/** Tolerated clock difference, in either direction. */
const toleranceSeconds = 30;
const recoveryCodes = 10;

/** What an authenticator app needs: the secret, the URI that contains it, and the URI as an image. */
export interface FactorSetup {
  secret: string;
  uri: string;
  image: string;
}

export class SecondFactor {
  readonly #platform: PlatformScope;
  readonly #changes: AccessChanges;
  readonly #cipher: SecretCipher;

  constructor(platform: PlatformScope, changes: AccessChanges, encryptionSecret: string) {
    this.#platform = platform;
    this.#changes = changes;
    this.#cipher = new SecretCipher(encryptionSecret, purposes.secondFactor);
  }

  async isOn(em: EntityManager, userId: string): Promise<boolean> {
    return (await em.count(Totp, { userId, confirmedAt: { $ne: null } })) > 0;
  }

  /** Creates a secret, which has no effect until a code of it is confirmed. */
  async setUp(ctx: Ctx): Promise<FactorSetup> {
    const { userId, email } = ctx.user;
    const secret = generateSecret({ length: 20 });
    const uri = generateURI({ issuer: 'Gantry', label: email, secret });
    const image = await toDataURL(uri, { errorCorrectionLevel: 'M', margin: 2 });
    await this.#platform.transact('sign-in', async (em) => {
      await lockAccount(em, userId);
      if (await this.isOn(em, userId)) throw alreadyOn();
      await em.nativeDelete(Totp, { userId });
      em.create(Totp, { userId, encryptedSecret: this.#cipher.encrypt(secret, userId) });
    });
    return { secret, uri, image };
  }

  /** Enables the factor and returns the recovery codes. */
  async turnOn(ctx: Ctx, { code }: Schemas['TotpCode']): Promise<string[]> {
    const { userId, sessionId } = ctx.user;
    const codes = Array.from({ length: recoveryCodes }, createRecoveryCode);
    await this.#platform.transact('sign-in', async (em) => {
      await lockAccount(em, userId);
      const totp = await em.findOne(Totp, userId);
      if (totp === null)
        throw new DomainError('totp_not_set_up', 'The second factor has no secret yet; create one first.');
      if (totp.confirmedAt) throw alreadyOn();
      const step = await this.#stepOf(totp, code);
      if (step === undefined) throw invalidCode();
      totp.confirmedAt = new Date();
      totp.lastUsedStep = step;
      await em.nativeDelete(RecoveryCode, { userId });
      for (const recovery of codes) em.create(RecoveryCode, { userId, codeHash: hashSecret(bare(recovery)) });
      await endSessions(em, this.#changes, userId, { except: sessionId });
    });
    return codes;
  }

  async turnOff(ctx: Ctx, { code }: Schemas['SecondFactorConfirmation']): Promise<void> {
    const { userId, sessionId } = ctx.user;
    await this.#platform.transact('sign-in', async (em) => {
      await lockAccount(em, userId);
      if (!(await this.isOn(em, userId)))
        throw new DomainError('totp_not_on', 'The second factor is not enabled.');
      if (!(await this.use(em, userId, code))) throw invalidCode();
      await em.nativeDelete(Totp, { userId });
      await em.nativeDelete(RecoveryCode, { userId });
      await endSessions(em, this.#changes, userId, { except: sessionId });
    });
  }

  /** Consumes the code; false if it is not one of the user's, or was used before. */
  async use(em: EntityManager, userId: string, code: string): Promise<boolean> {
    const given = bare(code);
    if (!/^\d{6}$/.test(given))
      return (await em.nativeDelete(RecoveryCode, { userId, codeHash: hashSecret(given) })) === 1;
    const totp = await em.findOne(Totp, { userId, confirmedAt: { $ne: null } });
    const step = totp === null ? undefined : await this.#stepOf(totp, given);
    if (step === undefined) return false;
    const isNew = { $or: [{ lastUsedStep: null }, { lastUsedStep: { $lt: step } }] };
    return (await em.nativeUpdate(Totp, { userId, ...isNew }, { lastUsedStep: step })) === 1;
  }

  async #stepOf({ userId, encryptedSecret }: Totp, code: string): Promise<number | undefined> {
    const secret = this.#cipher.decrypt(encryptedSecret, userId);
    const result = await verify({ secret, token: code, epochTolerance: toleranceSeconds });
    return result.valid && 'timeStep' in result ? result.timeStep : undefined;
  }
}

/** Locks the account: changes of its credentials, and sign-ins, are serialised. */
export async function lockAccount(em: EntityManager, userId: string): Promise<void> {
  await em.findOneOrFail(UserAccount, userId, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Normalises a typed code: any case, with or without dashes, with letters that look like digits. */
const bare = (code: string) =>
  code.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');

export const invalidCode = () =>
  new DomainError('invalid_code', 'This code is wrong, expired or already used.');

const alreadyOn = () =>
  new DomainError('totp_already_on', 'The second factor is already enabled; disable it first.');
