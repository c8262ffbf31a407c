import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readIntakeFacts } from '../../../store/leads/read-intake.ts';
import { explaining, type Plan } from '../../support/explaining.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';

const EMAIL = 'leads@portal.example';
const LEADS = 5000;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  const body = { leadEmails: [EMAIL] };
  expect((await api.call('POST', '/public/leads', { body })).status).toBe(201);
  await api.database.query(
    `insert into leads
     select made.* from (select to_jsonb(l) as row from leads l) l, generate_series(1, $1::int) n,
       jsonb_populate_record(null::leads, row || jsonb_build_object('id', gen_random_uuid(),
         'merge_window_ends_at', now() - n * interval '1 minute')) made`,
    [LEADS],
  );
  await api.database.query(`vacuum analyze leads`);
});
afterAll(() => api?.stop());

test('an address that thousands of leads were sent with is known as quickly as any other', async () => {
  const plans: Plan[] = [];
  const [facts] = await readIntakeFacts(explaining(api.database, plans), [
    {
      contactPoints: [{ kind: 'email', value: EMAIL }],
      now: new Date(),
      listingId: null,
      referenceNo: null,
      platformCampaignId: null,
      campaignNameKey: null,
      blockIdentity: null,
      quizKey: null,
    },
  ]);
  expect(facts?.contacts[0]?.holder).toMatchObject({ hasAgentLead: false });
  expect(facts?.contacts[0]?.holder.olderLeadId).not.toBeNull();
  expect(plans).toHaveLength(1);
  expect(plans[0]?.pages).toBeLessThan(100);
});
