import { randomUUID } from 'node:crypto';
import { agentCommands } from '../../cli/agent.ts';
import { makeAgent, makeTeam, type TestAgent } from '../support/routing.ts';
import { startLeadctl } from './leadctl.ts';

let sara: TestAgent;
let omar: TestAgent;
let team: string;

const { api, leadctl } = await startLeadctl(agentCommands);

beforeEach(async () => {
  const of = { languages: ['ar'], phone: '+971500000001', time_zone: 'Asia/Dubai' };
  sara = await makeAgent(api.database, { name: 'Sara Haddad', ...of });
  omar = await makeAgent(api.database, { name: 'Omar Khan', ...of });
  const teamId = await makeTeam(api.database, [sara, omar]);
  team = `Team ${randomUUID()}`;
  await api.database.query('update teams set name = $2 where id = $1', [teamId, team]);
});

const agent = (...words: string[]) => leadctl('agent', ...words);

async function stored({ id }: TestAgent) {
  const [row] = await api.database.query('select * from agents where id = $1', [id]);
  return row as Record<string, unknown>;
}

const leadsOf = (email: string) => api.create({ assignedBy: email });

describe('an agent', () => {
  test('is found by e-mail, slug, name or words of it that only they have', async () => {
    const word = `w${randomUUID().replaceAll('-', '')}`;
    const { id, email } = await makeAgent(api.database, { name: `${word} Al Amiri`, slug: word });
    for (const text of [email.toUpperCase(), word, `${word} AL amiri`, `${word} al`, 'al amiri'])
      expect((await agent('pause', text, '--json')).json.id).toBe(id);
    const near = `Agent not found by this e-mail, slug or name. Near: ${word} Al Amiri (${email})`;
    for (const text of [word.slice(0, 20), `${word}@agency.example`])
      await expect(agent('pause', text)).rejects.toThrow(near);
    const other = await makeAgent(api.database, { name: `Noor ${word} Al Amiri` });
    await expect(agent('pause', `${word} al`)).rejects.toThrow(
      new RegExp(`^Several agents are called ${word} al: .*${other.email}`),
    );
    await makeAgent(api.database, { name: `Noor ${word} Al Amiri` });
    await expect(agent('pause', `noor ${word} al amiri`)).rejects.toThrow(
      `Several agents are called noor ${word} al amiri: Noor ${word}`,
    );
  });

  test('gets other caps by one command, and all else stays', async () => {
    const before = await stored(omar);
    const { text } = await agent('cap', omar.email, '--daily', '20', '--open', 'none');
    expect(text).toBe(`  ${omar.email}: dailyCap none → 20\n`);
    expect(await stored(omar)).toEqual({ ...before, daily_cap: 20 });
    expect((await agent('cap', omar.email, '--daily', '20')).text).toBe('It was so already.\n');
    await agent('cap', omar.email, '--daily', 'none');
    expect(await stored(omar)).toEqual(before);
    await expect(agent('cap', omar.email)).rejects.toThrow('Say --daily, --open, or both.');
    await expect(agent('cap', omar.email, '--daily', 'many')).rejects.toThrow('whole number');
  });

  test('gets other hours, for good or on some days, alone or with the whole team', async () => {
    const hours = 'mon-fri 09:00-18:00, sat 10:00-14:00';
    await agent('hours', omar.email, hours);
    expect((await stored(omar))?.working_hours).toEqual({
      'mon-fri': '09:00-18:00',
      sat: '10:00-14:00',
    });
    const days = ['--from', '2099-01-07', '--to', '2099-01-11'];
    const { text } = await agent('hours', '--team', team, 'mon-fri 10:00-15:00', ...days);
    expect(text).toMatch(/: mon-fri 10:00-15:00, from 2099-01-07 to 2099-01-11\.\n$/);
    const dated = () =>
      api.database.query('select * from agent_dated_hours where agent_id = any ($1)', [
        [sara.id, omar.id],
      ]);
    expect(await dated()).toHaveLength(2);
    await agent('hours', omar.email, '--cancel', ...days);
    expect(await dated()).toHaveLength(1);
    await expect(agent('hours', omar.email, '--cancel', ...days)).rejects.toThrow('no such hours');
    await agent('hours', omar.email, 'any');
    expect((await stored(omar))?.working_hours).toEqual({});
  });

  test('are not found by a wrong name of their team, which shows the teams near it', async () => {
    const hours = ['hours', '--team', `${team.slice(0, -1)}?`, 'any'];
    await expect(agent(...hours)).rejects.toThrow(`Team not found by this name. Near: ${team}`);
    const empty = `Nobody ${randomUUID()}`;
    for (const name of [empty, ...['A', 'B', 'C'].map((letter) => `${letter} ${empty}`)]) {
      const teamId = await makeTeam(api.database, []);
      await api.database.query('update teams set name = $2 where id = $1', [teamId, name]);
    }
    await expect(agent('hours', '--team', empty, 'any')).rejects.toThrow('no members');
  });

  test('is told which dated hours overlap, and which of them count; those that are over say so', async () => {
    const set = async (hours: string, from: string, to: string) =>
      (await agent('hours', omar.email, hours, '--from', from, '--to', to)).text;
    await set('mon-fri 10:00-15:00', '2099-01-07', '2099-01-11');
    expect(await set('mon-fri 08:00-12:00', '2099-01-10', '2099-01-12')).toBe(
      `Omar Khan: mon-fri 08:00-12:00, from 2099-01-10 to 2099-01-12.
Omar Khan has mon-fri 10:00-15:00 from 2099-01-07 to 2099-01-11 already: on the days of both the new ones count.
`,
    );
    expect(await set('mon 08:00-12:00', '2099-01-01', '2099-01-07')).toContain(
      'already: on the days of both those, which begin later or end earlier, count.',
    );
    expect(await set('mon-fri 08:00-12:00', '2020-01-06', '2020-01-10')).toBe(
      `Omar Khan: mon-fri 08:00-12:00, from 2020-01-06 to 2020-01-10.
These days are over: from now on the hours are as before.
`,
    );
  });

  test('is told what hours through the night were read as', async () => {
    const read = '18:00-09:00 is through the night, to 09:00 of the next day.\n';
    const hours = 'mon-fri 18:00-09:00, sat 10:00-24:00';
    expect((await agent('hours', omar.email, hours)).text).toMatch(new RegExp(`\n${read}$`));
    const dated = ['--from', '2099-01-07', '--to', '2099-01-11', '--json'];
    expect((await agent('hours', omar.email, hours, ...dated)).note).toBe(read);
    expect((await agent('hours', omar.email, 'mon 09:00-18:00')).text).not.toContain('night');
  });

  test.each([
    [['nine to five'], 'Say the hours as'],
    [['mon-fri 09:00-18:00, mon 10:00-12:00'], 'the hours of monday overlap'],
    [['mon-fri 09:00-18:00', '--from', '2099-01-07'], '--to'],
    [['mon-fri 09:00-18:00', '--team', 'Sales'], 'Name an agent, or a team'],
  ])('keeps its hours where the command is wrong: %j', async (words, message) => {
    const before = await stored(omar);
    await expect(agent('hours', omar.email, ...words)).rejects.toThrow(message);
    expect(await stored(omar)).toEqual(before);
  });

  test('is deactivated with what they hold in view, and activated again', async () => {
    await leadsOf(sara.email);
    const before = await stored(sara);
    await expect(agent('deactivate', sara.email)).rejects.toThrow(
      'Sara Haddad gets no lead any more; 1 lead without a response stays theirs. leadctl agent activate makes the agent active again: say --yes',
    );
    expect(await stored(sara)).toEqual(before);
    const { text } = await agent('deactivate', sara.email, '--yes');
    expect(text).toContain(`leadctl agent release ${sara.email}`);
    expect(await stored(sara)).toEqual({ ...before, active: false });
    expect((await agent('activate', sara.email)).text).toBe(
      `  ${sara.email}: active false → true\n`,
    );
  });
});

test('who is absent, now and later, is one list', async () => {
  await agent('absent', sara.email, '--from', '2026-01-01', '--to', '2099-01-01', '--note', 'flu');
  await agent('absent', omar.email, '--from', '2098-01-01', '--to', '2098-01-08');
  expect((await agent('absences', '--json')).json).toMatchObject([
    { email: sara.email, note: 'flu', isNow: true },
    { email: omar.email, note: null, isNow: false },
  ]);
  expect((await agent('absences')).text).toMatch(/Sara Haddad .* 2026-01-01 .* now +flu$/m);
});
