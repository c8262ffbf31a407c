import { createDncrRegistry, RegistryError } from '../../../activities/dncr/registry.ts';
import { serveOnLoopback } from '../../../dev/http.ts';
import { startRegistry, type FaultModeInput } from '../../../dev/registry.ts';
import { waitUntil } from '../../../dev/wait-until.ts';
import { dncrSettings, HASTY } from '../../api/dncr/service.ts';

const simulated = await startRegistry();
afterAll(() => simulated.stop());
beforeEach(() => {
  simulated.setFaultMode({ mode: 'ok' });
  simulated.setFaultMode({ mode: 'ok', at: 'token' });
  simulated.resetCalls();
});

const clock = () => new Date();
const ask = (phones: string[], variables = {}) =>
  createDncrRegistry(dncrSettings(simulated, variables), clock).ask(phones);

async function errorKindOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof RegistryError) return error.kind;
  throw new Error('It did not fail as a registry does.', { cause: error });
}

describe('the registry adapter', () => {
  test('matches rows by number and gives the registry’s transaction id', async () => {
    const phones = ['0501234560', '0501234565', '0501234567', '0501234569'];
    const { answers, transactionId } = await ask(phones);
    expect([...answers].map(([phone, { status }]) => [phone, status])).toEqual([
      ['0501234560', 'not_registered'],
      ['0501234565', 'registered'],
      ['0501234567', 'not_found'],
      ['0501234569', 'unavailable'],
    ]);
    expect(simulated.calls().transactionIds).toEqual([transactionId]);
  });

  test('takes an unknown status for no answer', async () => {
    simulated.setFaultMode({ mode: 'unknown_status', times: 1 });
    const { answers } = await ask(['0501234560']);
    expect(answers.get('0501234560')).toEqual({
      status: 'unavailable',
      dncrStatus: 'MAYBE',
      registryStatus: null,
    });
  });

  test.each<[FaultModeInput, string, object?]>([
    [{ mode: 'fail' }, 'failure'],
    [{ mode: 'failure_ack' }, 'failure'],
    [{ mode: 'nonsense' }, 'nonsense'],
    [{ mode: 'wrong_shape' }, 'nonsense'],
    [{ mode: 'oversize' }, 'nonsense'],
    [{ mode: 'unauthorized' }, 'refused'],
    [{ mode: 'fail', at: 'token' }, 'failure'],
    [{ mode: 'nonsense', at: 'token' }, 'nonsense'],
    [{ mode: 'unauthorized', at: 'token' }, 'refused'],
    [{ mode: 'hang' }, 'unreachable', HASTY],
    [{ mode: 'slow', delayMs: 3000 }, 'unreachable', HASTY],
    [{ mode: 'hang', at: 'token' }, 'unreachable', HASTY],
  ])('reports %j as: %s', async (mode, kind, variables = {}) => {
    simulated.setFaultMode(mode);
    expect(await errorKindOf(ask(['0501234560'], variables))).toBe(kind);
  });

  test('reports a registry that cannot be reached', async () => {
    const settings = { ...dncrSettings(simulated), checkUrl: 'http://127.0.0.1:1/' };
    const gone = createDncrRegistry(settings, clock).ask(['0501234560']);
    await expect(gone).rejects.toThrow('The registry could not be reached');
  });

  test('repeats no number and nothing that the registry wrote in an error', async () => {
    simulated.setFaultMode({ mode: 'failure_ack', times: 1 });
    await expect(ask(['0501234560'])).rejects.toThrow(
      new RegistryError('failure', 'The registry acknowledged the request with a failure.'),
    );
  });
});

describe('the registry’s token', () => {
  test('is kept until shortly before it expires', async () => {
    let now = new Date();
    const registry = createDncrRegistry(dncrSettings(simulated), () => now);
    const after = async (seconds: number) => {
      now = new Date(now.getTime() + seconds * 1000);
      await registry.ask(['0501234560']);
      return simulated.calls().tokens;
    };
    expect([await after(0), await after(60), await after(3450), await after(40)]).toEqual([
      1, 1, 1, 2,
    ]);
  });

  test('is fetched once by all who need it at once', async () => {
    const registry = createDncrRegistry(dncrSettings(simulated), clock);
    await Promise.all(Array.from({ length: 10 }, () => registry.ask(['0501234560'])));
    expect(simulated.calls()).toMatchObject({ tokens: 1, checks: 10 });
  });

  test('still arrives for the others when the caller that began to fetch it aborts', async () => {
    simulated.setFaultMode({ mode: 'slow', delayMs: 1000, times: 1, at: 'token' });
    const registry = createDncrRegistry(dncrSettings(simulated), clock);
    const aborting = new AbortController();
    const first = errorKindOf(registry.ask(['0501234560'], aborting.signal));
    const second = registry.ask(['0501234561']);
    const fetched = async () => expect(simulated.calls().tokens).toBe(1);
    await waitUntil(fetched, { what: 'The call for a token' });
    aborting.abort();
    expect(await first).toBe('unreachable');
    expect((await second).answers.get('0501234561')?.status).toBe('not_registered');
    expect(simulated.calls()).toMatchObject({ tokens: 1, checks: 1 });
  });

  test('is fetched again once on 401', async () => {
    simulated.setFaultMode({ mode: 'unauthorized', times: 1 });
    const { answers } = await ask(['0501234560']);
    expect(answers.get('0501234560')?.status).toBe('not_registered');
    expect(simulated.calls()).toMatchObject({ tokens: 2, checks: 2 });
    expect(new Set(simulated.calls().transactionIds).size).toBe(2);
    simulated.resetCalls();
    simulated.setFaultMode({ mode: 'unauthorized', times: 2 });
    expect(await errorKindOf(ask(['0501234560']))).toBe('refused');
    expect(simulated.calls().checks).toBe(2);
  });
});

describe('an answer that is odd in one row', () => {
  async function answering(details: unknown, sentId: unknown = '') {
    const body = { transactionId: sentId, details, ackMessage: { status: 'SUCCESS' } };
    const odd = await serveOnLoopback(undefined, { 'POST /': (http) => void (http.body = body) });
    try {
      const settings = { ...dncrSettings(simulated), checkUrl: odd.url };
      return await createDncrRegistry(settings, clock).ask(['0501234560', '0501234561']);
    } finally {
      await odd.stop();
    }
  }

  const statusesOf = (answers: ReadonlyMap<string, { status: string }>) =>
    [...answers.values()].map(({ status }) => status);

  test('counts for the rest of its rows', async () => {
    const { answers, transactionId } = await answering([
      { accountNumber: 501234560, dncrStatus: 'TRUE', transactionStatus: null },
      { accountNumber: '+971 50 1234561', dncrStatus: 'FALSE' },
      'noise',
      null,
    ]);
    expect(statusesOf(answers)).toEqual(['unavailable', 'not_registered']);
    expect(transactionId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('has no transaction id of its own where that is no text', async () => {
    const details = [{ accountNumber: '0501234560', dncrStatus: 'FALSE' }];
    const { answers, transactionId } = await answering(details, 4711);
    expect(answers.get('0501234560')?.status).toBe('not_registered');
    expect(transactionId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('clears no number of which another row has a status that cannot be read', async () => {
    const { answers } = await answering([
      { accountNumber: '0501234560', dncrStatus: true },
      { accountNumber: '0501234560', dncrStatus: 'FALSE' },
      { accountNumber: '0501234561', dncrStatus: 'TRUE', transactionStatus: { code: 1 } },
    ]);
    expect(statusesOf(answers)).toEqual(['unavailable', 'registered']);
  });

  test('is made fit for the database', async () => {
    const { answers } = await answering([
      { accountNumber: '0501234560', dncrStatus: null, transactionStatus: 'a\u0000b\uD800' },
    ]);
    expect(answers.get('0501234560')?.registryStatus).toBe('ab\uFFFD');
  });
});
