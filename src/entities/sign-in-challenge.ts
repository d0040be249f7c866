// A sign-in with a correct password that still awaits the second factor.
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
