import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { importCommand } from '../../cli/import.ts';
import { webhooksDocument } from '../../api/openapi/webhooks.ts';
import { INTERFACE_REVISION } from '../../api/openapi/document.ts';
import { startDncrService } from '../api/dncr/service.ts';
import { leadctlFor } from '../cli/leadctl.ts';
import { document } from '../support/documented.ts';
import { startFailingServer } from '../support/failing-server.ts';
import { newFolder } from '../support/folder.ts';
import { newPhone } from '../support/api.ts';
import { withLinks } from './links.ts';
import {
  generate,
  has,
  installTools,
  modules,
  npmTool,
  pythonTool,
  run,
  runTypeScript,
  versions,
} from './toolbox.ts';

/** Each tool at its default settings: it generates, compiles, and calls every operation of a running API. */

const PROGRAMS = path.join(import.meta.dirname, 'programs');
const HOOKS_FILE = path.join(import.meta.dirname, 'schemathesis_hooks.py');
const CONFIG_FILE = path.join(import.meta.dirname, 'schemathesis.toml');
const DEMO_FILE = path.join(import.meta.dirname, '../../dev/demo/demo.json');
const [hasJava, hasMaven] = await Promise.all(['java', 'mvn'].map(has));
const withGenerator = hasJava && hasMaven ? test : test.skip;

await installTools();
const service = await startDncrService();
const [{ url, config }] = service.apis;
await leadctlFor([importCommand], { DATABASE_URL: config.database.url })('import', DEMO_FILE);
const front = await startFailingServer(url);
const folder = newFolder();
const documentFile = path.join(folder, 'openapi.json');
const webhooksFile = path.join(folder, 'openapi-webhooks.json');
writeFileSync(documentFile, JSON.stringify(document));
writeFileSync(webhooksFile, JSON.stringify(webhooksDocument(INTERFACE_REVISION)));
symlinkSync(modules, path.join(folder, 'node_modules'));
afterAll(async () => {
  await front.stop();
  await service.stop();
});
beforeEach(() => front.clear());

/** A folder for the client of a tool, with its program beside it. */
function workspace(program: string): string {
  const cwd = path.join(folder, program);
  mkdirSync(path.join(cwd, 'generated'), { recursive: true });
  cpSync(path.join(PROGRAMS, program), path.join(cwd, program));
  return cwd;
}

function environment(): Record<string, string> {
  const { clientId, clientSecret } = service.apis[0].client;
  const credentials = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
  return { BASE_URL: front.url, ...credentials, PHONE: newPhone() };
}

const ANY_ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Every operation was called, and each call succeeded. */
function expectEveryOperation(): void {
  const expected = Object.entries(document.paths ?? {}).flatMap(([where, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${where}`),
  );
  expect(front.served.filter((one) => !/^20[01] /.test(one))).toEqual([]);
  const called = new Set(front.served.map((one) => one.slice(4).replace(ANY_ID, '{id}')));
  expect([...called].toSorted()).toEqual(expected.toSorted());
}

/** What the programs print at last: the state of the lead and of a number. */
function expectResult(printed: string): void {
  const lines = printed.trim().split('\n');
  expect(lines.slice(0, -1)).toContain(lines[0]?.startsWith('T') ? 'True' : 'true');
  expect(lines.at(-1)?.toLowerCase()).toMatch(/pending not_registered$/);
  expectEveryOperation();
}

describe('TypeScript:', () => {
  test(`openapi-typescript ${versions.npm['openapi-typescript']} with openapi-fetch ${versions.npm['openapi-fetch']}`, async () => {
    const cwd = workspace('openapi-fetch.ts');
    const types = path.join(cwd, 'generated/openapi-typescript.ts');
    await run(npmTool('openapi-typescript'), [documentFile, '-o', types], { cwd });
    expectResult(await runTypeScript('openapi-fetch.ts', { cwd, env: environment() }));
  });

  test(`@hey-api/openapi-ts ${versions.npm['@hey-api/openapi-ts']}`, async () => {
    const cwd = workspace('hey-api.ts');
    await run(npmTool('openapi-ts'), ['-i', documentFile, '-o', 'generated/hey-api'], { cwd });
    expectResult(await runTypeScript('hey-api.ts', { cwd, env: environment() }));
  });
});

describe('Other languages:', () => {
  withGenerator(`openapi-generator ${versions['openapi-generator']} python`, async () => {
    const cwd = workspace('openapi_generator_python.py');
    const client = path.join(cwd, 'generated');
    await generate('python', documentFile, client);
    const env = { ...environment(), PYTHONPATH: client };
    const { stdout } = await run(pythonTool('python'), ['openapi_generator_python.py'], {
      cwd,
      env,
    });
    expectResult(stdout);
  });

  withGenerator(`openapi-generator ${versions['openapi-generator']} java`, async () => {
    const cwd = workspace('Main.java');
    const client = path.join(cwd, 'generated');
    await generate('java', documentFile, client);
    await run('mvn', ['-q', '-B', '-Dmaven.test.skip=true', 'package'], { cwd: client });
    const jars = ['-cp', `${client}/target/*:${client}/target/lib/*`];
    const { stdout } = await run('java', [...jars, 'Main.java'], { cwd, env: environment() });
    expectResult(stdout);
  });
});

describe('Tools:', () => {
  test(`spectral ${versions.npm['@stoplight/spectral-cli']}, ruleset spectral:oas`, async () => {
    const rules = path.join(folder, '.spectral.yaml');
    writeFileSync(rules, 'extends: ["spectral:oas"]\n');
    const files = [documentFile, webhooksFile];
    await run(npmTool('spectral'), ['lint', ...files, '-r', rules, '--fail-severity', 'error']);
  });

  test(`schemathesis ${versions.pip.schemathesis} with links, 10,000 cases`, async () => {
    const [{ url, addClient }] = service.apis;
    const { token } = await addClient({ dailyQuota: 1_000_000 });
    const linkedFile = path.join(folder, 'openapi-linked.json');
    writeFileSync(linkedFile, JSON.stringify(withLinks(document)));
    const options = [
      ['--url', url],
      ['--header', `Authorization: Bearer ${token}`],
      ['--max-examples', '450'],
      ['--suppress-health-check', 'all'],
    ];
    const { stdout } = await run(
      pythonTool('schemathesis'),
      ['--config-file', CONFIG_FILE, 'run', linkedFile, ...options.flat()],
      { cwd: folder, env: { SCHEMATHESIS_HOOKS: HOOKS_FILE }, limitMs: 3_600_000 },
    );
    const [, cases = '0'] = /(\d+) generated/.exec(stdout.replaceAll(',', '')) ?? [];
    expect(Number(cases)).toBeGreaterThanOrEqual(10_000);
  });
});
