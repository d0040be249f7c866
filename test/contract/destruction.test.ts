// What each daily-work operation destroys, and how it is restored: where it cannot be, a step-up is required.
import { operations } from '../support/contract.ts';
import { isByAccessToken, isDailyWork } from '../support/daily-work.ts';

const stepUp = Symbol('a step-up is required');

const fileBackup = 'A file of a game server: its backups bring it back.';
const madeAgain = 'Is created again with the same values, which the audit log or its owner has.';

/** Operations that delete, overwrite or deactivate something. */
const destructive: Readonly<Record<string, string | typeof stepUp>> = {
  deleteFile: fileBackup,
  writeFile: fileBackup,
  renameFile: fileBackup,
  uploadFile: fileBackup,
  archiveFiles: fileBackup,
  extractArchive: fileBackup,
  scaleLootConfig: fileBackup,
  applyPluginConfig: fileBackup,
  wipeInstance: 'Files of a game server: its backups bring them back, and `backup` makes one first.',
  runConsoleCommand: 'Anything the server can do: its backups restore it.',
  createConsoleTicket: 'Anything the server can do: its backups restore it.',
  installPlugin: 'A copy of the replaced plugin is kept for 30 days.',
  uninstallPlugin: 'A copy of the plugin is kept for 30 days.',
  restorePlugin: 'A copy of the replaced plugin is kept for 30 days.',
  installModule: 'The license owns the module and installs it again.',
  uninstallModule: 'The license owns the module and installs it again.',
  deleteMap: 'A map that no server has: the uploader has the file.',
  deployMap: 'The map is deployed again.',
  undeployMap: 'The map is deployed again.',
  clearPlayerCommands: 'Applying the configuration brings its commands back.',
  deletePluginConfig: 'Servers keep what was applied, and it is imported from there.',
  updatePluginConfig: madeAgain,
  runSchedule: 'Deletes what any run of the schedule deletes; pinned backups stay.',
  updateSchedule: stepUp,
  deleteSchedule: stepUp,
  toggleSchedule: 'Switching it again undoes it; no backup is deleted.',
  deleteCluster: 'A name; its instances stay.',
  updateCluster: madeAgain,
  deleteReleaseNote: madeAgain,
  updateReleaseNote: madeAgain,
  deleteStoreCategory: 'A name; its items stay.',
  replaceStoreCategory: madeAgain,
  deleteStoreItem: 'An offer; transactions and deliveries of it stay.',
  replaceStoreItem: madeAgain,
  updateAlertRules: madeAgain,
  updateMap: madeAgain,
  updateSiteSettings: madeAgain,
  updatePublicListing: madeAgain,
  cancelModuleSubscription: 'reactivateModuleSubscription undoes it.',
  banPlayer: 'unbanPlayer undoes it.',
};

/** Operations that only add, query, send, start or stop. */
const harmless = new Set([
  'addPlayerNote',
  'unbanPlayer',
  'cancelWipe',
  'createReleaseNote',
  'createCluster',
  'createPluginConfig',
  'duplicatePluginConfig',
  'importPluginConfigFromFiles',
  'importPluginConfigFromServer',
  'previewPluginConfig',
  'validatePluginConfig',
  'createDirectory',
  'purchaseModule',
  'createSchedule',
  'createStoreCategory',
  'createStoreItem',
  'reactivateModuleSubscription',
  'restartInstance',
  'resendStoreDelivery',
  'kickPlayer',
  'messagePlayer',
  'loadPlugin',
  'reloadPlugin',
  'unloadPlugin',
  'startInstance',
  'stopInstance',
  'acknowledgeAlert',
  'uploadMap',
]);

const changing = operations.filter(
  (operation) => isDailyWork(operation) && operation.method !== 'get' && isByAccessToken(operation),
);

it('every operation of the daily work declares what it destroys, or that it destroys nothing', () => {
  const undecided = changing.map(({ id }) => id).filter((name) => harmless.has(name) === name in destructive);
  expect([...new Set(undecided)].map((name) => `${name} belongs into destructive or into harmless`)).toEqual(
    [],
  );
});

it('no operation that deletes counts as harmless', () => {
  const deleting = changing.filter(({ method }) => method === 'delete').map(({ id }) => id);
  expect(deleting.filter((name) => harmless.has(name) && name !== 'unbanPlayer')).toEqual([]);
});

it('operations require a step-up where destroyed data cannot be restored', () => {
  const wrong = changing.filter(
    (operation) =>
      operation.problemCodes?.includes('step_up_required') !== (destructive[operation.id] === stepUp),
  );
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

it('every named operation exists', () => {
  const names = new Set(changing.map(({ id }) => id));
  expect([...Object.keys(destructive), ...harmless].filter((name) => !names.has(name))).toEqual([]);
});
