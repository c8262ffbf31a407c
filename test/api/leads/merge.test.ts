import { newEmail, newPhone, startIntake } from '../../support/api.ts';

const api = await startIntake();
const { create, database } = api;
afterAll(() => api.stop());

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-09-20T08:00:00Z');

async function at<T>(hours: number, work: () => Promise<T>): Promise<T> {
  api.setNow(new Date(START + hours * HOUR_MS));
  return work().finally(() => api.setNow(null));
}

async function merges(first: object, second: object, hoursLater = 1) {
  const lead = await at(0, () => create({ ...first }));
  const later = await at(hoursLater, () => create({ ...second }));
  return { lead, later };
}

describe('Merge rules', () => {
  test.each([
    ['phone', { leadPhones: ['0501110002'] }, { leadPhones: ['+971 50 111 0002'] }],
    ['email', { leadEmails: ['Mona@Mail.example'] }, { leadEmails: [' mona@mail.EXAMPLE '] }],
  ])('1: a %s matches however it is written', async (matchedOn, first, second) => {
    const { lead, later } = await merges(first, second);
    expect(later).toEqual({ id: lead.id, merged: true, matchedOn, assignedTo: null });
  });

  test.each([
    [23.9, true],
    [24, false],
  ])('1: after %d hours it merges: %s', async (hours, merged) => {
    const person = { leadPhones: [newPhone()] };
    const { lead, later } = await merges(person, person, hours);
    expect(later.merged).toBe(merged);
    if (!merged)
      expect(later).toMatchObject({
        contactId: lead.contactId,
        isRepeatLead: true,
        repeatOfLeadId: lead.id,
      });
  });

  test('the window is not extended by a merged enquiry', async () => {
    const leadPhones = [newPhone()];
    const first = await at(0, () => create({ leadPhones }));
    expect((await at(20, () => create({ leadPhones }))).merged).toBe(true);
    const third = await at(25, () => create({ leadPhones }));
    expect(third).toMatchObject({ merged: false, repeatOfLeadId: first.id });
  });

  test('phones and e-mails that were appended to a lead are its own', async () => {
    const [first, second, third] = [newPhone(), newPhone(), newEmail()];
    const lead = await create({ leadPhones: [first] });
    await create({ leadPhones: [first, second] });
    await api.update(lead.id, { leadEmails: [third] });
    expect(await create({ leadPhones: [second] })).toMatchObject({ id: lead.id, merged: true });
    expect(await create({ leadEmails: [third] })).toMatchObject({ id: lead.id, merged: true });
  });

  test('2: portal enquiries neither merge nor are merged into, and are no repeats', async () => {
    const leadPhones = [newPhone()];
    const portal = { leadPhones, source: 'property portal a' };
    const plain = await create({ leadPhones });
    const first = await create(portal);
    const second = await create(portal);
    expect([first.merged, second.merged]).toEqual([false, false]);
    expect(second).toMatchObject({ contactId: plain.contactId, isRepeatLead: false });
    expect(await create({ leadPhones })).toMatchObject({ id: plain.id, merged: true });
    const other = { leadPhones: [newPhone()] };
    const onlyPortal = await create({ ...portal, ...other });
    expect((await create(other)).id).not.toBe(onlyPortal.id);
  });

  test('3: isRepeatLead names the newest lead older than the window', async () => {
    const leadPhones = [newPhone()];
    await at(0, () => create({ leadPhones }));
    const second = await at(30, () => create({ leadPhones }));
    const third = await at(60, () => create({ leadPhones, leadEmails: [newEmail()] }));
    expect(third).toMatchObject({ isRepeatLead: true, repeatOfLeadId: second.id });
    expect(third.contactId).toBe(second.contactId);
  });

  test('a lead of any client merges, and is then there for the client that merged into it', async () => {
    const leadPhones = [newPhone()];
    const other = await api.addClient({ name: 'Other' });
    const lead = await create({ leadPhones });
    const path = `/public/leads/${lead.id}/assignment`;
    expect((await api.call('GET', path, { client: other })).status).toBe(404);
    expect(await create({ leadPhones }, { client: other })).toMatchObject({ id: lead.id });
    expect((await api.call('GET', path, { client: other })).status).toBe(200);
  });
});

describe('What a merged enquiry does', () => {
  test('fills what is empty, overwrites nothing and attaches the rest', async () => {
    const [phone, mail, added] = [newPhone(), newEmail(), newPhone()];
    const lead = await create({ leadPhones: [phone], leadFirstName: 'Mona', source: 'Website' });
    const answer = await create({
      leadPhones: [phone, added],
      leadEmails: [mail],
      leadFirstName: 'Nora',
      leadLastName: 'Ali',
      source: 'Social Ads',
      subSource: ['Lead Form'],
      budgetMin: 5,
      funnel: 'Leasing',
      distributionType: 'campaign',
      assignedBy: 'omar@agency.example',
      areaOfInterest: 'Atlantis',
      developerName: 'Emaar',
      marketSegment: 'Cheap',
      quiz: { quizKey: 'm', answers: [{ questionKey: 'q', value: '???' }] },
      adPlatform: { adPlatformLeadId: crypto.randomUUID(), formName: 'F', adId: '7' },
      comments: [{ text: 'Hi' }, {}],
    });
    expect(answer).toEqual({
      id: lead.id,
      merged: true,
      matchedOn: 'phone',
      assignedTo: null,
      comments: { added: 1, skipped: 1 },
    });
    expect(await api.lead(lead.id)).toMatchObject({
      lead_phones: [phone, added],
      lead_emails: [mail],
      lead_first_name: 'Mona',
      lead_last_name: 'Ali',
      source_id: lead.source.id,
      sub_source_ids: [],
      budget_min: '5',
      distribution_type: null,
      funnel_id: expect.any(String),
      stage_id: lead.stage.id,
      form_name: 'F',
      ad_id: '7',
      owner_id: null,
      assignment_status: 'pending',
      round: 1,
      intake_unresolved: { areaOfInterest: 'Atlantis', marketSegment: 'Cheap', 'quiz.m.q': '???' },
    });
  });

  test('sub-sources fill a lead of their own source, or one that takes the source with them', async () => {
    const [ofAds, ofNone] = [[newPhone()], [newPhone()]];
    const enquiry = { source: 'Social Ads', subSource: ['Lead Form'] };
    const leads = [
      await create({ leadPhones: ofAds, source: 'Social Ads' }),
      await create({ leadPhones: ofNone }),
    ];
    for (const leadPhones of [ofAds, ofNone]) await create({ leadPhones, ...enquiry });
    for (const { id } of leads) {
      const { sub_source_ids, intake_unresolved } = await api.lead(id);
      expect(sub_source_ids).toHaveLength(1);
      expect(intake_unresolved).toBeNull();
    }
  });

  test('a flag keeps the value that it was made for', async () => {
    const leadPhones = [newPhone()];
    const lead = await create({ leadPhones, source: 'Pigeon' });
    await create({ leadPhones, source: 'Bottle', leadType: 'Visitor' });
    expect((await api.lead(lead.id)).intake_unresolved).toEqual({
      source: 'Pigeon',
      leadType: 'Visitor',
    });
  });

  test('a value that matched nothing is no flag where the listing says it', async () => {
    const leadPhones = [newPhone()];
    const lead = await create({ leadPhones });
    await create({ leadPhones, referenceNo: 'AG-R-1', leadType: 'Visitor' });
    const { lead_type_id, intake_unresolved } = await api.lead(lead.id);
    expect(lead_type_id).not.toBeNull();
    expect(intake_unresolved).toBeNull();
  });

  test('names the agent who holds the lead and adds one event, of which nobody hears', async () => {
    const leadPhones = [newPhone()];
    const lead = await create({ leadPhones, assignedBy: 'sara@agency.example' });
    const before = api.signalled.length;
    const merged = await create({ leadPhones });
    expect(merged.assignedTo).toEqual(lead.assignedTo);
    expect(api.signalled).toHaveLength(before);
    const events = await database.query(
      `select type from webhook_events where lead_id = $1 order by sequence`,
      [lead.id],
    );
    expect(events.map(({ type }) => type)).toEqual([
      'lead.created',
      'lead.assigned',
      'lead.enquired',
    ]);
    const outbox = `select event from lead_outbox where lead_id = $1`;
    expect(await database.query(outbox, [lead.id])).toEqual([{ event: 'created' }]);
  });

  const URGENT = 'URGENT: please call me today before 5';

  async function commentsOf(leadId: string) {
    const text = `select text, direction, external_id is not null as "isNumbered" from comments where lead_id = $1`;
    return database.query(`${text} order by occurred_at, position`, [leadId]);
  }

  async function mergedNotes(leadId: string): Promise<string[]> {
    const text = `select text from timeline_notes where lead_id = $1 and kind = 'merged' order by at`;
    return (await database.query<{ text: string }>(text, [leadId])).map((note) => note.text);
  }

  test('names what was sent, fields and records but no value of a person, and keeps the message', async () => {
    const leadPhones = [newPhone()];
    const first = { source: 'Website', leadFirstName: 'Mona', initialInquiry: 'A villa' };
    const { id } = await create({ leadPhones, ...first });
    const second = {
      leadPhones,
      source: 'social ads',
      referenceNo: 'AG-P-1',
      leadFirstName: 'Nora',
      areaOfInterest: 'Atlantis',
      initialInquiry: URGENT,
      assignedBy: 'sara@agency.example',
      quiz: { quizKey: 'm', answers: [{ questionKey: 'q', value: '???' }] },
      comments: [{ text: 'Before' }],
    };
    expect((await create(second)).comments).toEqual({ added: 1, skipped: 0 });
    const [note = ''] = await mergedNotes(id);
    for (const part of [
      ...['areaOfInterest', 'assignedBy', 'initialInquiry', 'leadFirstName', 'leadPhones'],
      ...['quiz', 'comments', 'source (Social Ads)', 'referenceNo (AG-P-1)'],
    ])
      expect(note).toContain(part);
    expect(note).not.toMatch(/Nora|URGENT|Atlantis|sara|\+9715/i);
    expect(await api.lead(id)).toMatchObject({ initial_inquiry: 'A villa' });
    expect(await commentsOf(id)).toEqual([
      { text: URGENT, direction: 'inbound', isNumbered: true },
      { text: 'Before', direction: null, isNumbered: false },
    ]);
  });

  test('a repeat of the same enquiry has its note and its event, and doubles no message', async () => {
    const leadPhones = [newPhone()];
    const first = { leadPhones, initialInquiry: 'A villa', utmSource: 'google' };
    const { id } = await create(first);
    const bodies = [first, { leadPhones, initialInquiry: URGENT }];
    for (const body of [...bodies, ...bodies]) await create(body);
    expect(await commentsOf(id)).toMatchObject([{ text: URGENT }]);
    const notes = await mergedNotes(id);
    expect(notes).toHaveLength(4);
    expect(notes[2]).toContain('utmSource');
    expect(notes[3]).toMatch(/It changed no field\.$/);
    const [{ events } = { events: 0 }] = await database.query<{ events: number }>(
      `select count(*)::int as events from webhook_events where lead_id = $1 and type = 'lead.enquired'`,
      [id],
    );
    expect(events).toBe(4);
  });

  test('of two at once one makes the lead, the other one its comment and its event', async () => {
    const leadPhones = [newPhone()];
    const send = (initialInquiry: string) => create({ leadPhones, initialInquiry });
    const answers = await Promise.all(['One', 'Two'].map(send));
    const [id] = new Set(answers.map((answer) => answer.id));
    const { initial_inquiry: kept, event_sequence: sequence } = await api.lead(id);
    expect([kept, ...(await commentsOf(id)).map(({ text }) => text)].sort()).toEqual([
      'One',
      'Two',
    ]);
    expect(sequence).toBe(2);
  });
});

describe('Contact resolution', () => {
  test('the first phone that anyone has wins, then the first e-mail, else a contact is made', async () => {
    const [one, two] = [newPhone(), newPhone()];
    const mail = newEmail();
    const [a, b, c] = await at(0, async () => [
      await create({ leadPhones: [one] }),
      await create({ leadPhones: [two] }),
      await create({ leadEmails: [mail] }),
    ]);
    const contactOf = async (hours: number, body: object) =>
      (await at(hours, () => create({ ...body }))).contactId;
    const byPhone = { leadEmails: [mail], leadPhones: [newPhone(), two, one] };
    expect(await contactOf(100, byPhone)).toBe(b.contactId);
    const byMail = { leadEmails: [mail], leadPhones: [newPhone()] };
    expect(await contactOf(200, byMail)).toBe(c.contactId);
    expect([a.contactId, b.contactId, c.contactId]).not.toContain(
      await contactOf(300, { leadPhones: [newPhone()] }),
    );
  });

  test('the contact is made from the name, company, phone and e-mail fields', async () => {
    const lead = await create({
      leadPhones: [newPhone()],
      leadEmails: [newEmail()],
      leadFirstName: 'Mona',
      leadSecondName: 'B',
      leadLastName: 'Ali',
      leadCompanyName: 'Ltd',
    });
    const [contact] = await database.query(`select * from contacts where id = $1`, [
      lead.contactId,
    ]);
    expect(contact).toMatchObject({
      first_name: 'Mona',
      middle_name: 'B',
      last_name: 'Ali',
      company_name: 'Ltd',
    });
  });
});

describe('isAgentEnquiry is checked in its order', () => {
  async function reasonOf(body: object): Promise<string | null> {
    const lead = await create({ ...body });
    expect(lead.isAgentEnquiry).toBe(lead.agentEnquiryReason !== null);
    return lead.agentEnquiryReason;
  }

  test.each([
    [{ leadPhones: ['050 999 0001'] }, 'known_agent'],
    [{ leadEmails: ['someone@mail.Rival.example'] }, 'competitor_domain'],
    [{ leadEmails: ['someone@notrival.example'] }, null],
  ])('%j: %s', async (body, reason) => {
    expect(await reasonOf(body)).toBe(reason);
  });

  test('a mark by hand comes first', async () => {
    const leadPhones = [newPhone()];
    const first = await at(0, () => create({ leadPhones }));
    await database.query(`update contacts set marked_as_agent = true where id = $1`, [
      first.contactId,
    ]);
    const broker = { leadPhones, leadEmails: ['broker@outside.example'] };
    expect(await at(48, () => reasonOf(broker))).toBe('manual');
  });

  test.each([
    ['the update of a lead', 'someone3@rival.example', 'competitor_domain'],
    ['an enquiry that is merged', 'broker@outside.example', 'known_agent'],
  ])('%s that names %s marks it, and the next lead', async (cause, address, reason) => {
    const leadPhones = [newPhone()];
    const { id } = await at(0, () => create({ leadPhones }));
    const sent = { leadPhones, leadEmails: [address] };
    await at(1, () => (cause.includes('update') ? api.update(id, sent) : create(sent)));
    expect(await api.lead(id)).toMatchObject({
      is_agent_enquiry: true,
      agent_enquiry_reason: reason,
    });
    expect(await at(48, () => reasonOf({ leadPhones }))).toBe('prior_lead');
  });

  test('last, what the contact is known by although the enquiry does not name it', async () => {
    const [leadPhones, leadEmails] = [[newPhone()], [newEmail()]];
    const { id } = await at(0, () => create({ leadPhones, leadEmails }));
    await database.query(`insert into known_agents (kind, value) values ('email', $1)`, leadEmails);
    expect(await at(48, () => reasonOf({ leadPhones }))).toBe('known_agent');
    await api.update(id, { comments: [{ text: 'Called back' }] });
    expect(await api.lead(id)).toMatchObject({ agent_enquiry_reason: 'known_agent' });
  });

  test.each([
    ['nothing new', {}, []],
    ['a comment only', { comments: [{ text: 'Called back' }] }, ['comments']],
  ])(
    'a mark by an update with %s sends no lead back through assignment',
    async (_, body, updatedFields) => {
      const leadEmails = [newEmail()];
      const { id } = await create({ leadEmails });
      await database.query(
        `insert into known_agents (kind, value) values ('email', $1)`,
        leadEmails,
      );
      const updated = await api.update(id, { leadEmails, ...body });
      expect(updated).toMatchObject({ updatedFields, rerouted: false });
      expect(await api.lead(id)).toMatchObject({ is_agent_enquiry: true, round: 1 });
    },
  );
});
