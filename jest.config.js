import { resolve } from 'node:path';
import { leftOut } from './test/support/needs.ts';

/**
 * Suites of minutes each: faults injected into running processes, every operation of the contract with every caller,
 * every kind of plugin configuration with its files, every guide, and every flow of the local manager in a browser.
 * `npm run test:all` runs them too, and so does `npm test` with a path.
 */
export const exhaustive = [
  'test/faults/',
  'test/agent/(delivery-faults|interrupted-wipes|journal-faults|survival|wipe-record-faults)',
  'test/api/plugin-kinds',
  'test/docs/guides',
  'test/local-manager/(killed|page)\\.test',
  'test/contract/(body-cost|examples|generators|import-cost|multipart|security-matrix)',
];

const hasPath = process.argv.slice(2).some((argument) => argument.startsWith('test/'));

/** Suites that no run includes. */
export const ignored = ['/node_modules/', ...leftOut.map(({ suite }) => suite)];

/** Modules that tests replace by equivalent, faster ones: how they are imported, and what stands in for them. */
export const standIns = [
  ['tweetnacl', 'test/support/tweetnacl.cjs'],
  ['./openapi.schema.validator', 'test/support/openapi-schema-validator.cjs'],
].map(([specifier, file]) => [specifier, resolve(import.meta.dirname, file)]);

export const base = {
  testEnvironment: '<rootDir>/test/support/environment.js',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript' },
          target: 'es2024',
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  moduleNameMapper: Object.fromEntries(
    standIns.map(([specifier, path]) => [`^${specifier.replaceAll('.', '\\.')}$`, path]),
  ),
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  globalSetup: './test/support/global-setup.ts',
  globalTeardown: './test/support/global-teardown.ts',
  reporters: ['default', '<rootDir>/test/support/closing-line-reporter.js'],
  testTimeout: 180_000,
  // One more than the gate's cores: much of the time goes to waiting for processes that start.
  maxWorkers: 3,
};

export default {
  ...base,
  testPathIgnorePatterns: hasPath ? ignored : [...ignored, ...exhaustive],
};
