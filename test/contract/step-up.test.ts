// Which operations require a step-up, and why the others that concern access, credentials or money do not.
import { operations } from '../support/contract.ts';
import { dailyWork, isByAccessToken, isDailyWork } from '../support/daily-work.ts';

/** By the rule of docs/decisions/0034-step-ups.md. */
const withoutStepUp: Readonly<Record<string, string>> = {
  revokeSession: 'Ends access; it must be quick when something was stolen.',
  revokeOtherSessions: 'Ends access; it must be quick when something was stolen.',
  stepUpSession: 'It is the step-up.',
  disableTotp: 'Takes a fresh code of the second factor itself.',
  switchLicense: 'Returns an access token that ends with the one sent, and no refresh token.',
  changePassword: 'Takes the current password itself.',
  revokeApiKey: 'Ends access.',
  revokeInvitation: 'Ends access.',
  createRole: 'Grants nothing: putting a member into it requires a step-up.',
  duplicateRole: 'Grants nothing: putting a member into it requires a step-up.',
  deleteRole: 'A role in use is not deleted, so that no member loses permissions.',
  deleteWebhook: 'Ends a flow of events.',
  testWebhook: 'Sends a test event to a URL that is there already.',
  resendWebhookDelivery: 'Sends an event again to a URL that is there already.',
  recoverWebhook: 'Sends events again to a URL that is there already.',
  replayWebhook: 'Sends events again to a URL that is there already.',
  deleteNotificationChannel: 'Ends a flow of messages.',
  testNotificationChannel: 'Sends a test to a channel that is there already.',
  updateOwnLicense: 'A name and a subdomain.',
  createLicense:
    'A new, empty license; super admins see and revoke it. Requires one itself for an owner other than the caller.',
  updateLicense: 'Revokes and restores; each undoes the other.',
  updateReseller: 'A name, a rate and whether the key works; the key stays the one it was.',
  createStoreSubscription: 'Spends, visibly, on what the license has; can be cancelled.',
  cancelStoreSubscription: 'Ends what can be begun again.',
  simulateSubscriptionEvent: 'Of the sandbox only.',
  replaceStoreSettings: 'Says how the store looks; where money goes is connectStripe.',
  updateInstance: 'Says which cluster an instance is in.',
  cancelCommand: 'Withdraws what has not begun; it can be requested again.',
  createEnrolmentCode:
    'Adds one host, visibly, and takes over none: a name in use requires resetHostKey first.',
  updateAgents: 'Installs only what the operator of the platform has released and signed.',
  createInstance: 'Makes only what the host’s own file offers, and can be deleted again.',
  updateInstanceDefinition: 'Changes only what the host’s own file offers, and can be changed back.',
  deleteSandbox: 'Made for tests, with nothing real in it; a new one is one call.',
  resetSandbox: 'Made for tests, with nothing real in it.',
  advanceSandboxClock: 'Of a sandbox only, which holds no real data.',
  simulateSandboxEvent: 'Of a sandbox only, which holds no real data.',
  retryDeadJob: 'Does what was to be done anyway.',
  createBackup: 'Deletes only what the policy deletes on any day, and nothing that is pinned.',
  restoreBackup: 'Changes the files of a game server; it keeps the present ones where asked.',
  disconnectStripe: 'Ends payments; the secrets are not returned.',
};

const concerned = operations.filter(
  (operation) => !isDailyWork(operation) && operation.method !== 'get' && isByAccessToken(operation),
);

it('every operation outside the daily work requires a step-up or has a reason here', () => {
  const undecided = concerned.filter(
    ({ id, requiresStepUp }) => requiresStepUp === (withoutStepUp[id] !== undefined),
  );
  expect(undecided.map(({ id }) => id)).toEqual([]);
});

it('no operation of the daily work requires a step-up: its area would have to be decided as a whole', () => {
  const marked = operations.filter((operation) => operation.requiresStepUp && isDailyWork(operation));
  expect(marked.map(({ id }) => id)).toEqual([]);
});

it('every area of the daily work is one of the contract', () => {
  const areas = new Set(operations.map(({ area }) => area));
  expect([...dailyWork].filter((area) => !areas.has(area))).toEqual([]);
});

it('every reason is for an existing operation', () => {
  const ids = new Set(concerned.map(({ id }) => id));
  expect(Object.keys(withoutStepUp).filter((id) => !ids.has(id))).toEqual([]);
});
