import { indexKey, readAdPlatform } from '../../../domain/leads/ad-platform.ts';
import { agentEnquiryReason } from '../../../domain/leads/agent-enquiry.ts';
import { markRepeatLead, mergeTarget, mergeWindowEnd } from '../../../domain/leads/merge.ts';
import { readAmount } from '../../../domain/leads/amount.ts';
import { fields } from '../../../domain/leads/fields.ts';
import { charactersIn } from '../../../domain/written-text.ts';
import { isSameAmount } from '../../../domain/leads/lead-change.ts';
import { distributionTypeOf } from '../../../domain/leads/distribution-type.ts';
import { decidePersonalDistribution } from '../../../domain/leads/owner.ts';
import { readContactPoints } from '../../../domain/leads/contact-points.ts';
import { retryAfterSeconds } from '../../../domain/assignment/retry-after.ts';
import { Lead } from '../../../store/tables/leads.ts';
import { columnsOf } from '../../../store/db/rows.ts';

test('every field of a lead has its column', () => {
  const columns = fields.flatMap(({ column }) => column ?? []);
  expect(columnsOf(Lead)).toEqual(expect.arrayContaining(columns));
});

describe('Merge window', () => {
  const [phone, mail] = [
    { kind: 'phone', value: '+971501234567' },
    { kind: 'email', value: 'a@x.example' },
  ] as const;
  const held = (contactPoint: typeof phone | typeof mail, leadId: string) => ({
    contactPoint,
    holder: { leadId },
  });

  test('a phone wins over an e-mail, whichever lead is newer', () => {
    const open = [held(mail, 'newer'), held(phone, 'older')];
    expect(mergeTarget([phone, mail], open, false)).toEqual({
      leadId: 'older',
      matchedOn: 'phone',
    });
  });

  test('of two open leads with one phone the newest survives', () => {
    const open = [held(phone, 'newer'), held(phone, 'older')];
    expect(mergeTarget([phone], open, false)?.leadId).toBe('newer');
  });

  test('portal enquiries never merge', () => {
    expect(mergeTarget([phone], [held(phone, 'lead')], true)).toBeNull();
  });

  test('an unknown person gets a new lead', () => {
    expect(mergeTarget([mail], [held(phone, 'lead')], false)).toBeNull();
  });

  test('ends so long after the creation of the lead', () => {
    expect(mergeWindowEnd(new Date(1000), 500)).toEqual(new Date(1500));
  });
});

describe('isAgentEnquiry', () => {
  const unknown = { isKnownAgent: false, contactPoints: [] };
  const contact = { known: unknown, markedAsAgent: false, hasAgentLead: true };
  const known = { isKnownAgent: true, contactPoints: readContactPoints('x@rival.example') };
  const facts = {
    ...known,
    contact: { ...contact, markedAsAgent: true },
    competitorDomains: new Set(['rival.example']),
  };
  test.each([
    ['manual', facts],
    ['known_agent', { ...facts, contact }],
    ['competitor_domain', { ...facts, contact, isKnownAgent: false }],
    ['prior_lead', { ...facts, ...unknown, contact: { ...contact, known } }],
    ['known_agent', { ...facts, ...unknown, contact: { ...contact, hasAgentLead: false, known } }],
    [
      null,
      {
        ...facts,
        contact: null,
        isKnownAgent: false,
        contactPoints: readContactPoints('rival.example@x.example'),
      },
    ],
  ])('%s', (reason, given) => {
    expect(agentEnquiryReason(given)).toBe(reason);
  });
});

describe('distributionType', () => {
  test.each([
    ['campaign', undefined, 'Campaign distribution'],
    [null, { Distribution: 'roadshow' }, 'Roadshow distribution'],
    [null, { 'distribution type': ' AREA distribution secondary' }, 'Area distribution Secondary'],
    ['language', { Distribution: 'roadshow' }, 'Language distribution'],
    [' Mine ', undefined, ' Mine '],
    [null, { Distribution: '' }, undefined],
    [null, ['Distribution'], undefined],
    [null, 'Distribution', undefined],
  ])('%j with customFields %j is %j', (sent, customFields, type) => {
    expect(distributionTypeOf(sent, customFields)?.type).toBe(type);
  });
});

describe('Personal distribution', () => {
  const personal = { sent: ' personal', type: 'Personal distribution' };
  const agent = { id: 'a', name: 'Sara', slug: 'sara', email: 'sara@agency.example' };
  const sara = { ...agent, phone: null, whatsappPhone: null, active: true };

  test('takes effect with an assignedBy that resolved', () => {
    expect(decidePersonalDistribution(personal, sara)).toEqual({
      distributionType: 'Personal distribution',
      isPersonal: true,
      unresolved: {},
    });
  });

  test('is dropped without one, and is reported as it was sent', () => {
    expect(decidePersonalDistribution(personal, null)).toEqual({
      distributionType: null,
      isPersonal: false,
      unresolved: { distributionType: ' personal' },
    });
  });

  test('no other distribution type needs an agent', () => {
    const other = { sent: 'campaign', type: 'Campaign distribution' };
    expect(decidePersonalDistribution(other, null)).toEqual({
      distributionType: 'Campaign distribution',
      isPersonal: false,
      unresolved: {},
    });
  });
});

describe('isRepeatLead', () => {
  test('marks a lead whose person has one older than the merge window', () => {
    expect(markRepeatLead({ olderLeadId: 'lead-1' })).toEqual({
      is_repeat_lead: true,
      repeat_of_lead_id: 'lead-1',
    });
  });

  test.each([null, { olderLeadId: null }])('marks no lead of %j', (contact) => {
    expect(markRepeatLead(contact).is_repeat_lead).toBe(false);
  });
});

describe('Amounts', () => {
  test.each([
    ['1,500,000.50', '1500000.50'],
    [1e-9, '0.000000001'],
    [-0, '0'],
    ['000', '0'],
    ['0.5', '0.5'],
    ['1,500,000.50 AED', '1500000.5'],
    ['1–2 million', '2000000'],
    ['up to ٢ مليون درهم', '2000000'],
    ['over 1m', undefined],
    ['3 bedrooms', undefined],
    ['-5', undefined],
    ['2026-03-15', undefined],
    ['yes', undefined],
    [' ', undefined],
  ])('%j is %j', (sent, text) => {
    expect(readAmount(sent, 'budgetMax')?.value).toBe(text);
  });

  test.each([
    ['2100000', '2100000.00', true],
    ['0.50', '0.5', true],
    ['123456789012345678', '123456789012345679', false],
    ['100', '1', false],
  ])('%s and %s are one amount: %s', (a, b, same) => {
    expect(isSameAmount(a, b)).toBe(same);
  });
});

test('characters are counted as a person counts them', () => {
  expect([
    charactersIn('abc'),
    charactersIn('عائشة'),
    charactersIn('🏠🏠'),
    charactersIn('\ud83d'),
  ]).toEqual([3, 5, 2, 1]);
});

test('a text of any length fits in a unique index, and different texts keep different keys', () => {
  const long = 'x'.repeat(5000);
  expect(indexKey('short')).toBe('short');
  expect(indexKey(long).length).toBeLessThan(255);
  expect(indexKey(long)).not.toBe(indexKey(`${long}y`));
});

test('the block is discarded without its lead id, and its identity is trimmed', () => {
  expect(readAdPlatform({ formId: 'x' })).toBeNull();
  for (const sent of [' 7 ', 'l:7', 'L: 7'])
    expect(readAdPlatform({ adPlatformLeadId: sent })?.identity).toBe('7');
  for (const sent of ['l:', 'l:x7', 'lead:7'])
    expect(readAdPlatform({ adPlatformLeadId: sent })?.identity).toBe(sent);
});

test('retryAfterSeconds starts at 2 and grows to 60; it is 60 while the lead waits for an agent', () => {
  const at = (seconds: number, isWaiting = false) =>
    retryAfterSeconds(
      { status: 'pending', createdAt: new Date(0), isWaiting },
      new Date(seconds * 1000),
    );
  expect([at(-5), at(0), at(20), at(150), at(1e9)]).toEqual([2, 2, 4, 30, 60]);
  expect([at(0, true), at(1e9, true)]).toEqual([60, 60]);
});
