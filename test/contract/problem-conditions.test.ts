// Conditions of problems: each operation states those that depend on it, with the limits that its code enforces.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { maxAtOnce as maxTransfers } from '../../agent/src/instance-files/transfers.ts';
import { maxUploads as maxWaitingPlugins } from '../../agent/src/plugins/plugin-store.ts';
import { problems as managerProblems } from '../../local-manager/src/problems.ts';
import { operationsIn, type OperationObject } from '../../shared/openapi/document.ts';
import { problemsOf, splitDescription } from '../../shared/openapi/problem-conditions.ts';
import { sandboxSettings } from '../../src/config/sandbox-settings.ts';
import { problems as platformProblems } from '../../src/platform-contract/problems.ts';
import { maxOpenCodes } from '../../src/services/agents/enrolment.ts';
import { maxHosts } from '../../src/services/agents/host-binding.ts';
import { maxKeyChanges } from '../../src/services/agents/index.ts';
import { maxKeys } from '../../src/services/api-keys.ts';
import { maxBackups } from '../../src/services/backups/index.ts';
import { maxClusters, maxClustersOfSandbox } from '../../src/services/clusters.ts';
import { maxWaitingPerHost } from '../../src/services/commands/index.ts';
import { maxBytes, maxBytesInSandbox, maxMaps } from '../../src/services/maps/uploads.ts';
import { maxChannels, maxChannelsOfSandbox } from '../../src/services/notifications/index.ts';
import { maxWaitingTests as maxTestsOfChannel } from '../../src/services/notifications/log.ts';
import { maxInProgress } from '../../src/services/plugin-applications/index.ts';
import { maxNotesOfPlayer, maxNotesOfSandbox } from '../../src/services/players/record.ts';
import { maxConfigsOfKind, maxConfigsOfKindInSandbox } from '../../src/services/plugin-configs/rows.ts';
import { maxNewPlayers } from '../../src/services/plugin-events/insert-events.ts';
import { maxLicenses } from '../../src/services/resellers/provisioning.ts';
import { maxRoles } from '../../src/services/roles.ts';
import { maxAdvanceMs, maxOffsetMs } from '../../src/services/sandbox/clock.ts';
import { maxSchedules } from '../../src/services/schedules/index.ts';
import { maxCategories } from '../../src/services/store/catalogue/categories.ts';
import { maxItems } from '../../src/services/store/catalogue/index.ts';
import { maxDeliveries, maxMinor, maxUnits } from '../../src/services/store/checkout/basket.ts';
import { maxPending } from '../../src/services/store/checkout/index.ts';
import { maxResends } from '../../src/services/store/deliveries/index.ts';
import { maxPerDay } from '../../src/services/team/invitations.ts';
import { maxWaitingTests as maxTestsOfWebhook } from '../../src/services/webhooks/deliveries.ts';
import { maxWebhooks, maxWebhooksOfSandbox } from '../../src/services/webhooks/index.ts';
import { maxArriving } from '../../src/storage/stored-files.ts';
import { idFieldsOf, operations, pathParametersOf, root } from '../support/contract.ts';

const days = (ms: number) => ms / 86_400_000;
const oneReplay = 1;

/** The limits of each operation with `limit_reached`; those that are absent only send a command to a host. */
const limits: Readonly<Record<string, readonly number[]>> = {
  addPlayerNote: [maxNotesOfPlayer, maxNotesOfSandbox],
  advanceSandboxClock: [days(maxAdvanceMs), days(maxOffsetMs)],
  applyPluginConfig: [maxInProgress],
  createAgentSession: [maxHosts],
  createApiKey: [maxKeys],
  createBackup: [maxBackups, maxWaitingPerHost],
  createCluster: [maxClusters, maxClustersOfSandbox],
  createEnrolmentCode: [maxOpenCodes],
  createNotificationChannel: [maxChannels, maxChannelsOfSandbox],
  createPluginConfig: [maxConfigsOfKind, maxConfigsOfKindInSandbox],
  createRole: [maxRoles],
  createSandbox: [sandboxSettings({}).maxCount],
  createSchedule: [maxSchedules],
  createStoreCategory: [maxCategories],
  createStoreItem: [maxItems],
  createWebhook: [maxWebhooks, maxWebhooksOfSandbox],
  downloadBackup: [maxTransfers],
  downloadFile: [maxTransfers],
  duplicatePluginConfig: [maxConfigsOfKind, maxConfigsOfKindInSandbox],
  duplicateRole: [maxRoles],
  enrollHost: [maxHosts],
  importPluginConfigFromFiles: [maxConfigsOfKind, maxConfigsOfKindInSandbox],
  importPluginConfigFromServer: [maxConfigsOfKind, maxConfigsOfKindInSandbox, maxTransfers],
  installPlugin: [maxWaitingPlugins, maxTransfers, maxWaitingPerHost],
  inviteMember: [maxPerDay],
  placeOrder: [maxPending, maxUnits, maxDeliveries, maxMinor],
  previewPluginConfig: [maxTransfers],
  provisionLicenses: [maxLicenses],
  recoverWebhook: [oneReplay],
  replayWebhook: [oneReplay],
  resendStoreDelivery: [maxResends],
  resetHostKey: [maxKeyChanges],
  runSchedule: [maxWaitingPerHost, maxBackups],
  simulateSandboxEvent: [maxPending],
  submitPlayerEvent: [maxNewPlayers],
  testNotificationChannel: [maxTestsOfChannel],
  testWebhook: [maxTestsOfWebhook],
  uploadFile: [maxTransfers],
  uploadMap: [maxMaps, maxBytes / 1024 ** 3, maxBytesInSandbox / 1024 ** 2, maxArriving],
};

interface Published {
  paths: object;
}

interface Stated extends OperationObject {
  'x-problem-codes'?: readonly string[];
}

const read = (name: string) =>
  JSON.parse(readFileSync(resolve(root, `generated/${name}.openapi.json`), 'utf8')) as Published;

const operationsOf = (document: Published) =>
  operationsIn<Stated>(document).map(({ operation }) => ({
    id: operation.operationId ?? '',
    codes: operation['x-problem-codes'] ?? [],
    own: splitDescription(operation.description ?? '').conditions,
    problems: problemsOf(document, operation),
  }));

describe.each([
  { name: 'platform', kinds: platformProblems.kinds },
  { name: 'local-manager', kinds: managerProblems.kinds },
])('$name', ({ name, kinds }) => {
  const published = operationsOf(read(name));

  it('each operation states the conditions that depend on it', () => {
    const unstated = published.flatMap(({ id, codes, own }) =>
      codes
        .filter((code) => kinds[code]?.isStatedByOperations === true && !own.has(code))
        .map((code) => `${id} ${code}`),
    );
    expect(unstated).toEqual([]);
  });

  it('each operation states conditions of codes of its own only', () => {
    const foreign = published.flatMap(({ id, codes, own }) =>
      [...own.keys()].filter((code) => !codes.includes(code)).map((code) => `${id} ${code}`),
    );
    expect(foreign).toEqual([]);
  });

  it('each condition is one sentence', () => {
    const others = published.flatMap(({ id, problems }) =>
      [...problems].filter(([, condition]) => !/^\S.*[^.]\.$/.test(condition)).map((entry) => [id, ...entry]),
    );
    expect(others).toEqual([]);
  });
});

it('each operation without an ID in its request states what was not found', () => {
  const stated = new Map(operationsOf(read('platform')).map(({ id, own }) => [id, own]));
  const unclear = operations
    .filter(({ problemCodes }) => problemCodes?.includes('not_found') === true)
    .filter((each) => pathParametersOf(each).length + idFieldsOf(each).length === 0)
    .map(({ id }) => id)
    .filter((id) => stated.get(id)?.has('not_found') !== true);
  expect(unclear).toEqual([]);
});

it('each limit that an operation states is the one that its code enforces', () => {
  const stated = operationsOf(read('platform')).flatMap(({ id, own }) => {
    const sentence = own.get('limit_reached');
    return sentence === undefined ? [] : [{ id, numbers: numbersIn(sentence) }];
  });
  expect(stated.length).toBeGreaterThan(60);
  expect(stated).toEqual(
    stated.map(({ id }) => ({
      id,
      numbers: expect.arrayContaining([...(limits[id] ?? [maxWaitingPerHost])]),
    })),
  );
  expect(Object.keys(limits).filter((id) => !stated.some((each) => each.id === id))).toEqual([]);
});

const numbersIn = (sentence: string) =>
  [...sentence.replace(/\bOne\b/, '1').matchAll(/\d[\d,]*/g)].map(([text]) =>
    Number(text.replaceAll(',', '')),
  );
