import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import type { ICruiseResult } from 'dependency-cruiser';
import { ESLint } from 'eslint';

/** A file, the module from which it exports all or what it names, and the rule that forbids it. */
const planted: [file: string, module: string, rule: string, exported?: string][] = [
  ['domain/leads/p1.ts', 'node:fs/promises', 'domain-packages', '{ readFile }'],
  ['domain/leads/p2.ts', '../../store/db/database.ts', 'domain-types', 'type { Sql }'],
  ['store/leads/p3.ts', '../../api/errors.ts', 'store-imports'],
  ['app/p24.ts', '../temporal/connection.ts', 'app-imports'],
  ['store/leads/p4.ts', '../../temporal/connection.ts', 'store-imports'],
  ['store/leads/p24.ts', '../../app/dataset/export.ts', 'store-imports'],
  ['app/dataset/p25.ts', '../../cli/files.ts', 'app-imports'],
  ['app/dataset/p26.ts', '../../temporal/connection.ts', 'app-imports'],
  ['app/dataset/p27.ts', 'pg', 'app-packages', '{ default }'],
  ['api/routes/p5.ts', 'pg', 'api-packages', '{ default }'],
  ['api/routes/p6.ts', '../../activities/leads/lead-activities.ts', 'api-imports'],
  ['api/routes/p8.ts', '../../workflows/webhook-deliveries.ts', 'workflow-code-runs-in-workers'],
  ['activities/p9.ts', '@mikro-orm/core', 'activities-packages', 'type { EntityManager }'],
  ['workflows/p10.ts', '../activities/leads/lead-activities.ts', 'workflows-imports'],
  ['workflows/p11.ts', 'node:crypto', 'workflows-packages', '{ randomUUID }'],
  ['api/leads/p22.ts', '../responses/events.ts', 'intake-knows-no-routes'],
  ['store/leads/p23.ts', '../assignment/hand-overs.ts', 'leads-know-no-assignment'],
  ['platform/p12.ts', '../api/app.ts', 'platform-imports'],
  ['domain/leads/p13.ts', './p14.ts', 'no-circles'],
  ['workflows/contracts/p15.ts', '../lead-timer.ts', 'contracts-load-no-workflow-code'],
  ['activities/leads/p17.ts', '../webhooks/call-endpoint.ts', 'lead-activities-call-nobody'],
  ['activities/leads/p18.ts', 'node:https', 'lead-activities-call-nobody', '{ get }'],
  ['activities/leads/p19.ts', '../dncr/registry.ts', 'lead-activities-call-nobody', 'type *'],
  ['activities/p20.ts', 'node:https', 'lead-activities-call-nobody', '{ get }'],
  ['workflows/lead-p21.ts', './webhook-test.ts', 'lead-workflow-awaits-nobody-outside'],
  ['cli/p16.ts', '../workflows/lead-lifecycle.ts', 'cli-types', 'type *'],
];
const allowed: [file: string, module: string, exported?: string][] = [
  ['domain/leads/p14.ts', './p13.ts'], // the other half of p13's circle
  ['workflows/f1.ts', '../activities/leads/lead-activities.ts', 'type *'],
  ['api/f2.ts', '../workflows/contracts/lead-lifecycle.ts'],
  ['store/f3.ts', '../workflows/contracts/lead-lifecycle.ts', 'type *'],
  ['workflows/lead-f5.ts', './webhook-deliveries.ts'],
  ['temporal/f4.ts', '../workflows/index.ts', 'type *'],
];
/** Arrows by an import while the program runs. */
const LATER = ['api/routes/p7.ts', '../../dev/stack.ts', 'api-imports'] as const;

const forbidden = [LATER, ...planted].map(([file, module, rule]) => [file, module, rule] as const);

const texts = new Map([
  [LATER[0], `export const later = await import('${LATER[1]}');`],
  ...planted.map(([file, module, , what = '*']) => exportOf(file, module, what)),
  ...allowed.map(([file, module, what = '*']) => exportOf(file, module, what)),
]);

function exportOf(file: string, module: string, what: string): [string, string] {
  return [file, `export ${what} from '${module}';`];
}

const LAYERS = [
  'activities',
  'api',
  'app',
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
for (const [file, text] of texts) {
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
    const known = new Set<string>(forbidden.map(([file]) => file));
    expect(violations.filter(({ from }) => !known.has(from))).toEqual([]);
  });

  test.each(forbidden)('%s may not load %s', (file, _module, rule) => {
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
