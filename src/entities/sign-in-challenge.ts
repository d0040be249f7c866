// A sign-in whose password was right and whose second factor is still to come.
import { defineEntity, p } from '@mikro-orm/core';

export const SignInChallengeSchema = defineEntity({
  name: 'SignInChallenge',
  tableName: 'sign_in_challenge',
  properties: {
    tokenHash: p.text().primary(),
    userId: p.uuid(),
    chosenLicenseId: p.uuid().nullable(),
    attempts: p.integer().default(0),
    expiresAt: p.datetime(),
  },
});
export class SignInChallenge extends SignInChallengeSchema.class {}
SignInChallengeSchema.setClass(SignInChallenge);
