import os from 'node:os';

const common = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  runner: 'jest-light-runner/child-process',
  setupFiles: ['<rootDir>/test/jest-globals.mjs'],
  transform: {},
};

// What needs no server does not wait for one.
const withoutServers = ['<rootDir>/test/(domain|replay|architecture)/'];

export default {
  maxWorkers: Number(process.env.W ?? os.availableParallelism() + 1),
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
