import { availableParallelism } from 'node:os';

const common = {
  // Tests run in plain Node: its own type stripping, its own module cache, which the files of a process share.
  runner: 'jest-light-runner/child-process',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  setupFiles: ['<rootDir>/test/jest/globals.mjs'],
};

// What needs no server does not wait for one.
const withoutServers = ['<rootDir>/test/(domain|replay|architecture)/'];
// Run only by `npm run test:machines` and `npm run test:tools`.
const onDemand = '<rootDir>/test/(machines|tools)/';

export default {
  // Many tests wait for a server or a limit of time, so twice as many run as there are processors.
  maxWorkers: availableParallelism() * 2,
  reporters: ['default', '<rootDir>/test/jest/overdue.mjs'],
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
      testPathIgnorePatterns: ['/node_modules/', onDemand, ...withoutServers],
      globalSetup: '<rootDir>/test/setup.mjs',
      globalTeardown: '<rootDir>/test/teardown.mjs',
    },
  ],
};
