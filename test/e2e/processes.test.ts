import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { waitUntil } from '../../dev/wait-until.ts';
import { startTestApi } from '../support/api.ts';
import { fromSetup } from '../support/environment.ts';
import { startApiProcess, type ApiProcess } from '../support/process.ts';

const start = () =>
  startApiProcess({
    DATABASE_URL: desk.config.database.url,
    TEMPORAL_ADDRESS: fromSetup('TEST_TEMPORAL_ADDRESS'),
    // Longer than a busy machine takes to send what it meant for a process that is to end.
    DRAIN_SECONDS: '5',
  });
/** Gives clients and reads of the database; the requests go to processes of their own. */
const desk = await startTestApi();
let running: ApiProcess[] = await Promise.all([start(), start()]);
afterAll(async () => {
  await Promise.all(running.map((one) => one.stop()));
  await desk.stop();
});

let phones = 0;
const nextPhone = () => `+97150${3_000_000 + (phones += 1)}`;

function post(
  at: ApiProcess,
  token: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${at.url}/public/leads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

const codeOf = (error: unknown) => (error as { cause?: { code?: string } }).cause?.code;

/** A lane's pause between two enquiries: processes that are restarted need the machine too. */
const PACE_MS = 50;

interface Load {
  acknowledged: Set<string>;
  lost: string[];
  goOn(count: number): Promise<void>;
  end(): Promise<void>;
}

function load(token: string, width: number): Load {
  const acknowledged = new Set<string>();
  const lost: string[] = [];
  let isOver = false;
  let turn = 0;

  async function one(): Promise<void> {
    const at = running[(turn += 1) % running.length] as ApiProcess;
    const answer = await post(at, token, { leadPhones: [nextPhone()] });
    if (answer.status !== 201) lost.push(`HTTP ${answer.status}`);
    acknowledged.add(((await answer.json()) as { id: string }).id);
  }
  async function lane(): Promise<void> {
    while (!isOver) {
      await one().catch((error: unknown) => {
        // What was refused never carried a request: a balancer takes the next process.
        if (codeOf(error) !== 'ECONNREFUSED') lost.push(`${String(error)} ${codeOf(error)}`);
      });
      await setTimeout(PACE_MS);
    }
  }

  const lanes = Array.from({ length: width }, lane);
  return {
    acknowledged,
    lost,
    async goOn(count) {
      const wanted = acknowledged.size + count;
      const enough = async () => expect(acknowledged.size).toBeGreaterThanOrEqual(wanted);
      await waitUntil(enough, { what: `${count} more leads` });
    },
    async end() {
      isOver = true;
      await Promise.all(lanes);
    },
  };
}

/** What a balancer that is not told goes by. */
async function saysItEnds({ opsUrl }: ApiProcess): Promise<void> {
  const answer = await fetch(`${opsUrl}/readyz`).catch(() => null);
  expect(answer?.ok ?? false).toBe(false);
}

describe('two API processes', () => {
  test('share one quota, exactly', async () => {
    const { token } = await desk.addClient({ dailyQuota: 40 });
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, call) => post(running[call % 2] as ApiProcess, token, {})),
    );
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(40);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
  });

  test('are restarted one by one under load: no request is lost, none is done twice', async () => {
    const client = await desk.addClient({ dailyQuota: 1_000_000 });
    const acknowledged: string[] = [];
    for (const old of [...running]) {
      const fresh = await start();
      const traffic = load(client.token, 8);
      await traffic.goOn(25);
      running = [...running, fresh];
      // As a balancer that takes the process out as it is told to end.
      running = running.filter((one) => one !== old);
      const ended = old.stop();
      await waitUntil(() => saysItEnds(old), { what: 'The end of readiness', everyMs: 100 });
      expect({ code: await ended, log: old.log() }).toMatchObject({ code: 0 });
      await traffic.goOn(20);
      await traffic.end();
      expect(traffic.lost).toEqual([]);
      acknowledged.push(...traffic.acknowledged);
    }
    const [kept] = await desk.database.query<{ leads: number }>(
      `select count(*) as leads from leads where client_id = $1`,
      [client.id],
    );
    expect(kept?.leads).toBe(acknowledged.length);
  });

  test('log who asked for what under which id, and nothing personal', async () => {
    const requestId = `t-${randomUUID()}`;
    const at = running[0] as ApiProcess;
    const phone = nextPhone();
    const body = { leadPhones: [phone], leadEmails: ['noor@shop.example'] };
    const answer = await post(at, desk.client.token, body, { 'x-request-id': requestId });
    const { id } = (await answer.json()) as { id: string };
    expect(answer.headers.get('x-request-id')).toBe(requestId);
    const logged = async () => {
      const lines = at.log().split('\n').slice(0, -1);
      return JSON.parse(lines.find((line) => line.includes(requestId)) ?? '');
    };
    expect(await waitUntil(logged, { what: 'Its line in the log' })).toMatchObject({
      clientId: desk.client.clientId,
      leadId: id,
      method: 'POST',
      route: '/public/leads',
      status: 201,
    });
    for (const personal of [phone, 'noor', desk.client.token])
      expect(at.log()).not.toContain(personal);
  });
});
