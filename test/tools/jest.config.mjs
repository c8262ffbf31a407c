import path from 'node:path';
import config from '../../jest.config.mjs';

const [, parts] = config.projects;

/** `npm run test:tools`: what standard tools make of the document, against a running API. */
export default {
  ...config,
  rootDir: path.resolve(import.meta.dirname, '../..'),
  maxWorkers: 1,
  reporters: [
    'default',
    ['<rootDir>/test/machines/table.mjs', { file: 'docs/tools.md', suites: 1 }],
  ],
  projects: [
    {
      ...parts,
      displayName: 'tools',
      rootDir: path.resolve(import.meta.dirname, '../..'),
      testMatch: ['<rootDir>/test/tools/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/'],
    },
  ],
};
