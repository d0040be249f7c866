export default {
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
