import { networkOf } from '../../api/http/caller-address.ts';
import { startTestApi, type TestApi } from '../support/api.ts';

let minute = 0;

const direct = await startTestApi();
const databaseUrl = direct.config.database.url;
const behindTwo = await startTestApi({ databaseUrl, variables: { TRUSTED_PROXIES: '2' } });
afterAll(async () => {
  await behindTwo.stop();
  await direct.stop();
});
/** Each test counts in a minute of its own. */
afterEach(() => {
  minute += 1;
});

const LIMIT = 100;

/** Fails more often than one address may, each time for another client id and from where `from` says. */
async function failFrom(api: TestApi, from: (call: number) => string | null) {
  api.setNow(new Date(Date.parse('2031-01-01T00:00:10Z') + minute * 60_000));
  const statuses: number[] = [];
  for (let call = 0; call < LIMIT + 10; call += 1) {
    const forwarded = from(call);
    const { status } = await api.call('POST', '/oauth2/token', {
      token: null,
      body: { grant_type: 'client_credentials', client_id: `nobody-${minute}-${call}` },
      headers: forwarded === null ? {} : { 'x-forwarded-for': forwarded },
    });
    statuses.push(status);
  }
  return statuses;
}

const THROTTLED = [...Array<number>(LIMIT).fill(401), ...Array<number>(10).fill(429)];

const PROXY = '10.0.0.9';

describe('failed token calls are throttled as of one address', () => {
  test.each<[string, (call: number) => string]>([
    ['within an IPv6 /64', (call) => `2001:db8:1:2:${call.toString(16)}::${call}, ${PROXY}`],
    [
      'as IPv4, mapped or not',
      (call) => `${['', '::ffff:', '::FFFF:'][call % 3]}192.0.2.7, ${PROXY}`,
    ],
    ['with a port that changes', (call) => `192.0.2.8:${20_000 + call}, ${PROXY}`],
    ['in brackets with a port', (call) => `[2001:db8:1:3::1]:${20_000 + call}, ${PROXY}`],
    [
      'whatever stands before what the proxies added',
      (call) => `1.2.3.${call}, 192.0.2.9, ${PROXY}`,
    ],
    ['with fewer entries than proxies', (call) => `192.0.3.${call}`],
    ['with entries that are no address', (call) => `made-up-${call}, ${PROXY}`],
  ])('%s', async (_what, from) => {
    expect(await failFrom(behindTwo, from)).toEqual(THROTTLED);
  });

  test('whatever the header says, where no proxy is trusted', async () => {
    expect(await failFrom(direct, (call) => `192.0.4.${call}, ${PROXY}`)).toEqual(THROTTLED);
  });
});

describe('failed token calls of different addresses', () => {
  test.each<[string, (call: number) => string]>([
    ['of IPv4', (call) => `192.0.5.${call}, ${PROXY}`],
    ['of IPv6 /64s', (call) => `2001:db8:2:${call.toString(16)}::1, ${PROXY}`],
  ])('are not counted together: %s', async (_what, from) => {
    expect(await failFrom(behindTwo, from)).toEqual(Array(LIMIT + 10).fill(401));
  });
});

test('failed token calls leave a bounded number of rows in a minute, whatever is made up', async () => {
  const before = new Date(Date.parse('2031-06-01T00:00:10Z'));
  behindTwo.setNow(before);
  const call = (number: number) => {
    const network = `2001:db8:${(number >> 8).toString(16)}:${(number & 255).toString(16)}::1`;
    return behindTwo.call('POST', '/oauth2/token', {
      token: null,
      body: { grant_type: 'client_credentials', client_id: `made-up-${number}` },
      headers: { 'x-forwarded-for': `${network}, ${PROXY}` },
    });
  };
  for (let sent = 0; sent < 2000; sent += 50)
    await Promise.all(Array.from({ length: 50 }, (_, index) => call(sent + index)));
  const [{ kinds, strange }] = (await behindTwo.database.query(
    `select count(distinct split_part(key, '/', 1))::int as kinds,
       count(*) filter (where key !~ '^(address|client)/[0-9]{1,4}$' or split_part(key, '/', 2)::int >= 4096)::int as strange
     from token_failures`,
  )) as [{ kinds: number; strange: number }];
  expect({ kinds, strange }).toEqual({ kinds: 2, strange: 0 });
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['2001:DB8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['fe80::1%br-1a.100', 'fe80:0:0:0::/64'],
  ['', ''],
])('%s is of the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
