import { rulesCommands } from '../../cli/rules.ts';
import { activateRules, makeAgents, makeTeam } from '../support/routing.ts';
import { leadActivities } from '../support/worker.ts';
import { datasetFile, startLeadctl } from './leadctl.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.now() - 90 * MINUTE_MS;

const { api, leadctl } = await startLeadctl(rulesCommands);

const activitiesAt = (minute: number) =>
  leadActivities(api, () => new Date(START_MS + minute * MINUTE_MS));

async function routedLead(minute: number): Promise<string> {
  const { id } = await api.create();
  await activitiesAt(minute).routeLead({ leadId: id });
  return id;
}

test('rules try counts the rotation’s turns that follow-ups took between the leads', async () => {
  const teamId = await makeTeam(api.database, await makeAgents(api.database, 3), [3, 2, 1]);
  const followUp = { minutes: 15, onExpiry: 'reassign' };
  await activateRules(api.database, [{ name: 'Team', target: { kind: 'team', teamId }, followUp }]);
  for (let minute = 0; minute < 60; minute += 20) {
    const leadId = await routedLead(minute);
    await activitiesAt(minute + 16).expireFollowUp({ leadId, round: 1, moves: 0 });
  }
  for (let minute = 60; minute < 70; minute += 1) await routedLead(minute);

  const [team] = await api.database.query<{ name: string }>(`select name from teams`);
  const target = { kind: 'team', name: team?.name };
  const file = await datasetFile({ rules: [{ name: 'Team', order: 1, target }] });
  const { json } = await leadctl('rules', 'try', file, '--since', '2h', '--json');
  expect(json).toMatchObject({ faithful: 13, comparison: { total: 13, elsewhere: 0 } });
});
