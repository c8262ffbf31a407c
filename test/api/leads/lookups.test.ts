import { newPhone, startIntake } from '../../support/api.ts';
import { DUPLICATES, EMAAR, SECONDARY_LISTING } from '../../support/reference.ts';

const api = await startIntake();
afterAll(() => api.stop());

const named = (name: string) => ({ id: expect.any(String), name });

/** Field, text sent, name of the record that it resolves to. */
const matches: readonly (readonly [string, string, string])[] = [
  ['leadType', ' PRIMARY buyer ', 'Primary Buyer'],
  ['leadType', 'buy to LET', 'Investor'],
  ['areaOfInterest', 'dubai marina', 'Dubai Marina'],
  ['areaOfInterest', ' دبي مارينا ', 'Dubai Marina'],
  ['propertyTypeInterest', 'Villas', 'Villa'],
  ['listingId', SECONDARY_LISTING.toUpperCase(), 'AG-S-1001'],
  ['referenceNo', ' ag-p-1 ', 'AG-P-1'],
  ['referenceNo', 'AG–S‑١٠٠١', 'AG-S-1001'],
  ['referenceNo', 'İST-ΣΑΣ', 'İST-ΣΑΣ'],
  ['referenceNo', 'cafe\u0301-1', 'CAFÉ-1'],
  ['developerName', 'emaar', 'Emaar Properties'],
  ['developerId', EMAAR.toUpperCase(), 'Emaar Properties'],
  ['developerId', 'Nakheel', 'Nakheel'],
  ['website', 'EXAMPLE.AE', 'Example'],
  ['website', 'example', 'Example'],
  ['website', 'other.ae', 'example.ae'],
  ['localeCountry', 'المملكة العربية السعودية', 'Saudi Arabia'],
  ['assignedBy', ' SARA@agency.example ', 'Sara H'],
];

/** Field and a text that leads to no record, or to more than one. */
const misses: readonly (readonly [string, unknown])[] = [
  ['leadType', 'Wanderer'],
  ['funnel', 'Main Street'],
  ['areaOfInterest', 'Downtown'],
  ['listingId', '99999999-9999-4999-8999-999999999999'],
  ['listingId', 'no uuid'],
  ['referenceNo', 'AG-TWICE'],
  ['referenceNo', 'AG-GONE'],
  ['source', '  Pigeon '],
  ['developerName', 'Gone Builders'],
  ['developerId', '99999999-9999-4999-8999-999999999999'],
  ['website', 'nowhere.example'],
  ['localeCountry', 'Atlantis'],
  ['assignedBy', 'nobody@agency.example'],
  ['assignedBy', 'left@agency.example'],
];

describe('Lookup semantics', () => {
  test.each(matches)(
    '1 and 2: %s %j is trimmed, matched without case and linked',
    async (field, sent, name) => {
      const lead = await api.create({ [field]: sent });
      expect(lead[field]).toEqual(named(name));
      expect(lead).toMatchObject({ intakeUnresolved: null, needsIntakeReview: false });
    },
  );

  test.each(misses)(
    '3: %s %j is unmatched or ambiguous: 201, empty, and back in intakeUnresolved',
    async (field, sent) => {
      const lead = await api.create({ [field]: sent });
      expect(lead[field]).toBeNull();
      expect(lead.intakeUnresolved).toEqual({ [field]: sent });
      expect(lead.needsIntakeReview).toBe(true);
      expect(await api.lead(lead.id)).toMatchObject({ intake_unresolved: { [field]: sent } });
    },
  );

  test('4 and 5: without a source, sub-sources are ignored entirely', async () => {
    for (const source of [{}, { source: 'Pigeon' }]) {
      const lead = await api.create({ ...source, subSource: ['Chat'] });
      expect(lead).toMatchObject({ source: null, subSource: [] });
      expect(lead.intakeUnresolved?.subSource).toBeUndefined();
    }
  });

  test('5: a source that a quiz answer gives has its sub-sources, where the sent one matched nothing', async () => {
    const quiz = { quizKey: 'finder', answers: [{ questionKey: 'from', answerLabel: 'Website' }] };
    const lead = await api.create({ source: 'Pigeon', subSource: ['Chat', 'Lead Form'], quiz });
    expect(lead).toMatchObject({ source: { name: 'Website' }, subSource: [{ name: 'Chat' }] });
    expect(lead.intakeUnresolved).toEqual({ source: 'Pigeon', subSource: ['Lead Form'] });
  });

  test('5: sub-sources are kept only where linked to the resolved source', async () => {
    const lead = await api.create({
      source: 'Website',
      subSource: ['chat', 'Lead Form', ' landing page '],
    });
    expect(lead.subSource).toEqual([named('Chat'), named('Landing Page')]);
    expect(lead.intakeUnresolved).toEqual({ subSource: ['Lead Form'] });
    const other = await api.create({ source: 'Social Ads', subSource: ['Chat'] });
    expect(other.subSource[0].id).not.toBe(lead.subSource[0].id);
  });

  test('6: an unresolved funnel leaves the lead in the main sales pipeline', async () => {
    const lead = await api.create({ funnel: 'Unheard of' });
    expect(lead.stage.funnel.name).toBe('Main Sales');
    expect(lead.intakeUnresolved).toEqual({ funnel: 'Unheard of' });
    const plain = await api.create();
    expect(plain).toMatchObject({ funnel: null, stage: { funnel: named('Main Sales') } });
  });

  test('7: languages that are not recognised are ignored', async () => {
    const lead = await api.create({
      languages: ['ar', 'Klingonese', 'ENGLISH', 'Khaleeji', 'Русский', 'Farsi'],
    });
    expect(lead.languages.map((language: { id: string }) => language.id)).toEqual([
      'ar',
      'en',
      'ru',
      'fa',
    ]);
    expect(lead.intakeUnresolved).toBeNull();
  });

  test('10: a referenceNo of two listings is unresolved and hands nothing down', async () => {
    const lead = await api.create({ referenceNo: 'AG-Twice' });
    expect(lead).toMatchObject({
      referenceNo: null,
      listingId: null,
      leadType: null,
      developerName: null,
      bedrooms: null,
      budgetMin: null,
      intakeUnresolved: { referenceNo: 'AG-Twice' },
    });
    const byId = await api.create({ listingId: DUPLICATES[0] });
    expect(byId.listingId).toEqual({ id: DUPLICATES[0], name: 'AG-TWICE' });
  });
});

describe('funnel values match without case, spaces, hyphens and underscores', () => {
  test.each([
    'Leasing',
    'Show Room',
    'PvH',
    'Mortgages',
    'Property Management',
    'Landlord/Sellers Listings',
    'Our Company the Agency',
    'Events',
    'Recruitment',
    'Precision Inspections',
    '811 services',
    'Prism',
  ])('%s', async (name) => {
    for (const funnel of [name, name.toLowerCase().replaceAll(/[ /]/g, '_')]) {
      const lead = await api.create({ funnel });
      expect(lead).toMatchObject({ funnel: named(name), intakeUnresolved: null });
      expect(lead.stage).toEqual({ id: expect.any(String), name: 'New', funnel: named(name) });
    }
  });

  test('funnel is never derived from leadType', async () => {
    expect((await api.create({ leadType: 'Mortgages' })).funnel).toBeNull();
  });
});

describe('Which of two fields counts', () => {
  test('developerId wins over developerName', async () => {
    const lead = await api.create({ developerId: EMAAR, developerName: 'Nakheel' });
    expect(lead.developerName.name).toBe('Emaar Properties');
    const missed = await api.create({ developerId: 'Unknown', developerName: 'Nakheel' });
    expect(missed).toMatchObject({
      developerId: null,
      intakeUnresolved: { developerId: 'Unknown' },
    });
  });

  test('listingId wins over referenceNo', async () => {
    const lead = await api.create({ listingId: SECONDARY_LISTING, referenceNo: 'AG-P-1' });
    expect(lead.referenceNo.name).toBe('AG-S-1001');
    expect(lead.intakeUnresolved).toBeNull();
  });
});

describe('localeCountry', () => {
  test.each([
    ['https://example.com/ae', 'AE'],
    ['https://example.com/projects/GB/?utm=1#top', 'GB'],
    ['/landing/ae', 'AE'],
    ['https://example.com/projects', null],
    ['https://example.ae', null],
    ['ae', null],
  ])('is inferred from a trailing two-letter segment of %s: %j', async (pageUrl, code) => {
    const lead = await api.create({ pageUrl });
    expect(lead.localeCountry?.id ?? null).toBe(code);
    expect(lead.intakeUnresolved).toBeNull();
  });

  test('is not inferred when it was sent', async () => {
    const pageUrl = 'https://example.com/ae';
    const sent = await api.create({ pageUrl, localeCountry: 'GB' });
    expect(sent.localeCountry.id).toBe('GB');
    const missed = await api.create({ pageUrl, localeCountry: 'Atlantis' });
    expect(missed.localeCountry).toBeNull();
  });
});

describe('What is not a lookup', () => {
  test('unknown fields are accepted and never fill a field', async () => {
    const lead = await api.create({
      lead_first_name: 'X',
      sourceId: 'Y',
      bedrooms: '9',
      status: 'assigned',
    });
    expect(lead).toMatchObject({
      leadFirstName: null,
      bedrooms: null,
      status: 'pending',
      intakeUnresolved: null,
    });
  });

  test('a new record of a list is known to the very next request', async () => {
    const before = await api.create({ eventType: 'Gamification', leadPhones: [newPhone()] });
    expect(before.intakeUnresolved).toEqual({ eventType: 'Gamification' });
    await api.database.query(
      `with added as (insert into list_entries (id, list, key, name)
         values (gen_random_uuid(), 'eventType', 'gamification', 'Gamification'))
       update reference_state set version = version + 1`,
    );
    expect((await api.create({ eventType: 'gamification' })).intakeUnresolved).toBeNull();
  });
});
