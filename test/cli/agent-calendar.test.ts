import { randomUUID } from 'node:crypto';
import { agentCommands } from '../../cli/agent.ts';
import { localTime, startOfDate } from '../../domain/routing/local-time.ts';
import { makeAgent } from '../support/routing.ts';
import { zoneAtNoon } from '../support/working-time.ts';
import { startLeadctl } from './leadctl.ts';

const { api, leadctl } = await startLeadctl(agentCommands);

/** The agents live there, so no day ends while the tests run. */
const ZONE = zoneAtNoon();
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const dayFromNow = (days: number, zone = ZONE) =>
  localTime(new Date(Date.now() + days * DAY_MS), zone)?.date ?? '';
const timeOn = (day: string, hour: number) =>
  new Date(startOfDate(day, ZONE) + hour * HOUR_MS).toISOString();

const makeOmar = () => makeAgent(api.database, { name: 'Omar K', time_zone: ZONE });

test('an agent is absent for some days, which the list and their calendar show, and back early', async () => {
  const { email } = await makeOmar();
  const [from, to] = [dayFromNow(-1), dayFromNow(3)];
  const words = ['agent', 'absent', email, '--from', from, '--to', to, '--note', 'flu'];
  expect((await leadctl(...words)).text).toBe(
    `Omar K is absent from ${from} to ${to}: no rule chooses them.\n`,
  );
  expect((await leadctl('agent', 'list')).text).toContain(`absent until ${to}`);
  const { json } = await leadctl('agent', 'calendar', email, '--json');
  expect(json).toMatchObject({
    state: 'absent',
    timeZone: ZONE,
    nextWorkingAt: timeOn(dayFromNow(4), 0),
  });
  expect(json.days).toHaveLength(14);
  expect(json.days[0]).toMatchObject({ date: dayFromNow(0), hours: [] });
  expect(json.days[0].absences).toEqual([{ from, to, note: 'flu' }]);
  expect(json.days[4]).toMatchObject({ hours: ['00:00-24:00'], absences: [] });
  const { text } = await leadctl('agent', 'calendar', email);
  expect(text.replace(ZONE, 'ZONE')).toMatch(
    /^Omar K, ZONE: absent now, working again \w{3} [\d-]{10} 00:00\.\n/,
  );
  expect(text).toContain('absent: flu');

  expect((await leadctl('agent', 'absent', email, '--cancel')).text).toBe(
    `The absence of Omar K from ${from} to ${to} is cancelled.\n`,
  );
  expect((await leadctl('agent', 'calendar', email)).text).toContain('working now.');
  await expect(leadctl('agent', 'absent', email, '--cancel')).rejects.toThrow(
    'Omar K has no such absence; see leadctl agent absences.',
  );
});

test('an absence of some hours is cancelled by its date, or by its times', async () => {
  const { email } = await makeOmar();
  const absent = (...period: string[]) => leadctl('agent', 'absent', email, ...period);
  const daysFrom = (days: number) => ['--from', dayFromNow(days), '--to', dayFromNow(days)];
  const times = ['--from', timeOn(dayFromNow(3), 9), '--to', timeOn(dayFromNow(3), 13)];
  for (const named of [daysFrom(3), times]) {
    await absent(...times);
    await expect(absent(...daysFrom(4), '--cancel')).rejects.toThrow('has no such absence');
    expect((await absent(...named, '--cancel')).text).toContain('is cancelled');
  }
});

test('an agent whose time zone is not known has no calendar, and the reason is a sentence', async () => {
  const { email } = await makeAgent(api.database, { name: 'Zoe Z', time_zone: 'Mars/Olympus' });
  const absent = ['agent', 'absent', email, '--from', dayFromNow(1), '--to', dayFromNow(2)];
  expect((await leadctl(...absent)).text).toContain('Zoe Z');
  await expect(leadctl('agent', 'calendar', email)).rejects.toThrow(
    'The time zone of Zoe Z, "Mars/Olympus", is not known, so no rule chooses them.',
  );
  expect((await leadctl('agent', 'list')).text).toContain('Zoe Z');
  expect((await leadctl('agent', 'absences')).text).not.toContain('Invalid');
});

test('an absence that is to come is spoken of as such, without advice for today; one that it overlaps is named', async () => {
  const agent = await makeOmar();
  const [from, to] = [dayFromNow(5), dayFromNow(8)];
  const absent = (...period: string[]) => leadctl('agent', 'absent', agent.email, ...period);
  expect((await absent('--from', from, '--to', to)).text).toBe(
    `Omar K will be absent from ${from} to ${to}: no rule chooses them then.\n`,
  );
  expect((await absent('--from', dayFromNow(8), '--to', dayFromNow(9))).text).toContain(
    `It overlaps their absence from ${from} to ${to}.`,
  );
});

test('the calendar shows as many weeks as asked for, with dated hours in place of the usual ones', async () => {
  const { id, email } = await makeOmar();
  await api.database.query(
    `insert into agent_dated_hours values ($1, $2, $2, '{ "mon-sun": "20:00-22:00" }')`,
    [id, dayFromNow(20)],
  );
  const { json } = await leadctl('agent', 'calendar', email, '--weeks', '3', '--json');
  expect(json.days).toHaveLength(21);
  expect(json.days.slice(19)).toMatchObject([
    { date: dayFromNow(19), hours: ['00:00-24:00'] },
    { date: dayFromNow(20), hours: ['20:00-22:00'] },
  ]);
});

test('an absence that is to come is cancelled by its dates, and a new note replaces the old', async () => {
  const { email } = await makeOmar();
  const period = ['--from', dayFromNow(5), '--to', dayFromNow(5)];
  await leadctl('agent', 'absent', email, ...period);
  await leadctl('agent', 'absent', email, ...period, '--note', 'course');
  await leadctl('agent', 'absent', email, '--from', dayFromNow(7), '--to', dayFromNow(8));
  const absences = async () =>
    (await leadctl('agent', 'calendar', email, '--json')).json.days.flatMap(
      (day: { absences: { note: string | null }[] }) => day.absences.map(({ note }) => note),
    );
  expect(await absences()).toEqual(['course', null, null]);
  await expect(leadctl('agent', 'absent', email, '--cancel')).rejects.toThrow('no such absence');
  await leadctl('agent', 'absent', email, '--cancel', '--from', dayFromNow(5));
  expect(await absences()).toEqual([null, null]);
});

test('what waits for the absent agent is said, with the command that hands it over', async () => {
  const agent = await makeOmar();
  await api.create({ assignedBy: agent.email });
  const today = ['--from', dayFromNow(0), '--to', dayFromNow(0)];
  expect((await leadctl('agent', 'absent', agent.email, ...today)).text).toContain(
    `1 lead waits for their response: leadctl agent release ${agent.email} hands it over.`,
  );
});

test('an absence that is over in the agent’s time zone is kept and said to be over', async () => {
  const zone = zoneOnAnotherDate();
  const { email } = await makeAgent(api.database, { name: 'Kiri K', time_zone: zone });
  const [yesterday, today] = [dayFromNow(-1, zone), dayFromNow(0, zone)];
  const absent = (from: string, to: string) =>
    leadctl('agent', 'absent', email, '--from', from, '--to', to);
  expect((await absent('2019-01-01', yesterday)).text).toContain(
    `Kiri K was absent from 2019-01-01 to ${yesterday}. That is over: rules choose them as before.`,
  );
  expect((await absent('2019-01-01', today)).text).toContain('is absent from 2019-01-01');
});

/** It is yesterday or tomorrow there, by the date of UTC, and no day begins within the hour. */
function zoneOnAnotherDate(): string {
  return new Date().getUTCHours() < 10 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
}

test.each([
  [[], '--from and --to are needed.'],
  [['--from', 'tomorrow', '--to', '2026-12-20'], '--from: Expected a date'],
  [['--from', '2026-12-20', '--to', '2026-12-19'], '--to is before --from'],
])('%j is refused', async (flags, message) => {
  const { email } = await makeAgent(api.database, { email: `${randomUUID()}@agency.example` });
  await expect(leadctl('agent', 'absent', email, ...flags)).rejects.toThrow(message);
});
