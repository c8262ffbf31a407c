import process from 'node:process';
import { Client } from '@temporalio/client';
import { pino } from 'pino';
import { silentProgress } from '../../dev/progress.ts';
import { locateTemporal } from '../../dev/temporal/locate.ts';
import { createNamespaceCheck, addSearchAttributes } from '../../worker/prepare-namespace.ts';
import { searchAttributes } from '../../workflows/contracts/search-attributes.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startGrpcProxy, type Refusal } from '../support/grpc-proxy.ts';
import { startServiceProcess } from '../support/process.ts';
import { runProgram } from '../support/program.ts';
import { connectTo, openBareTemporal } from '../support/temporal.ts';

const { leadStatus, rulesetVersion, needsReview } = searchAttributes;
const NAMES = Object.values(searchAttributes).map(({ name }) => name);
const LIST = 'ListSearchAttributes';
const ADD = 'AddSearchAttributes';
const QUERY = 'CountWorkflowExecutions';

/** What an administrator lets the worker do is what is not in here. */
let refused: readonly string[] = [];
let refusal: Refusal = 'PERMISSION_DENIED';
const temporal = await openBareTemporal();
const refuse = ({ method }: { method: string }) => (refused.includes(method) ? refusal : null);
const proxy = await startGrpcProxy(temporal.target.address, { refuse });
const throughProxy = await connectTo(proxy.address);
afterAll(async () => {
  await throughProxy.close();
  await proxy.stop();
  await temporal.connection.close();
});

interface Line {
  level: number;
  msg: string;
  missing?: string[];
  command?: string;
}

/** A worker's check of a namespace, and the lines that it logged. */
function checkOf(namespace: string) {
  const lines: Line[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  const check = createNamespaceCheck(new Client({ connection: throughProxy, namespace }), log);
  return { ...check, lines };
}

async function bareNamespace(...existing: Parameters<typeof addSearchAttributes>[1] & object) {
  const { target, client, connection } = await openBareTemporal();
  if (existing.length > 0) await addSearchAttributes(client, existing);
  await connection.close();
  return target.namespace;
}

const REFUSALS: Refusal[] = ['PERMISSION_DENIED', 'UNIMPLEMENTED'];

describe.each(REFUSALS)('a worker whose calls end in %s', (status) => {
  beforeAll(() => void (refusal = status));

  test('adds what is missing where only the list is refused', async () => {
    refused = [LIST];
    const check = checkOf(await bareNamespace(leadStatus));
    await check.run();
    expect([check.missing(), check.lines]).toEqual([[], []]);
    refused = [LIST, ADD];
    await check.run();
    expect([check.missing(), check.lines]).toEqual([[], []]);
  });

  test.each([
    ['lists them', [ADD]],
    ['may not list them', [ADD, LIST]],
  ])('that %s names the missing ones, once, with the command', async (_, methods) => {
    refused = methods;
    const namespace = await bareNamespace(leadStatus, rulesetVersion);
    const check = checkOf(namespace);
    await check.run();
    await check.run();
    const missing = NAMES.filter((name) => !['LeadStatus', 'RulesetVersion'].includes(name));
    expect(check.missing()).toEqual(missing);
    expect(check.lines).toMatchObject([
      { level: 40, missing, msg: expect.stringMatching(/^Search attributes are missing/) },
    ]);
    expect(check.lines[0]?.command).toMatch(
      new RegExp(
        `^temporal operator search-attribute create --namespace ${namespace} --name LeadSource --type Keyword .* --name NeedsReview --type Bool`,
      ),
    );
  });

  test('names none where all exist', async () => {
    refused = [ADD, LIST];
    const check = checkOf(await bareNamespace(...Object.values(searchAttributes)));
    await check.run();
    expect([check.missing(), check.lines]).toEqual([[], []]);
  });

  test('says where it could not find out', async () => {
    refused = [ADD, LIST, QUERY];
    const check = checkOf(await bareNamespace(needsReview));
    await check.run();
    expect(check.missing()).toEqual([]);
    expect(check.lines).toMatchObject([
      { level: 40, msg: expect.stringMatching(/^It could not be checked/) },
    ]);
    for (const name of NAMES) expect(check.lines[0]?.command).toContain(`--name ${name} --type `);
  });
});

test('several workers that start at once in a bare namespace all come up', async () => {
  refused = [];
  const namespace = await bareNamespace();
  const checks = Array.from({ length: 6 }, () => checkOf(namespace));
  await Promise.all(checks.map((check) => check.run()));
  expect(checks.map((check) => [check.missing(), check.lines])).toEqual(checks.map(() => [[], []]));
});

describe('the worker of a namespace that lacks search attributes', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test('starts, and its command adds them', async () => {
    [refusal, refused] = ['PERMISSION_DENIED', [ADD, LIST]];
    const { address, namespace } = temporal.target;
    const worker = await startServiceProcess('worker/worker.ts', {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: proxy.address,
      TEMPORAL_NAMESPACE: namespace,
    });
    const { command = '', missing } = firstWarning(worker.log());
    expect(missing).toEqual(NAMES);
    expect(await worker.stop()).toBe(0);

    const [, ...args] = command.split(' ');
    const ended = await runProgram(await temporalCli(), [...args, '--address', address]);
    expect(ended).toMatchObject({ code: 0 });
    const check = checkOf(namespace);
    await check.run();
    expect([check.missing(), check.lines]).toEqual([[], []]);
  });

  test('says when they exist', async () => {
    refused = [ADD];
    const namespace = await bareNamespace();
    const check = checkOf(namespace);
    await check.run();
    expect(check.missing()).toEqual(NAMES);
    await addSearchAttributes(new Client({ connection: temporal.connection, namespace }));
    await check.run();
    expect(check.missing()).toEqual([]);
    expect(check.lines).toMatchObject([
      { level: 40 },
      { level: 30, msg: 'all search attributes exist now' },
    ]);
  });
});

function firstWarning(log: string): Line {
  const lines = log.split('\n').filter((line) => line.startsWith('{'));
  const [warning] = lines
    .map((line) => JSON.parse(line) as Line)
    .filter(({ level }) => level === 40);
  if (!warning) throw new Error(log);
  return warning;
}

// eslint-disable-next-line no-restricted-properties -- where to find it, as `npm start` does
const temporalCli = () => locateTemporal(process.env, silentProgress);
