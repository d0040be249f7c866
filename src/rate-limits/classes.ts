// How often what may be asked: every class of operations, with its numbers.

/** Whose requests are counted together. */
export type CountedBy = 'source' | 'principal' | 'account' | 'account-and-source';

export interface Rule {
  by: CountedBy;
  most: number;
  seconds: number;
  /** What succeeds is not counted. */
  failuresOnly?: true;
  /** Who has signed in to the account from that address before is let through: attackers can't lock them out. */
  sparesKnownSources?: true;
  /** Each replica counts for itself, without a question to the database. */
  isLocal?: true;
}

export interface LimitClass {
  /** How requests name the account that they are about. */
  account?: 'email' | 'challenge';
  /** In the order in which they are asked; who breaks one is not counted by those after it. */
  rules: readonly Rule[];
}

const minute = 60;
const quarter = 15 * minute;
const hour = 60 * minute;

/**
 * A rule for one account at one address is strict. One for the account as a whole is lax, more than a few addresses can
 * use up, and spares known addresses: with it alone an attacker could lock everybody out (CVE-2026-61609).
 */
export const limitClasses: Readonly<Record<string, LimitClass>> = {
  // Each is a look into the database that anybody can ask for.
  authentication: {
    rules: [{ by: 'source', most: 300, seconds: minute, failuresOnly: true, isLocal: true }],
  },
  general: { rules: [{ by: 'principal', most: 1_200, seconds: minute, isLocal: true }] },
  'sign-in': {
    account: 'email',
    rules: [
      { by: 'source', most: 100, seconds: 5 * minute },
      { by: 'account-and-source', most: 10, seconds: quarter, failuresOnly: true },
      { by: 'account', most: 600, seconds: hour, failuresOnly: true, sparesKnownSources: true },
    ],
  },
  'second-factor': {
    account: 'challenge',
    rules: [
      { by: 'source', most: 60, seconds: 5 * minute },
      { by: 'account-and-source', most: 10, seconds: quarter, failuresOnly: true },
      { by: 'account', most: 60, seconds: hour, failuresOnly: true, sparesKnownSources: true },
    ],
  },
  'second-factor-change': { rules: [{ by: 'principal', most: 10, seconds: quarter, failuresOnly: true }] },
  // Per caller: whoever has stolen an access token guesses no passwords with it.
  'step-up': { rules: [{ by: 'principal', most: 10, seconds: quarter, failuresOnly: true }] },
  password: { rules: [{ by: 'principal', most: 10, seconds: quarter, failuresOnly: true }] },
  // Messages to one account are limited where they are sent: the answer must not tell of them.
  'password-reset': {
    account: 'email',
    rules: [
      { by: 'source', most: 30, seconds: hour },
      { by: 'account-and-source', most: 5, seconds: hour },
    ],
  },
  'password-token': { rules: [{ by: 'source', most: 30, seconds: quarter }] },
  bootstrap: { rules: [{ by: 'source', most: 20, seconds: quarter }] },
  // Each holds a place for a while, and has a message sent; what one address gets is limited where that is sent.
  'early-access': { rules: [{ by: 'source', most: 5, seconds: hour }] },
  // Whoever asks anew every ten seconds needs six; many may come from one address.
  'public-status': { rules: [{ by: 'source', most: 600, seconds: minute, isLocal: true }] },
  'game-data': { rules: [{ by: 'source', most: 600, seconds: minute, isLocal: true }] },
  'public-store': { rules: [{ by: 'source', most: 600, seconds: minute, isLocal: true }] },
  // Each sets units aside for a while, and has the provider asked for a checkout.
  purchase: { rules: [{ by: 'source', most: 20, seconds: 10 * minute }] },
  // Providers send those of many licenses from a few addresses.
  'payment-callback': { rules: [{ by: 'source', most: 6_000, seconds: minute, isLocal: true }] },
  // A cache or a player needs few; each may be hundreds of megabytes.
  'public-download': { rules: [{ by: 'source', most: 120, seconds: minute, isLocal: true }] },
  // Each replica's own: one license may have hundreds of servers, and each server a player coming or going every second.
  'plugin-events': { rules: [{ by: 'principal', most: 6_000, seconds: minute, isLocal: true }] },
  // Each may make 500 licenses.
  provisioning: { rules: [{ by: 'principal', most: 60, seconds: minute, isLocal: true }] },
  // Each is a command, and up to 16 KiB of output that are kept for days; many lines are for the live console.
  'console-command': { rules: [{ by: 'principal', most: 60, seconds: minute }] },
  // Each may be eight megabytes, which take seconds of the thread that serves everybody.
  migration: { rules: [{ by: 'principal', most: 20, seconds: quarter, isLocal: true }] },
  ticket: {
    rules: [
      { by: 'principal', most: 60, seconds: minute },
      { by: 'source', most: 300, seconds: minute },
    ],
  },
};

/** The class of credentials that are not valid, whatever operation they are sent to. */
export const authenticationClass = 'authentication';

/** The class of operations that name none. */
export const generalClass = 'general';
