import path from 'node:path';
import config from '../../jest.config.mjs';

const [, parts] = config.projects;

/** `npm run test:machines`: slow starts on odd machines, one at a time. */
export default {
  ...config,
  rootDir: path.resolve(import.meta.dirname, '../..'),
  maxWorkers: 1,
  reporters: [
    'default',
    ['<rootDir>/test/machines/table.mjs', { file: 'docs/machines.md', suites: 2 }],
  ],
  projects: [
    {
      ...parts,
      displayName: 'machines',
      rootDir: path.resolve(import.meta.dirname, '../..'),
      testMatch: ['<rootDir>/test/machines/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/'],
    },
  ],
};
