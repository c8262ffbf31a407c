import { leadCommands } from '../../cli/lead.ts';
import { rulesCommands } from '../../cli/rules.ts';
import { newPhone } from '../support/api.ts';
import { activateRules, makeAgent, makeSource, makeTeam } from '../support/routing.ts';
import { datasetFile, leadctlFor } from './leadctl.ts';
import { startCommandService } from './service.ts';

const { api, actions, variables, stop } = await startCommandService();
const leadctl = leadctlFor([leadCommands, rulesCommands], variables);
await makeSource(api.database, 'Portal', true);
const [sara, omar] = [
  await makeAgent(api.database, { name: 'Sara H' }),
  await makeAgent(api.database, { name: 'Omar K' }),
];
const teamId = await makeTeam(api.database, [sara, omar]);
const rule = { name: 'Sales', target: { kind: 'team', teamId } };
beforeEach(() => activateRules(api.database, [{ ...rule, gates: { contactOwner: 'prefer' } }]));
afterAll(stop);

const portalEnquiry = (phone: string) => actions.create({ leadPhones: [phone], source: 'Portal' });

async function ownerOf(leadId: string): Promise<string> {
  await actions.becomes(leadId, 'assigned');
  return String((await api.lead(leadId)).owner_id);
}

describe('a rule that prefers the agent of the contact’s newest earlier lead', () => {
  test('gives them each further portal enquiry, and explains it', async () => {
    const phone = newPhone();
    const first = await ownerOf(await portalEnquiry(phone));
    await ownerOf(await portalEnquiry(newPhone())); // it would be the others' turn twice
    const second = await portalEnquiry(phone);
    expect(await ownerOf(second)).toBe(first);
    expect(await ownerOf(await portalEnquiry(phone))).toBe(first);
    const { text } = await leadctl('lead', 'explain', second);
    expect(text).toContain('agent of the customer’s newest earlier lead');
    expect(text).toContain('left out: another agent had the customer’s newest earlier lead');
    expect(text).toContain('The agent of the customer’s newest earlier lead went first.');
    expect((await leadctl('lead', 'show', second)).text).toContain(
      '1 with others preferred for contact owner',
    );
  });

  test('follows the earlier lead to the agent to whom an operator gave it', async () => {
    const phone = newPhone();
    const lead = await portalEnquiry(phone);
    const other = (await ownerOf(lead)) === sara.id ? omar : sara;
    await leadctl('lead', 'assign', lead, '--agent', other.email);
    expect(await ownerOf(await portalEnquiry(phone))).toBe(other.id);
  });

  test('follows no assignment that an operator took back', async () => {
    const phone = newPhone();
    const first = await portalEnquiry(phone);
    const owner = await ownerOf(first);
    const other = owner === sara.id ? omar : sara;
    await activateRules(api.database, []);
    const second = await portalEnquiry(phone);
    await actions.becomes(second, 'unassigned');
    await leadctl('lead', 'assign', second, '--agent', other.email);
    await leadctl('lead', 'undo', second);
    await activateRules(api.database, [{ ...rule, gates: { contactOwner: 'require' } }]);
    expect(await ownerOf(await portalEnquiry(phone))).toBe(owner);
  });

  test('tries it on past leads, and makes its decisions again', async () => {
    await activateRules(api.database, [rule]);
    const phone = newPhone();
    for (const each of [phone, phone]) await ownerOf(await portalEnquiry(each));
    const [team] = await api.database.query<{ name: string }>(`select name from teams`);
    const target = { kind: 'team', name: team?.name };
    const gates = { contactOwner: 'prefer' };
    const file = await datasetFile({ rules: [{ name: 'Sales', order: 1, target, gates }] });
    const { json } = await leadctl('rules', 'try', file, '--json');
    expect(json.comparison.elsewhere).toBeGreaterThan(0);
    expect((await leadctl('rules', 'check')).text).toContain('all come out the same');
  });
});
