// Rate-limit classes: requests per window, by operation.

/** What requests are counted by. */
export type CountedBy = 'source' | 'principal' | 'account' | 'account-and-source';

export interface Rule {
  by: CountedBy;
  max: number;
  seconds: number;
  /** Successful requests are not counted. */
  failuresOnly?: true;
  /** Sources from which the account's owner has signed in are exempt, so that attackers cannot lock the owner out. */
  sparesKnownSources?: true;
  /** Each replica counts separately, without a database request. */
  isLocal?: true;
}

export interface LimitClass {
  /** How requests name the account that they concern. */
  account?: 'email' | 'challenge';
  /** Evaluated in this order; a request that exceeds one rule is not counted by the following rules. */
  rules: readonly Rule[];
}

const minute = 60;
const quarter = 15 * minute;
const hour = 60 * minute;

/**
 * A rule per account and address is strict. A rule per account alone is lax, so that a few addresses cannot use it up,
 * and exempts known sources: without the exemption an attacker could lock all users out (CVE-2026-61609).
 */
export const limitClasses: Readonly<Record<string, LimitClass>> = {
  // Each causes a database lookup that anyone can trigger.
  authentication: {
    rules: [{ by: 'source', max: 300, seconds: minute, failuresOnly: true, isLocal: true }],
  },
  general: { rules: [{ by: 'principal', max: 1_200, seconds: minute, isLocal: true }] },
  'sign-in': {
    account: 'email',
    rules: [
      { by: 'source', max: 100, seconds: 5 * minute },
      { by: 'account-and-source', max: 10, seconds: quarter, failuresOnly: true },
      { by: 'account', max: 600, seconds: hour, failuresOnly: true, sparesKnownSources: true },
    ],
  },
  'second-factor': {
    account: 'challenge',
    rules: [
      { by: 'source', max: 60, seconds: 5 * minute },
      { by: 'account-and-source', max: 10, seconds: quarter, failuresOnly: true },
      { by: 'account', max: 60, seconds: hour, failuresOnly: true, sparesKnownSources: true },
    ],
  },
  'second-factor-change': { rules: [{ by: 'principal', max: 10, seconds: quarter, failuresOnly: true }] },
  // Per caller, so that a stolen access token cannot be used to guess passwords.
  'step-up': { rules: [{ by: 'principal', max: 10, seconds: quarter, failuresOnly: true }] },
  password: { rules: [{ by: 'principal', max: 10, seconds: quarter, failuresOnly: true }] },
  // Messages to one account are limited where they are sent, since the response must not reveal them.
  'password-reset': {
    account: 'email',
    rules: [
      { by: 'source', max: 30, seconds: hour },
      { by: 'account-and-source', max: 5, seconds: hour },
    ],
  },
  'password-token': { rules: [{ by: 'source', max: 30, seconds: quarter }] },
  bootstrap: { rules: [{ by: 'source', max: 20, seconds: quarter }] },
  // Machines of one data center may share an address; a code has too much entropy to be guessed.
  enrolment: { rules: [{ by: 'source', max: 120, seconds: quarter, failuresOnly: true }] },
  // Each sends a message; messages to one address are limited where they are sent.
  'early-access': { rules: [{ by: 'source', max: 5, seconds: hour }] },
  // Each creates a license, and callers need no account.
  sandbox: { rules: [{ by: 'source', max: 5, seconds: hour }] },
  // Each deletes and creates a license; the audit log keeps entries of all of them.
  'sandbox-reset': {
    rules: [
      { by: 'principal', max: 60, seconds: quarter },
      { by: 'source', max: 120, seconds: quarter },
    ],
  },
  // Each may do the work of a month.
  'sandbox-clock': { rules: [{ by: 'principal', max: 60, seconds: minute, isLocal: true }] },
  // Polling every ten seconds needs six; many clients may share an address.
  'public-status': { rules: [{ by: 'source', max: 600, seconds: minute, isLocal: true }] },
  'game-data': { rules: [{ by: 'source', max: 600, seconds: minute, isLocal: true }] },
  'public-store': { rules: [{ by: 'source', max: 600, seconds: minute, isLocal: true }] },
  // A purchase reserves stock and opens a checkout at the payment provider.
  purchase: { rules: [{ by: 'source', max: 20, seconds: 10 * minute }] },
  // Each rewrites the state of the simulation.
  'sandbox-event': { rules: [{ by: 'principal', max: 300, seconds: minute, isLocal: true }] },
  // Providers send callbacks of many licenses from a few addresses.
  'payment-callback': { rules: [{ by: 'source', max: 6_000, seconds: minute, isLocal: true }] },
  // A cache or a player needs few; each may be hundreds of megabytes.
  'public-download': { rules: [{ by: 'source', max: 120, seconds: minute, isLocal: true }] },
  // Per replica: one license may have hundreds of servers, and each server may report a player joining or leaving every
  // second.
  'plugin-events': { rules: [{ by: 'principal', max: 6_000, seconds: minute, isLocal: true }] },
  // Each may create 500 licenses.
  provisioning: { rules: [{ by: 'principal', max: 60, seconds: minute, isLocal: true }] },
  // Each is a command with up to 16 KiB of output that is stored for days; for many lines, use the live console.
  'console-command': { rules: [{ by: 'principal', max: 60, seconds: minute }] },
  // Each may be 8 MB, and blocks the thread that serves all requests for seconds.
  migration: { rules: [{ by: 'principal', max: 20, seconds: quarter, isLocal: true }] },
  // Clients reconnect after each interruption.
  'event-stream': { rules: [{ by: 'principal', max: 60, seconds: minute, isLocal: true }] },
  ticket: {
    rules: [
      { by: 'principal', max: 60, seconds: minute },
      { by: 'source', max: 300, seconds: minute },
    ],
  },
};

/** The class of requests with invalid credentials, for any operation. */
export const authenticationClass = 'authentication';

/** The class of operations that name none. */
export const generalClass = 'general';
