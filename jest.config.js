/**
 * Suites of minutes each: faults injected into running processes, and every operation of the contract with every caller.
 * `npm run test:all` runs them too, and so does `npm test` with a path.
 */
export const exhaustive = [
  'test/faults/',
  'test/contract/(body-cost|examples|generators|import-cost|multipart|security-matrix)',
];

const hasPath = process.argv.slice(2).some((argument) => argument.startsWith('test/'));

export const base = {
  testEnvironment: 'node',
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
  moduleNameMapper: {
    '^tweetnacl$': '<rootDir>/test/support/tweetnacl.cjs',
    '^\\./openapi\\.schema\\.validator$': '<rootDir>/test/support/openapi-schema-validator.cjs',
  },
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  globalSetup: './test/support/global-setup.ts',
  globalTeardown: './test/support/global-teardown.ts',
  reporters: ['default', '<rootDir>/test/support/closing-line-reporter.js'],
  testTimeout: 90_000,
  // One more than the gate's cores: much of the time goes to waiting for processes that start.
  maxWorkers: 3,
};

export default {
  ...base,
  testPathIgnorePatterns: hasPath ? ['/node_modules/'] : ['/node_modules/', ...exhaustive],
};
