import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import type { ICruiseResult } from 'dependency-cruiser';
import { ESLint } from 'eslint';

/** A file, what it says, and the rule that forbids it. */
const planted: [file: string, text: string, rule: string][] = [
  ['domain/leads/p1.ts', `export { readFile } from 'node:fs/promises';`, 'domain-packages'],
  ['domain/leads/p2.ts', `export type { Sql } from '../../store/db/database.ts';`, 'domain-types'],
  ['store/leads/p3.ts', `export * from '../../api/errors.ts';`, 'store-imports'],
  ['store/leads/p4.ts', `export * from '../../temporal/connection.ts';`, 'store-imports'],
  ['api/routes/p5.ts', `export { default } from 'pg';`, 'api-packages'],
  ['api/routes/p6.ts', `export * from '../../activities/leads/route-lead.ts';`, 'api-imports'],
  ['api/routes/p7.ts', `export const later = await import('../../dev/stack.ts');`, 'api-imports'],
  [
    'api/routes/p8.ts',
    `export * from '../../workflows/webhook-deliveries.ts';`,
    'workflow-code-runs-in-workers',
  ],
  [
    'activities/p9.ts',
    `export type { EntityManager } from '@mikro-orm/core';`,
    'activities-packages',
  ],
  ['workflows/p10.ts', `export * from '../activities/leads/route-lead.ts';`, 'workflows-imports'],
  ['workflows/p11.ts', `export { randomUUID } from 'node:crypto';`, 'workflows-packages'],
  ['api/leads/p22.ts', `export * from '../responses/events.ts';`, 'intake-knows-no-routes'],
  [
    'store/leads/p23.ts',
    `export * from '../assignment/hand-overs.ts';`,
    'leads-know-no-assignment',
  ],
  ['platform/p12.ts', `export * from '../api/app.ts';`, 'platform-imports'],
  ['domain/leads/p13.ts', `export * from './p14.ts';`, 'no-circles'],
  [
    'workflows/contracts/p15.ts',
    `export * from '../lead-timer.ts';`,
    'contracts-load-no-workflow-code',
  ],
  [
    'activities/leads/p17.ts',
    `export * from '../webhooks/call-endpoint.ts';`,
    'lead-activities-call-nobody',
  ],
  ['activities/leads/p18.ts', `export { get } from 'node:https';`, 'lead-activities-call-nobody'],
  [
    'activities/leads/p19.ts',
    `export type { DncrRegistry } from '../dncr/registry.ts';`,
    'lead-activities-call-nobody',
  ],
  ['activities/p20.ts', `export { get } from 'node:https';`, 'lead-activities-call-nobody'],
  [
    'workflows/lead-p21.ts',
    `export * from './webhook-test.ts';`,
    'lead-workflow-awaits-nobody-outside',
  ],
  ['cli/p16.ts', `export type * from '../workflows/lead-lifecycle.ts';`, 'cli-types'],
];
const allowed: [file: string, text: string][] = [
  ['domain/leads/p14.ts', `export * from './p13.ts';`], // the other half of p13's circle
  ['workflows/f1.ts', `export type * from '../activities/leads/lead-activities.ts';`],
  ['api/f2.ts', `export * from '../workflows/contracts/lead-lifecycle.ts';`],
  ['store/f3.ts', `export type * from '../workflows/contracts/lead-lifecycle.ts';`],
  ['workflows/lead-f5.ts', `export * from './webhook-deliveries.ts';`],
  ['temporal/f4.ts', `export type * from '../workflows/index.ts';`],
];

const LAYERS = [
  'activities',
  'api',
  'cli',
  'domain',
  'platform',
  'store',
  'temporal',
  'worker',
  'workflows',
];
const run = promisify(execFile);

/** The project with the planted files among its own. */
const folder = await mkdtemp(path.join(os.tmpdir(), 'lead-intake-arrows-'));
for (const name of [...LAYERS, 'dev', 'tsconfig.json', '.dependency-cruiser.mjs'])
  await cp(name, path.join(folder, name), { recursive: true });
await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
for (const [file, text] of [...planted, ...allowed]) {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), `${text}\n`);
}
const script = path.resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const { stdout } = await run(process.execPath, [script, '-T', 'json', ...LAYERS], {
  cwd: folder,
  maxBuffer: 2 ** 27,
}).catch((error: { stdout: string }) => error);
const { summary } = JSON.parse(stdout) as ICruiseResult;
const violations = summary.violations.map(({ from, rule }) => ({ from, rule: rule.name }));
afterAll(() => rm(folder, { recursive: true }));

describe('the arrows between folders', () => {
  test('are kept by every file', () => {
    const known = new Set(planted.map(([file]) => file));
    expect(violations.filter(({ from }) => !known.has(from))).toEqual([]);
  });

  test.each(planted)('%s may not say: %s', (file, _text, rule) => {
    expect(violations).toContainEqual({ from: file, rule });
  });
});

describe('the environment', () => {
  test('is read where a process begins, and nowhere else', async () => {
    const eslint = new ESLint();
    const text = 'export const port = process.env.PORT;\n';
    const [result] = await eslint.lintText(text, { filePath: 'api/http/route.ts' });
    expect(result?.messages.map(({ ruleId }) => ruleId)).toContain('no-restricted-properties');
  });
});
