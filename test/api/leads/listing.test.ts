import { startIntake } from '../../support/api.ts';
import { SECONDARY_LISTING, seedReference } from '../../support/reference.ts';

const api = await startIntake();
const { create } = api;
afterAll(() => api.stop());

const named = (name: string) => ({ id: expect.any(String), name });
const finder = (questionKey: string, answer: object) => ({
  quizKey: 'finder',
  answers: [{ questionKey, ...answer }],
});

describe('Listing inheritance', () => {
  test.each([
    ['AG-P-1', 'Primary Buyer'],
    ['AG-S-1001', 'Secondary Buyer'],
    ['AG-R-1', 'Tenant'],
  ])('leadType of %s is %s', async (referenceNo, leadType) => {
    expect((await create({ referenceNo })).leadType).toEqual(named(leadType));
  });

  test('developer, location, property type, bedrooms and currency are copied', async () => {
    const lead = await create({ referenceNo: 'AG-P-1', areaOfInterest: 'Palm Jumeirah' });
    expect(lead).toMatchObject({
      developerName: named('Emaar Properties'),
      location: named('Dubai Marina'),
      areaOfInterest: named('Palm Jumeirah'),
      propertyTypeInterest: named('Apartment'),
      bedrooms: '2',
      currency: { id: 'AED' },
      budgetMin: '2100000',
      budgetMax: null,
    });
  });

  test.each([
    ['AG-POA', {}, null],
    ['AG-P-1', { budgetMax: '2000000' }, null],
    ['AG-P-1', { budgetMax: 2100000 }, '2100000'],
    ['AG-P-1', { budgetMax: '3000000' }, '2100000'],
    ['AG-P-1', { budgetMin: '5' }, '5'],
    ['AG-P-1', { quiz: finder('budget', { value: 'up to 1 million AED' }) }, null],
  ])('budgetMin of %s with %j is %j', async (referenceNo, sent, budgetMin) => {
    expect((await create({ referenceNo, ...sent })).budgetMin).toBe(budgetMin);
  });

  test('anything sent wins', async () => {
    const lead = await create({
      referenceNo: 'AG-P-1',
      leadType: 'Seller',
      developerName: 'Nakheel',
      propertyTypeInterest: 'Villa',
      currency: 'USD',
    });
    expect(lead).toMatchObject({
      leadType: named('Seller'),
      developerName: named('Nakheel'),
      propertyTypeInterest: named('Villa'),
      currency: { id: 'USD' },
    });
  });

  test('a quiz answer mapped to the field beats the listing, and a sent value beats both', async () => {
    const quiz = finder('type', { optionKey: 'villa', answerLabel: 'Villas' });
    const fromQuiz = await create({ referenceNo: 'AG-P-1', quiz });
    expect(fromQuiz.propertyTypeInterest).toEqual(named('Villa'));
    const sent = await create({ referenceNo: 'AG-P-1', quiz, propertyTypeInterest: 'Factory' });
    expect(sent.propertyTypeInterest).toEqual(named('Factory'));
  });

  test('a value sent that fails to match is still reported, and the listing fills the field', async () => {
    const lead = await create({ referenceNo: 'AG-P-1', developerName: 'Nobody', leadType: 'Elf' });
    expect(lead).toMatchObject({
      developerName: named('Emaar Properties'),
      leadType: named('Primary Buyer'),
      intakeUnresolved: { developerName: 'Nobody', leadType: 'Elf' },
    });
  });

  test('disabled records are copied and named too, though nothing sent matches them', async () => {
    const disabled = await create({ referenceNo: 'AG-DISABLED' });
    expect(disabled).toMatchObject({
      developerName: named('Gone Builders'),
      location: named('Old Town'),
      propertyTypeInterest: named('Kiosk'),
    });
    const sent = {
      developerId: disabled.developerId.id,
      areaOfInterest: 'Old Town',
      propertyTypeInterest: 'kiosks',
    };
    expect(await create(sent)).toMatchObject({
      developerId: null,
      areaOfInterest: null,
      propertyTypeInterest: null,
      intakeUnresolved: sent,
    });
  });

  test('a number that was sent beats the id that a quiz answer has', async () => {
    const field = { quizKey: 'by-id', questionKey: 'listing', field: 'listingId' };
    await seedReference(api.database, { quizFields: [field] });
    const answers = [{ questionKey: 'listing', optionKey: SECONDARY_LISTING.toUpperCase() }];
    const quiz = { quizKey: 'by-id', answers };
    expect((await create({ quiz })).listingId.id).toBe(SECONDARY_LISTING);
    const lead = await create({ quiz, referenceNo: 'AG-R-1' });
    expect(lead.listingId).toEqual(named('AG-R-1'));
  });
});

describe('Who owns the lead by what the request says', () => {
  test("the listing's own agent becomes the owner and wins over assignedBy", async () => {
    const lead = await create({ referenceNo: 'AG-S-1001', assignedBy: 'omar@agency.example' });
    expect(lead).toMatchObject({
      assignedTo: {
        id: expect.any(String),
        slug: 'sara-h',
        name: 'Sara H',
        email: 'sara@agency.example',
        phone: '+971500000001',
        whatsappPhone: null,
        active: true,
      },
      assignedBy: named('Omar K'),
      status: 'assigned',
      intakeUnresolved: null,
    });
    const read = await api.call('GET', `/public/leads/${lead.id}/assignment`);
    expect(read.body).toEqual({
      leadId: lead.id,
      status: 'assigned',
      agent: lead.assignedTo,
      createdAt: lead.createdAt,
      retryAfterSeconds: null,
    });
  });

  test.each([
    ['no agent on the listing', { referenceNo: 'AG-P-1' }],
    ['an agent of the listing who left', { referenceNo: 'AG-OLD' }],
    ['no listing', {}],
  ])('with %s assignedBy owns it', async (_case, body) => {
    const lead = await create({ ...body, assignedBy: 'omar@agency.example' });
    expect(lead.assignedTo.name).toBe('Omar K');
  });
});

describe('distributionType', () => {
  const owner = { assignedBy: 'omar@agency.example' };

  test.each([
    [' AREA distribution secondary ', 'Area distribution Secondary'],
    ['roadshow', 'Roadshow distribution'],
    [' area ', ' area '],
  ])('1 and 2: %j is %j', async (sent, distributionType) => {
    const lead = await create({ ...owner, distributionType: sent });
    expect(lead).toMatchObject({ distributionType, intakeUnresolved: null });
  });

  test('4: Personal marks the lead as owned and runs no follow-up clock', async () => {
    const personal = await create({ ...owner, distributionType: 'personal' });
    expect(await api.lead(personal.id)).toMatchObject({
      is_personal: true,
      follow_up_due_at: null,
      assignment_status: 'assigned',
    });
    const plain = await create(owner);
    expect(await api.lead(plain.id)).toMatchObject({
      is_personal: false,
      follow_up_due_at: expect.any(Date),
    });
  });

  test('5: Personal without a resolved assignedBy is dropped and both come back', async () => {
    const sent = { distributionType: 'Personal', assignedBy: 'left@agency.example' };
    const lead = await create(sent);
    expect(lead).toMatchObject({ distributionType: null, status: 'pending', assignedTo: null });
    expect(lead.intakeUnresolved).toEqual(sent);
    expect(await api.lead(lead.id)).toMatchObject({ is_personal: false });
    const alone = await create({ distributionType: 'Personal' });
    expect(alone.intakeUnresolved).toEqual({ distributionType: 'Personal' });
  });

  test('6: customFields.Distribution is the fallback', async () => {
    const block = () => ({
      adPlatformLeadId: crypto.randomUUID(),
      customFields: { 'Distribution Type': ' campaign ' },
    });
    const lead = await create({ adPlatform: block() });
    expect(lead.distributionType).toBe('Campaign distribution');
    const won = await create({ adPlatform: block(), distributionType: 'language' });
    expect(won.distributionType).toBe('Language distribution');
  });
});
