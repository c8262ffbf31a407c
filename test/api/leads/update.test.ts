import { fields, toCamelCase } from '../../../domain/leads/fields.ts';
import { newEmail, newPhone, startIntake } from '../../support/api.ts';
import { EMAAR, SECONDARY_LISTING, seedReference } from '../../support/reference.ts';
import { fieldValues } from './field-values.ts';

const api = await startIntake();
const { create, database, update } = api;
afterAll(() => api.stop());

const writable = fields.filter(
  ({ name, match, createOnly }) => match !== 'contactPoint' && !createOnly && name !== 'subSource',
);
async function subSourcesOf(leadId: string): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `select source.name || '/' || sub.name as name from leads l
     join list_entries sub on sub.id = any (l.sub_source_ids)
     join list_entries source on source.id = sub.parent_id where l.id = $1`,
    [leadId],
  );
  return rows.map(({ name }) => name);
}
const columnOf = (name: string) => fields.find((field) => field.name === name)?.column ?? '';

describe('PUT and PATCH /public/leads/{id}', () => {
  test.each(writable.map(({ name }) => name))(
    '2 and 4: %s: a sent value overwrites, the same value changes nothing, null clears',
    async (name) => {
      const [first, second] = fieldValues(name);
      const lead = await create();
      const column = columnOf(name);
      const named = expect.arrayContaining([toCamelCase(column)]);
      expect((await update(lead.id, { [name]: first })).updatedFields).toEqual(named);
      if (name !== 'campaignName') {
        const overwritten = await update(lead.id, { [name]: second });
        expect(overwritten).toMatchObject({
          updated: true,
          updatedFields: named,
          intakeUnresolved: null,
        });
      }
      const repeated = await update(lead.id, { [name]: second });
      expect(repeated).toMatchObject({ updated: false, updatedFields: [], rerouted: false });
      const cleared = await update(lead.id, { [name]: null });
      const inherited = column === 'listing_id' ? ['locationId', 'bedrooms'] : [];
      expect(cleared.updatedFields).toEqual([toCamelCase(column), ...inherited].sort());
      const row = await api.lead(lead.id);
      expect(row[column]).toEqual(name === 'languages' ? [] : null);
    },
  );

  test('updatedFields has the names of the CRM columns, sorted', async () => {
    const lead = await create();
    const updated = await update(lead.id, {
      areaOfInterest: 'Dubai Marina',
      source: 'Website',
      subSource: ['Chat'],
      leadType: 'Tenant',
      leadFirstName: 'Mona',
      languages: ['ar'],
      leadPhones: [newPhone()],
      leadEmails: [newEmail()],
      comments: [{ text: 'Hi' }],
      quiz: { quizKey: 'u', answers: [{ questionKey: 'q', value: '5' }] },
      adPlatform: { adPlatformLeadId: crypto.randomUUID(), adId: '7' },
    });
    expect(updated).toEqual({
      id: lead.id,
      updated: true,
      updatedFields: [
        'adPlatform',
        'closingAreaId',
        'comments',
        'languageIds',
        'leadEmails',
        'leadFirstName',
        'leadPhones',
        'leadTypeId',
        'quizAnswers',
        'sourceId',
        'subSourceIds',
      ],
      intakeUnresolved: null,
      needsIntakeReview: false,
      rerouted: true,
      assignedTo: null,
      comments: { added: 1, skipped: 0 },
    });
  });

  test('an update that changes nothing is no error', async () => {
    const lead = await create();
    expect(await update(lead.id, {})).toEqual({
      id: lead.id,
      updated: false,
      updatedFields: [],
      intakeUnresolved: null,
      needsIntakeReview: false,
      rerouted: false,
      assignedTo: null,
    });
  });

  test('an amount in another spelling changes nothing', async () => {
    const lead = await create({ budgetMin: '2,100,000', budgetMax: 2500000.5 });
    const updated = await update(lead.id, { budgetMin: '2100000.00', budgetMax: '2500000.50' });
    expect(updated).toMatchObject({ updated: false, rerouted: false });
  });

  test('2: null for one of two fields that name one record does not undo the other', async () => {
    const lead = await create();
    const names = [
      { developerName: 'Emaar', developerId: null },
      { developerId: 'nakheel', developerName: null },
      { listingId: null, referenceNo: 'AG-P-1' },
    ];
    for (const body of names) expect((await update(lead.id, body)).updated).toBe(true);
    expect(await api.lead(lead.id)).toMatchObject({
      developer_id: expect.not.stringMatching(EMAAR),
      listing_id: expect.any(String),
    });
  });

  test('2: null for one of two names does not clear what the other name set', async () => {
    const lead = await create({ developerName: 'Nobody', referenceNo: 'NONE' });
    await update(lead.id, { developerId: EMAAR, listingId: SECONDARY_LISTING });
    const byId = { developer_id: EMAAR, listing_id: SECONDARY_LISTING };
    for (const body of [
      { developerName: null, referenceNo: null },
      { developerName: 'Nobody', referenceNo: 'NONE' },
      { developerName: null, referenceNo: null },
    ]) {
      expect((await update(lead.id, body)).updated).toBe(false);
      expect(await api.lead(lead.id)).toMatchObject(byId);
    }
    expect(await api.lead(lead.id)).toMatchObject({ intake_unresolved: null });
    const cleared = await update(lead.id, { developerId: null, listingId: null });
    expect(cleared.updatedFields).toEqual(expect.arrayContaining(['developerId', 'listingId']));
  });

  test('2: the name that was confirmed last is the one that clears, and null for both always does', async () => {
    const lead = await create({ developerName: 'Emaar Properties' });
    expect((await update(lead.id, { developerId: EMAAR })).updated).toBe(false);
    expect((await update(lead.id, { developerName: null })).updated).toBe(false);
    expect((await update(lead.id, { developerId: null })).updated).toBe(true);
    await update(lead.id, { developerName: 'Nakheel' });
    const both = await update(lead.id, { developerId: null, developerName: null });
    expect(both.updatedFields).toEqual(['developerId']);
  });

  test.each(['developerId', 'developerName'])(
    '2: %s clears an inherited developer',
    async (name) => {
      const lead = await create({ referenceNo: 'AG-P-1' });
      expect((await update(lead.id, { [name]: null })).updatedFields).toEqual(['developerId']);
    },
  );

  test.each([
    [{ referenceNo: null }, 'AG-P-1'],
    [{ listingId: null }, SECONDARY_LISTING],
  ])(
    '2: location and bedrooms go with the listing by %j, and what other fields name stays',
    async (clearing, listing) => {
      const [name] = Object.keys(clearing);
      const lead = await create({ [name as string]: listing });
      const before = await api.lead(lead.id);
      const updated = await update(lead.id, clearing);
      expect(updated.updatedFields).toEqual(['bedrooms', 'listingId', 'locationId']);
      expect(await api.lead(lead.id)).toMatchObject({
        listing_id: null,
        location_id: null,
        bedrooms: null,
        currency_id: 'AED',
        developer_id: before.developer_id,
        lead_type_id: before.lead_type_id,
      });
    },
  );

  test('4: a middle name that is the second name follows it, a given one stays', async () => {
    const lead = await create({ leadSecondName: 'Ali' });
    const namesAfter = async (body: object) => {
      await update(lead.id, body);
      const { lead_middle_name: middle, lead_second_name: second } = await api.lead(lead.id);
      return [middle, second];
    };
    expect(await namesAfter({ leadSecondName: 'Omar' })).toEqual(['Omar', 'Omar']);
    expect(await namesAfter({ leadMiddleName: 'M' })).toEqual(['M', 'Omar']);
    expect(await namesAfter({ leadSecondName: 'Ali' })).toEqual(['M', 'Ali']);
    expect(await namesAfter({ leadSecondName: null })).toEqual(['M', null]);
  });

  test('2: what an agent made of the bedrooms stays when the listing goes', async () => {
    const lead = await create({ referenceNo: 'AG-P-1' });
    await database.query(`update leads set bedrooms = 'studio' where id = $1`, [lead.id]);
    const updated = await update(lead.id, { referenceNo: null });
    expect(updated.updatedFields).toEqual(['listingId', 'locationId']);
    expect(await api.lead(lead.id)).toMatchObject({ bedrooms: 'studio' });
  });

  test('sub-sources of a former source go, unless the new source has them too', async () => {
    const lead = await create({ source: 'Website', subSource: ['Landing Page', 'Chat'] });
    const changed = await update(lead.id, { source: 'Social Ads' });
    expect(changed).toMatchObject({
      updatedFields: ['sourceId', 'subSourceIds'],
      intakeUnresolved: null,
    });
    expect(await subSourcesOf(lead.id)).toEqual(['Social Ads/Chat']);
    const unmatched = await update(lead.id, { source: 'Pigeon' });
    expect(unmatched.updated).toBe(false);
    await update(lead.id, { source: 'Website', subSource: ['Landing Page'] });
    expect(await subSourcesOf(lead.id)).toEqual(['Website/Landing Page']);
    const cleared = await update(lead.id, { source: null });
    expect(cleared.updatedFields).toEqual(['sourceId', 'subSourceIds']);
    expect(await subSourcesOf(lead.id)).toEqual([]);
  });

  test('2: sub-sources that come along with a cleared source are ignored entirely', async () => {
    const lead = await create({ source: 'Website' });
    const updated = await update(lead.id, { source: null, subSource: ['Chat', 'Lead Form'] });
    expect(updated).toMatchObject({ updatedFields: ['sourceId'], intakeUnresolved: null });
  });

  test('1: an omitted field, and an empty string, is left alone', async () => {
    const lead = await create({
      leadFirstName: 'Mona',
      budgetMin: '5',
      pageUrl: 'https://x.example/ae',
    });
    await update(lead.id, {
      leadLastName: 'Ali',
      leadFirstName: '',
      languages: [],
      leadEmails: '',
    });
    expect(await api.lead(lead.id)).toMatchObject({
      lead_first_name: 'Mona',
      lead_last_name: 'Ali',
      budget_min: '5',
      locale_country_id: 'AE',
    });
  });

  test('1: a country that was sent is not replaced by one inferred from a later pageUrl', async () => {
    const lead = await create({ localeCountry: 'GB' });
    const updated = await update(lead.id, { pageUrl: 'https://x.example/ae' });
    expect(updated.updatedFields).toEqual(['pageUrl']);
    const empty = await create();
    const inferred = await update(empty.id, { pageUrl: 'https://x.example/ae' });
    expect(inferred.updatedFields).toEqual(['localeCountryId', 'pageUrl']);
  });

  test('3: a value that matches no record leaves the column as it was and is reported', async () => {
    const lead = await create({ source: 'Website', referenceNo: 'AG-P-1' });
    const updated = await update(lead.id, {
      source: 'Pigeon',
      subSource: ['Chat'],
      referenceNo: 'AG-TWICE',
      developerId: 'Nobody',
    });
    expect(updated).toMatchObject({
      updated: false,
      intakeUnresolved: { source: 'Pigeon', referenceNo: 'AG-TWICE', developerId: 'Nobody' },
      needsIntakeReview: true,
    });
    expect(await api.lead(lead.id)).toMatchObject({
      source_id: lead.source.id,
      listing_id: lead.listingId.id,
      sub_source_ids: [],
    });
  });

  test("sub-sources are those of the lead's own source where none is sent", async () => {
    const lead = await create({ source: 'Social Ads' });
    const updated = await update(lead.id, { subSource: ['Lead Form', 'Landing Page'] });
    expect(updated).toMatchObject({
      updatedFields: ['subSourceIds'],
      intakeUnresolved: { subSource: ['Landing Page'] },
    });
  });

  test('5: phones and e-mails are appended, never replaced, and null for them is ignored', async () => {
    const [phone, mail] = ['050 888 0001', newEmail()];
    const lead = await create({ leadPhones: [phone], leadEmails: [mail] });
    const added = newPhone();
    const updated = await update(lead.id, {
      leadPhones: ['+971508880001', added],
      leadEmails: null,
    });
    expect(updated.updatedFields).toEqual(['leadPhones']);
    expect(await api.lead(lead.id)).toMatchObject({
      lead_phones: [phone, added],
      lead_emails: [mail],
    });
    const again = await update(lead.id, {
      leadPhones: [added],
      leadEmails: [` ${mail.toUpperCase()}`],
    });
    expect(again.updated).toBe(false);
  });

  test('an id in capitals is that of the lead, whose workflow is told', async () => {
    const lead = await create();
    const updated = await update(lead.id.toUpperCase(), { areaOfInterest: 'Dubai Marina' });
    expect(updated).toMatchObject({ id: lead.id, updated: true });
    expect(api.signalled.at(-1)?.leadId).toBe(lead.id);
  });

  test('6: answers supersede earlier answers of the same quizKey only, and a retry is idempotent', async () => {
    const quiz = (quizKey: string, value: string) => ({
      quizKey,
      answers: [
        { questionKey: 'a', value },
        { questionKey: 'b', optionKey: 'x', value: 1.0 },
      ],
    });
    const lead = await create({ quiz: quiz('one', '1') });
    await update(lead.id, { quiz: quiz('two', '2') });
    await update(lead.id, { quiz: quiz('one', '3') });
    const current = async () =>
      database.query(
        `select quiz_key, raw ->> 'value' as value from quiz_answers
         where lead_id = $1 and superseded_at is null and position = 0 order by quiz_key`,
        [lead.id],
      );
    expect(await current()).toEqual([
      { quiz_key: 'one', value: '3' },
      { quiz_key: 'two', value: '2' },
    ]);
    expect(await update(lead.id, { quiz: quiz('one', '3') })).toMatchObject({
      updated: false,
      rerouted: false,
    });
    const all = await database.query(`select 1 from quiz_answers where lead_id = $1`, [lead.id]);
    expect(all).toHaveLength(6);
  });

  test.each([{}, { quizKey: '' }, { quizKey: 'k'.repeat(300) }, { quizKey: 42 }])(
    '6: a retry is idempotent with the quiz key %j too',
    async (key) => {
      const quiz = { ...key, answers: [{ questionKey: 'a', value: '03/04/2026' }, null] };
      const lead = await create({ quiz });
      const retry = await update(lead.id, { quiz });
      expect(retry).toMatchObject({ updated: false, intakeUnresolved: lead.intakeUnresolved });
    },
  );

  test('6: a repeated quiz does not overwrite what was written into its field since', async () => {
    const quiz = { quizKey: 'finder', answers: [{ questionKey: 'budget', value: '5 million' }] };
    const lead = await create({ quiz });
    await update(lead.id, { budgetMax: '7' });
    expect((await update(lead.id, { quiz })).updated).toBe(false);
    expect(await api.lead(lead.id)).toMatchObject({ budget_max: '7' });
  });

  describe('6: an open end of a budget', () => {
    const quiz = (value: string) => ({
      quizKey: 'finder',
      answers: [{ questionKey: 'budget', value }],
    });
    const answerLater = async (first: object, between: object, value: string) => {
      const lead = await create(first);
      if (Object.keys(between).length > 0) await update(lead.id, between);
      const { updatedFields } = await update(lead.id, { quiz: quiz(value) });
      const { budget_min: min, budget_max: max } = await api.lead(lead.id);
      return { min, max, updatedFields };
    };

    test.each([
      ['3m+', '3000000', null],
      ['under 500k', null, '500000'],
      ['no preference', '1000000', '2000000'],
    ])('supersedes the end of the earlier answer: %s', async (value, min, max) => {
      const answered = await answerLater({ quiz: quiz('1m-2m') }, {}, value);
      expect(answered).toMatchObject({ min, max });
      const changed = min === '1000000' ? [] : ['budgetMax', 'budgetMin'];
      expect(answered.updatedFields).toEqual([...changed, 'quizAnswers']);
    });

    test('leaves an end that was changed since', async () => {
      const first = { quiz: quiz('1m-2m') };
      expect(await answerLater(first, { budgetMax: '4,000,000' }, '3m+')).toMatchObject({
        min: '3000000',
        max: '4000000',
      });
    });

    test('leaves what no answer set, unless the two would contradict each other', async () => {
      const sent = { budgetMax: '2000000' };
      expect(await answerLater(sent, {}, '1m+')).toMatchObject({ min: '1000000', max: '2000000' });
      expect(await answerLater(sent, {}, '3m+')).toMatchObject({ min: '3000000', max: null });
      const other = { ...quiz('x'), answers: [{ questionKey: 'area', value: 'Palm Jumeirah' }] };
      expect(await answerLater({ quiz: quiz('1m-2m') }, { quiz: other }, '3m+')).toMatchObject({
        max: null,
      });
    });
  });

  test('7: stage, status, owner, funnel and clock are not writable, by a quiz answer neither', async () => {
    const lead = await create({ assignedBy: 'sara@agency.example', distributionType: 'campaign' });
    const before = await api.lead(lead.id);
    const updated = await update(lead.id, {
      assignedBy: 'omar@agency.example',
      funnel: 'Leasing',
      distributionType: 'personal',
      stage: 'Closed',
      status: 'unassigned',
      owner_id: null,
      assignedTo: null,
      followUpDueAt: null,
      quiz: { quizKey: 'finder', answers: [{ questionKey: 'board', answerLabel: 'Leasing' }] },
    });
    expect(updated).toMatchObject({
      updatedFields: ['quizAnswers'],
      intakeUnresolved: null,
      rerouted: false,
      assignedTo: { name: 'Sara H' },
    });
    const after = await api.lead(lead.id);
    expect({ ...after, updated_at: null }).toEqual({ ...before, updated_at: null });
    expect(
      (await api.call('PUT', `/public/leads/${lead.id}`, { body: { assignedBy: 7 } })).status,
    ).toBe(200);
  });

  test('7: a listing sent later hands down to empty columns, and its agent does not become the owner', async () => {
    const lead = await create({ developerName: 'Nakheel' });
    const updated = await update(lead.id, { listingId: SECONDARY_LISTING, budgetMax: '1' });
    expect(updated.updatedFields).toEqual([
      'bedrooms',
      'budgetMax',
      'currencyId',
      'leadTypeId',
      'listingId',
      'locationId',
      'propertyTypeInterestId',
    ]);
    expect(updated.assignedTo).toBeNull();
  });

  test('1 and 4: another listing brings its own location and bedrooms, and leaves the other columns alone', async () => {
    await seedReference(database, {
      listings: [
        {
          referenceNo: 'AG-PALM',
          purpose: 'rent',
          market: 'primary',
          price: '1',
          currency: 'USD',
          location: 'dubai/palm',
          bedrooms: null,
        },
      ],
    });
    const lead = await create({ referenceNo: 'AG-P-1' });
    const updated = await update(lead.id, { referenceNo: 'AG-PALM' });
    expect(updated.updatedFields).toEqual(['bedrooms', 'listingId', 'locationId']);
    const [row] = await database.query(
      `select o.name, l.bedrooms, l.currency_id from leads l join locations o on o.id = l.location_id
       where l.id = $1`,
      [lead.id],
    );
    expect(row).toEqual({ name: 'Palm Jumeirah', bedrooms: null, currency_id: 'AED' });
    expect(await update(lead.id, { referenceNo: 'AG-PALM' })).toMatchObject({ updated: false });
  });

  test('1: the listing that the lead has already leaves what an agent made of its bedrooms', async () => {
    const lead = await create({ referenceNo: 'AG-P-1' });
    await database.query(`update leads set bedrooms = '3 and a maid’s' where id = $1`, [lead.id]);
    expect(await update(lead.id, { referenceNo: 'AG-P-1' })).toMatchObject({ updated: false });
  });

  test('2: what null clears in this very body is not filled by its listing', async () => {
    const lead = await create({ currency: 'USD', budgetMax: '1' });
    await update(lead.id, { referenceNo: 'AG-P-1', currency: null, budgetMax: null });
    expect(await api.lead(lead.id)).toMatchObject({
      currency_id: null,
      budget_max: null,
      budget_min: '2100000',
    });
  });

  test('8: new details send an ownerless lead back, comments alone do not', async () => {
    const lead = await create();
    await database.query(`update leads set assignment_status = 'unassigned' where id = $1`, [
      lead.id,
    ]);
    const comment = await update(lead.id, { comments: [{ text: 'Hi' }] });
    expect(comment).toMatchObject({ updated: true, updatedFields: ['comments'], rerouted: false });
    const flag = await update(lead.id, { source: 'Pigeon' });
    expect(flag).toMatchObject({ updated: false, rerouted: false });
    const details = await update(lead.id, { priority: 'high' });
    expect(details).toMatchObject({ rerouted: true, assignedTo: null });
    expect(await api.lead(lead.id)).toMatchObject({
      assignment_status: 'pending',
      round: 2,
      moves: 0,
    });
    expect(api.signalled).toContainEqual({ leadId: lead.id, event: 'rerouted' });
    const pending = await update(lead.id, { priority: 'higher' });
    expect(pending.rerouted).toBe(true);
    expect(await api.lead(lead.id)).toMatchObject({ round: 3 });
  });

  test('a held lead’s workflow is signalled for what its page shows, while its run is open', async () => {
    const leadPhones = [newPhone()];
    const lead = await create({ leadPhones, assignedBy: 'sara@agency.example' });
    const outboxEvents = async () => {
      const rows = await database.query<{ event: string }>(
        `select event from lead_outbox where lead_id = $1 and event <> 'created'`,
        [lead.id],
      );
      return rows.map(({ event }) => event);
    };
    await update(lead.id, { priority: 'high' });
    expect(await outboxEvents()).toEqual([]);
    await update(lead.id, { developerName: 'Nobody at all' });
    expect(await outboxEvents()).toEqual(['updated']);
    await update(lead.id, { developerName: 'Nobody else' });
    expect(await outboxEvents()).toEqual(['updated']);
    await update(lead.id, { developerName: null });
    expect(await outboxEvents()).toEqual(['updated', 'updated']);
    await create({ leadPhones, eventType: 'Pigeon' });
    expect(await outboxEvents()).toEqual(['updated', 'updated', 'updated']);
    await database.query(
      `update leads set merge_window_closed_at = now(), follow_up_due_at = null where id = $1`,
      [lead.id],
    );
    await update(lead.id, { eventType: null });
    expect(await outboxEvents()).toHaveLength(3);
  });

  test('9: an update that changes something posts a note naming the integration and what changed', async () => {
    const client = await api.addClient({ name: 'Landing pages', scope: 'leads:all' });
    const lead = await create();
    await update(lead.id, { priority: 'x', source: 'Website' }, { client });
    await update(lead.id, { priority: 'x' }, { client });
    const notes = await database.query(
      `select text, client_id from timeline_notes where lead_id = $1 and kind = 'updated'`,
      [lead.id],
    );
    expect(notes).toEqual([
      {
        text: 'Landing pages updated priority, sourceId. Sent back through assignment.',
        client_id: client.id,
      },
    ]);
  });

  test('10: an update merges nothing: the phone of another lead is only appended', async () => {
    const other = await create();
    const lead = await create();
    expect(await update(lead.id, { leadPhones: other.leadPhones })).toMatchObject({ id: lead.id });
  });
});

describe('intakeUnresolved of an update', () => {
  test('joins the earlier flags, and takes away only those that it answers', async () => {
    const lead = await create({
      source: 'A',
      eventType: 'B',
      areaOfInterest: 'C',
      developerName: 'D',
    });
    const joined = await update(lead.id, { marketingType: 'E' });
    expect(joined.intakeUnresolved).toEqual({
      source: 'A',
      eventType: 'B',
      areaOfInterest: 'C',
      developerName: 'D',
      marketingType: 'E',
    });
    const answered = await update(lead.id, {
      source: 'Website',
      eventType: null,
      areaOfInterest: 'Z',
    });
    expect(answered).toMatchObject({
      updatedFields: ['sourceId'],
      intakeUnresolved: { areaOfInterest: 'Z', developerName: 'D', marketingType: 'E' },
    });
    const cleared = await update(lead.id, {
      areaOfInterest: null,
      developerName: 'emaar',
      marketingType: 'Paid',
    });
    expect(cleared).toMatchObject({ intakeUnresolved: null, needsIntakeReview: false });
  });

  test('a readable answer to a question takes its flag away', async () => {
    const quiz = (value: string) => ({ quizKey: 'f', answers: [{ questionKey: 'when', value }] });
    const lead = await create({ quiz: quiz('03/04/2026'), source: 'A' });
    expect((await update(lead.id, { quiz: quiz('next') })).intakeUnresolved).toEqual({
      source: 'A',
      'quiz.f.when': 'next',
    });
    expect((await update(lead.id, { quiz: quiz('2026-04-03') })).intakeUnresolved).toEqual({
      source: 'A',
    });
  });

  test('a blank answer to a question leaves its flag, null takes it away', async () => {
    const answering = (answer: object) => ({
      quiz: { quizKey: 'blanks', answers: [{ questionKey: 'when', ...answer }] },
    });
    const lead = await create(answering({ value: '03/04/2026' }));
    const flag = { 'quiz.blanks.when': '03/04/2026' };
    for (const blank of [{}, { value: ' ' }, { optionKey: [], answerLabel: '' }]) {
      const left = await update(lead.id, answering(blank));
      expect(left).toMatchObject({ updatedFields: ['quizAnswers'], intakeUnresolved: flag });
    }
    const cleared = await update(lead.id, answering({ value: null }));
    expect(cleared.intakeUnresolved).toBeNull();
  });

  test.each([
    ['developerName', { developerId: EMAAR }],
    ['developerId', { developerName: 'emaar' }],
    ['referenceNo', { listingId: SECONDARY_LISTING }],
    ['listingId', { referenceNo: 'AG-P-1' }],
  ])('the flag of %s is answered by %j', async (name, twin) => {
    const [other] = Object.keys(twin) as [string];
    const lead = await create({ [name]: 'Nobody', source: 'A' });
    const flags = { [name]: 'Nobody', source: 'A' };
    expect((await update(lead.id, { [other]: null })).intakeUnresolved).toEqual(flags);
    const unmatched = await update(lead.id, { [other]: 'No one' });
    expect(unmatched.intakeUnresolved).toEqual({ ...flags, [other]: 'No one' });
    expect((await update(lead.id, twin)).intakeUnresolved).toEqual({ source: 'A' });
  });
});

describe('adPlatform on an update', () => {
  test('is stored once; a later block with another id is stored too and overwrites the columns', async () => {
    const block = (adId: string) => ({ adPlatformLeadId: crypto.randomUUID(), adId });
    const lead = await create();
    const adPlatform = block('1');
    const first = await update(lead.id, { adPlatform });
    expect(first.updatedFields).toEqual(['adPlatform']);
    expect((await update(lead.id, { adPlatform })).updated).toBe(false);
    await update(lead.id, { adPlatform: block('2') });
    expect(await api.lead(lead.id)).toMatchObject({ ad_id: '2' });
    const held = await create();
    expect((await update(held.id, { adPlatform })).updated).toBe(false);
  });

  test('the campaign of the lead’s own block wins over the field on a repeat too', async () => {
    const body = {
      advertisingCampaign: `Field ${crypto.randomUUID()}`,
      adPlatform: {
        adPlatformLeadId: crypto.randomUUID(),
        adPlatformCampaignId: crypto.randomUUID(),
      },
    };
    const lead = await create();
    expect((await update(lead.id, body)).updated).toBe(true);
    const before = await api.lead(lead.id);
    expect(await update(lead.id, body)).toMatchObject({ updated: false, rerouted: false });
    expect(await api.lead(lead.id)).toEqual(before);
    const clearing = { ...body, advertisingCampaign: null };
    expect((await update(lead.id, clearing)).updated).toBe(false);
    const named = await update(lead.id, { advertisingCampaign: body.advertisingCampaign });
    expect(named.updatedFields).toEqual(['advertisingCampaignId']);
  });

  test('a block without a campaign leaves the field its campaign on a repeat', async () => {
    const [platform, field] = [crypto.randomUUID(), { advertisingCampaign: crypto.randomUUID() }];
    const names = {
      adPlatformCampaignId: platform,
      adPlatformCampaignName: field.advertisingCampaign,
    };
    await create({ adPlatform: { adPlatformLeadId: crypto.randomUUID(), ...names } });
    const lead = await create();
    const body = { ...field, adPlatform: { adPlatformLeadId: crypto.randomUUID() } };
    expect((await update(lead.id, body)).updated).toBe(true);
    expect(await update(lead.id, body)).toMatchObject({ updated: false, rerouted: false });
  });
});

describe('Two updates at once', () => {
  test('lose neither', async () => {
    const lead = await create({ assignedBy: 'sara@agency.example' });
    const phones = Array.from({ length: 12 }, newPhone);
    await Promise.all(
      phones.map((phone, index) =>
        update(lead.id, {
          leadPhones: [phone],
          [index % 2 ? 'leadFirstName' : 'leadLastName']: `n${index}`,
          quiz: { quizKey: `k${index}`, answers: [{ questionKey: 'q', value: '???' }] },
        }),
      ),
    );
    const row = await api.lead(lead.id);
    expect(row.lead_phones.slice(1).sort()).toEqual(phones.sort());
    expect(Object.keys(row.intake_unresolved)).toHaveLength(12);
    expect(row).toMatchObject({
      lead_first_name: expect.stringMatching(/^n/),
      lead_last_name: expect.stringMatching(/^n/),
    });
  });
});
