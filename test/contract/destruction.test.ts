// What each daily-work operation destroys, and how it is restored: where it cannot be, a step-up is required.
import { operations, type ContractOperation } from '../support/contract.ts';
import { isByAccessToken, isDailyWork } from '../support/daily-work.ts';

const stepUp = Symbol('a step-up is required');

const fileBackup = 'A file of a game server: its backups bring it back.';
const madeAgain = 'Is created again with the same values, which the audit log or its owner has.';

/** Operations that delete, overwrite or deactivate something. */
const destructive: Readonly<Record<string, string | typeof stepUp>> = {
  deleteFile: fileBackup,
  replaceFileContent: fileBackup,
  updateFile: fileBackup,
  uploadFile: fileBackup,
  createFileArchive: fileBackup,
  createFileExtraction: fileBackup,
  updateLootAmounts: fileBackup,
  'deploy*Config': fileBackup,
  runWipe: 'Files of a game server: its backups bring them back, and `backup` makes one first.',
  runConsoleCommand: 'Anything the server can do: its backups restore it.',
  createConsoleTicket: 'Anything the server can do: its backups restore it.',
  uploadPlugin: 'A copy of the replaced plugin is kept for 30 days.',
  runPluginUninstall: 'A copy of the plugin is kept for 30 days.',
  runPluginRestore: 'A copy of the replaced plugin is kept for 30 days.',
  deployModule: 'The license owns the module and installs it again.',
  deleteModuleInstallation: 'The license owns the module and installs it again.',
  deleteMap: 'A map that no server has: the uploader has the file.',
  deployMap: 'The map is deployed again.',
  deleteMapDeployment: 'The map is deployed again.',
  deletePlayerCommands: 'Applying the configuration brings its commands back.',
  'delete*Config': 'Servers keep what was applied, and it is imported from there.',
  'update*Config': madeAgain,
  runSchedule: 'Deletes what any run of the schedule deletes; pinned backups stay.',
  updateSchedule: stepUp,
  deleteSchedule: stepUp,
  switchSchedule: 'Switching it again undoes it; no backup is deleted.',
  deleteCluster: 'A name; its instances stay.',
  updateCluster: madeAgain,
  deleteChangelogEntry: madeAgain,
  updateChangelogEntry: madeAgain,
  deleteStoreCategory: 'A name; its items stay.',
  replaceStoreCategory: madeAgain,
  deleteStoreItem: 'An offer; transactions and deliveries of it stay.',
  replaceStoreItem: madeAgain,
  updateAlertConfig: madeAgain,
  updateMap: madeAgain,
  updateSiteConfig: madeAgain,
  updateSiteListing: madeAgain,
  cancelModuleSubscription: 'reactivateModuleSubscription undoes it.',
  runPlayerBan: 'cancelPlayerBan undoes it.',
};

/** Operations that only add, query, send, start or stop. */
const harmless = new Set([
  'cancelPlayerBan',
  'cancelWipe',
  'create*Config',
  'create*ConfigCopy',
  'createChangelogEntry',
  'createCluster',
  'createDirectory',
  'createModulePurchase',
  'createSchedule',
  'createStoreCategory',
  'createStoreItem',
  'import*Config',
  'import*ConfigFiles',
  'reactivateModuleSubscription',
  'restartInstance',
  'restartStoreDelivery',
  'run*ConfigPreview',
  'run*ConfigValidation',
  'runPlayerKick',
  'runPlayerMessage',
  'runPluginLoad',
  'runPluginReload',
  'runPluginUnload',
  'startInstance',
  'stopInstance',
  'updateAlert',
  'uploadMap',
]);

/** Plugin configurations have the same operations for each kind. */
const nameOf = ({ id, tags }: ContractOperation) =>
  tags.includes('plugin-configs') ? id.replace(/^([a-z]+)[A-Z]\w*Config/, '$1*Config') : id;

const changing = operations.filter(
  (operation) => isDailyWork(operation) && operation.method !== 'get' && isByAccessToken(operation),
);

it('every operation of the daily work declares what it destroys, or that it destroys nothing', () => {
  const undecided = changing.map(nameOf).filter((name) => harmless.has(name) === name in destructive);
  expect([...new Set(undecided)]).toEqual([]);
});

it('no operation that deletes counts as harmless', () => {
  const deleting = changing.filter(({ method }) => method === 'delete').map(nameOf);
  expect(deleting.filter((name) => harmless.has(name) && name !== 'cancelPlayerBan')).toEqual([]);
});

it('operations require a step-up where destroyed data cannot be restored', () => {
  const wrong = changing.filter(
    (operation) =>
      operation.problemCodes?.includes('step_up_required') !== (destructive[nameOf(operation)] === stepUp),
  );
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

it('every named operation exists', () => {
  const names = new Set(changing.map(nameOf));
  expect([...Object.keys(destructive), ...harmless].filter((name) => !names.has(name))).toEqual([]);
});
