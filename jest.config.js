import { leftOut } from './test/support/needs.ts';

/**
 * Suites of many cases: faults injected into running processes, every operation of the contract with every caller and
 * with generated requests, every kind of plugin configuration with its files, generated configurations, hostile paths
 * and archives, every guide and workflow, other linters' rules for the contract, every page in a browser, and what takes
 * long in an area of which `npm test` has the rest. `npm run test:exhaustive` runs a share of them, another one each day
 * (test/support/suites-of-today.js); `npm test` with a path runs any.
 */
export const exhaustive = [
  'test/faults/',
  'test/agent/(applied-files|bus-faults|clock|console-output|deliveries|delivery-faults|executable|hostile-|install\\.|journal-faults)',
  'test/agent/(instance-backups|managed-instances|modules|several-agents|rcon\\.|settings|survival|wipe-outcomes)',
  'test/api/(migration-round-trips|notifications|plugin-generation-files|plugin-generations|plugin-kinds|sandbox-|schedule-countdowns)',
  'test/api/(store-receipts|toy-kind|webhook-backlogs|webhook-replays)',
  'test/client/(browser|event-stream)',
  'test/cli/(mcp|profiles)',
  'test/docs/(basics|guides|plugin-configs|reverse-proxy|second-host|settings|workflows)',
  'test/local-manager/(advice|automation|backups|cut-off|hung-host|killed|memory|monitoring|page|power|recovery|sessions)',
  'test/panel/(?!operations)',
  'test/sdks/',
  'test/contract/(body-cost|examples|generated-requests|generators|import-cost|judges|multipart|operation-requests|security-matrix)',
  'test/contract/(docs-page|early-access-page|operation-events|reference-links|status-page|store-page)',
  'test/unit/(archive|backups|due-work|embedded/(crash|postgres)|metrics|packed-stats|plugin-config-imports|start\\.)',
];

/**
 * For `npm run soak` alone: suites that kill and silence processes for minutes, thousands of connections, a backlog of a
 * day, and the work of each frame, which other suites on the machine would change. A short run of each kind stays in
 * `npm run test:exhaustive`: test/agent/survival kills agents, test/faults/(sessions|webhooks) processes with jobs,
 * test/faults/restores restores, test/local-manager/killed managers.
 */
export const soak = [
  // Kills the agent before each of its changes of the file system.
  'test/agent/interrupted-restorations',
  'test/agent/(interrupted-wipes|updates|wipe-record-faults)',
  // Kills and adds job processes until hundreds of notifications are sent.
  'test/faults/alerts',
  // Replaces replicas under the load of many clients, as `npm run bench` does for longer.
  'test/faults/rolling-restarts',
  'test/faults/(deliveries|events|files|network|plugin-applications|recovery)',
  'test/panel/frame-times',
  'test/unit/(analytics-backlog|archive-kills|connection-cap)',
];

/** Of these, what `npm run test:exhaustive` runs every day: other tenants' rows, and the way to a first server. */
export const daily = ['test/contract/security-matrix.test.ts', 'test/panel/first-server.test.ts'];

/** These have a sample of their cases, another one each day (test/support/sample.ts), and all of them in `npm run soak`. */
export const sampled = ['test/api/plugin-kinds', 'test/contract/(body-cost|security-matrix)'];

/** Clean machines, which `npm run soak:machines` downloads. */
const machines = 'test/machines/';

const hasPath = process.argv.slice(2).some((argument) => argument.startsWith('test/'));

/** Suites that no run includes. */
export const ignored = ['/node_modules/', ...leftOut.map(({ suite }) => suite)];
/** Suites of neither `npm test` nor `npm run test:exhaustive`. */
export const elsewhere = [...ignored, ...soak, machines];

export const base = {
  testEnvironment: '<rootDir>/test/support/environment.js',
  // Suites are loaded by Node itself: a worker loads the code once for all its suites, and nothing is transformed.
  runtime: '<rootDir>/test/support/runtime.cjs',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // Built packages have the names of their sources.
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  globalSetup: './test/support/global-setup.ts',
  globalTeardown: './test/support/global-teardown.ts',
  reporters: ['default', '<rootDir>/test/support/closing-line-reporter.js'],
  testSequencer: '<rootDir>/test/support/sequencer.js',
  testTimeout: 300_000,
  // Two more than the gate's cores: much of the time goes to waiting, mostly for processes that start.
  maxWorkers: 4,
};

export default {
  ...base,
  testPathIgnorePatterns: hasPath ? ignored : [...elsewhere, ...exhaustive],
};
