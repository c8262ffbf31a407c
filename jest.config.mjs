const common = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript' },
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
};

// What needs no server does not wait for one.
const withoutServers = ['<rootDir>/test/(domain|replay|architecture)/'];

export default {
  // For what hangs alone: a slow machine fails no test.
  testTimeout: 600_000,
  // On a busy machine a worker without open handles takes longer to exit than the half second of jest.
  workerGracefulExitTimeout: 60_000,
  maxWorkers: 2,
  reporters: ['default', '<rootDir>/test/overdue.mjs'],
  projects: [
    {
      ...common,
      displayName: 'domain',
      testMatch: ['<rootDir>/test/{domain,replay,architecture}/**/*.test.ts'],
    },
    {
      ...common,
      displayName: 'parts',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', ...withoutServers],
      globalSetup: '<rootDir>/test/setup.mjs',
      globalTeardown: '<rootDir>/test/teardown.mjs',
    },
  ],
};
