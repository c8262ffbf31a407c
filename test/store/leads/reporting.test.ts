import { newPhone, startIntake } from '../../support/api.ts';

const api = await startIntake();
afterAll(() => api.stop());

const block = (adPlatformCampaignId: string) => ({
  adPlatformLeadId: newPhone(),
  adPlatformCampaignId,
  adPlatformCampaignName: `Campaign ${adPlatformCampaignId}`,
});

async function leadsOn(day: string, campaign: string, customers: number, agents: number) {
  api.setNow(new Date(`${day}T23:30:00Z`));
  for (let index = 0; index < customers; index += 1)
    await api.create({ adPlatform: block(campaign), source: 'Website' });
  for (let index = 0; index < agents; index += 1)
    await api.create({
      adPlatform: block(campaign),
      source: 'Website',
      leadPhones: [newPhone()],
      leadEmails: [`agent${index}${campaign}@rival.example`],
    });
  api.setNow(null);
}

function costs(day: string, platformId: string, amount: number) {
  return api.database.query(
    `insert into advertising_costs (day, advertising_campaign_id, currency, amount)
     select $1::date, id, 'AED', $2::numeric from advertising_campaigns where platform_campaign_id = $3`,
    [day, amount, platformId],
  );
}

describe('An agent enquiry is excluded from volume and cost-per-lead reporting', () => {
  test('lead_volume counts the leads of a day without it', async () => {
    await leadsOn('2026-03-01', 'v', 3, 2);
    const rows = await api.database.query(
      `select day, leads, repeat_leads from lead_volume where day = '2026-03-01'`,
    );
    expect(rows).toEqual([{ day: '2026-03-01', leads: 3, repeat_leads: 0 }]);
  });

  test('cost_per_lead divides the cost by the leads without it', async () => {
    await leadsOn('2026-03-02', 'a', 3, 1);
    await leadsOn('2026-03-03', 'a', 0, 1);
    await leadsOn('2026-03-04', 'a', 1, 0);
    await costs('2026-03-02', 'a', 100);
    await costs('2026-03-03', 'a', 50);
    const rows = await api.database.query(
      `select day, advertising_campaign, currency, amount, leads, cost_per_lead from cost_per_lead
       where advertising_campaign = 'Campaign a' order by day`,
    );
    const named = { advertising_campaign: 'Campaign a' };
    expect(rows).toEqual([
      {
        ...named,
        day: '2026-03-02',
        currency: 'AED',
        amount: '100',
        leads: 3,
        cost_per_lead: '33.33',
      },
      { ...named, day: '2026-03-03', currency: 'AED', amount: '50', leads: 0, cost_per_lead: null },
      { ...named, day: '2026-03-04', currency: null, amount: null, leads: 1, cost_per_lead: null },
    ]);
  });
});
