import { newPhone, startIntake } from '../../support/api.ts';
import { DUPLICATES, EMAAR, SECONDARY_LISTING } from '../../support/reference.ts';

const api = await startIntake();
afterAll(() => api.stop());

const named = (name: string) => ({ id: expect.any(String), name });

/** Field, text sent, name of the record that it resolves to. */
const matches: readonly (readonly [string, string, string])[] = [
  ['leadType', ' PRIMARY buyer ', 'Primary Buyer'],
  ['leadType', 'primary', 'Primary Buyer'],
  ['leadType', 'Secondary', 'Secondary Buyer'],
  ['leadType', 'Primary and Secondary', 'Primary Buyer and Secondary Buyer'],
  ['leadType', 'buy to LET', 'Investor'],
  ['leadType', 'Mortgages', 'Mortgages'],
  ['marketSegment', 'super luxury', 'Super Luxury'],
  ['agentCategory', ' b ', 'B'],
  ['areaOfInterest', 'dubai marina', 'Dubai Marina'],
  ['areaOfInterest', ' دبي مارينا ', 'Dubai Marina'],
  ['areaOfInterest', 'دُبَى ماريـــنا', 'Dubai Marina'],
  ['areaOfInterest', 'ﺩﺑﻲ&nbsp;ﻣﺎﺭﻳﻨﺎ', 'Dubai Marina'],
  ['propertyTypeInterest', 'villa', 'Villa'],
  ['propertyTypeInterest', 'Villas', 'Villa'],
  ['propertyTypeInterest', 'PENTHOUSES', 'Penthouse'],
  ['propertyTypeInterest', 'factories', 'Factory'],
  ['currency', 'usd', 'US Dollar'],
  ['listingId', SECONDARY_LISTING.toUpperCase(), 'AG-S-1001'],
  ['referenceNo', ' ag-p-1 ', 'AG-P-1'],
  ['referenceNo', 'AG–S‑١٠٠١', 'AG-S-1001'],
  ['referenceNo', 'İST-ΣΑΣ', 'İST-ΣΑΣ'],
  ['referenceNo', 'cafe\u0301-1', 'CAFÉ-1'],
  ['source', ' website ', 'Website'],
  ['source', 'Social\u00a0 Ads', 'Social Ads'],
  ['marketingType', 'PAID', 'Paid'],
  ['eventType', 'submit form', 'Submit Form'],
  ['campaignName', 'marina spring', 'Marina Spring'],
  ['developerName', 'EMAAR PROPERTIES', 'Emaar Properties'],
  ['developerName', 'emaar', 'Emaar Properties'],
  ['developerId', EMAAR.toUpperCase(), 'Emaar Properties'],
  ['developerId', 'Nakheel', 'Nakheel'],
  ['website', 'EXAMPLE.AE', 'Example'],
  ['website', 'example', 'Example'],
  ['website', 'other.ae', 'example.ae'],
  ['localeCountry', 'ae', 'United Arab Emirates'],
  ['localeCountry', 'united arab emirates', 'United Arab Emirates'],
  ['localeCountry', 'GBR', 'United Kingdom'],
  ['localeCountry', 'المملكة العربية السعودية', 'Saudi Arabia'],
  ['assignedBy', ' SARA@agency.example ', 'Sara H'],
  ['funnel', 'Leasing', 'Leasing'],
];

/** Field and a text that leads to no record, or to more than one. */
const misses: readonly (readonly [string, unknown])[] = [
  ['leadType', 'Wanderer'],
  ['funnel', 'Main Street'],
  ['marketSegment', 'Cheap'],
  ['agentCategory', 'E'],
  ['areaOfInterest', 'Downtown'],
  ['areaOfInterest', 'Atlantis'],
  ['propertyTypeInterest', 'Castle'],
  ['currency', 'XYZ'],
  ['listingId', '99999999-9999-4999-8999-999999999999'],
  ['listingId', 'no uuid'],
  ['referenceNo', 'AG-TWICE'],
  ['referenceNo', 'AG-GONE'],
  ['referenceNo', 'AG-NONE'],
  ['source', 'Carrier Pigeon'],
  ['marketingType', 'Free'],
  ['eventType', 'Dance'],
  ['campaignName', 'Marina Winter'],
  ['developerName', 'Gone Builders'],
  ['developerId', '99999999-9999-4999-8999-999999999999'],
  ['developerId', 'Unknown Builders'],
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

  test.each(matches)(
    '1: the space around %s %j counts neither in its length',
    async (field, sent, name) => {
      const lead = await api.create({ [field]: ` \u00a0${String(sent)}\t ` });
      expect(lead[field]).toEqual(named(name));
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

  test('3: the original text comes back, not the trimmed one', async () => {
    const lead = await api.create({ source: '  Pigeon ' });
    expect(lead.intakeUnresolved).toEqual({ source: '  Pigeon ' });
  });

  test('3: several unmatched values come back together', async () => {
    const sent = { source: 'X', areaOfInterest: 'Y', developerName: 'Z', funnel: 'Q' };
    expect((await api.create(sent)).intakeUnresolved).toEqual(sent);
  });

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

  test('7: a language with its region is the language', async () => {
    const lead = await api.create({ languages: ['en-GB', 'ar_AE', 'English (UK)', 'zh-Hans-CN'] });
    expect(lead.languages.map(({ id }: { id: string }) => id)).toEqual(['en', 'ar', 'zh']);
  });

  test('9: a location name of more than one node is unresolved', async () => {
    const lead = await api.create({ areaOfInterest: 'downtown' });
    expect(lead).toMatchObject({
      areaOfInterest: null,
      intakeUnresolved: { areaOfInterest: 'downtown' },
    });
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
  const funnels = [
    ['Leasing', 'leasing'],
    ['Show Room', 'show_room'],
    ['PvH', 'pvh'],
    ['Mortgages', 'mortgages'],
    ['Property Management', 'property_management'],
    ['Landlord/Sellers Listings', 'landlord_sellers_listings'],
    ['Our Company the Agency', 'our_company_the_agency'],
    ['Events', 'events'],
    ['Recruitment', 'recruitment'],
    ['Precision Inspections', 'precision_inspections'],
    ['811 services', '811_services'],
    ['Prism', 'prism'],
  ] as const;

  test.each(funnels)('%s, %s', async (name, key) => {
    const spellings = [
      name,
      key,
      key.toUpperCase(),
      key.replaceAll('_', '-'),
      ` ${name.replaceAll(' ', '')} `,
    ];
    for (const funnel of spellings) {
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

  test('a website domain is preferred to a name of the same text', async () => {
    expect((await api.create({ website: 'example.ae' })).website.name).toBe('Example');
  });
});

describe('localeCountry', () => {
  test.each([
    ['https://example.com/ae', 'AE'],
    ['https://example.com/projects/GB/?utm=1#top', 'GB'],
    ['https://example.com/projects//sa//', 'SA'],
    ['/landing/ae', 'AE'],
    ['https://example.com/projects', null],
    ['https://example.com/zz', null],
    ['https://ae', null],
    ['https://example.ae', null],
    ['https://example.com/?country=ae', null],
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
  test('integrationRef is stored verbatim, never matched and never unresolved', async () => {
    const lead = await api.create({ integrationRef: ' Flow #7 ' });
    expect(lead).toMatchObject({ integrationRef: ' Flow #7 ', intakeUnresolved: null });
  });

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

  test('advertisingCampaign is created at first sight, and found again without regard to case', async () => {
    const first = await api.create({ advertisingCampaign: 'Autumn Towers' });
    const second = await api.create({ advertisingCampaign: ' autumn towers ' });
    expect(first.advertisingCampaign).toEqual(named('Autumn Towers'));
    expect(second.advertisingCampaign).toEqual(first.advertisingCampaign);
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
