import { readCatalogue, catalogueFrom } from '../../dev/demo/catalogue.ts';
import { makeEnquiries, type Enquiry } from '../../dev/demo/enquiries.ts';
import { createCommand } from '../../dev/demo.ts';
import { otherEmail, otherPhone, personOf } from '../../dev/demo/people.ts';
import { createDice } from '../../dev/demo/dice.ts';
import { percentile } from '../../dev/demo/report.ts';
import { failureReason } from '../../dev/demo/run.ts';
import { readContactPoints } from '../../domain/leads/contact-points.ts';
import { createPayload, updatePayload } from '../../domain/leads/payload-schema.ts';
import { parseWords } from './parse-words.ts';

const catalogue = readCatalogue();
const make = (seed: string, count = 300) => makeEnquiries({ seed, count, catalogue });
const enquiries = make('demo');
const bodies = enquiries.map(({ body }) => body);
const parse = (words: string[]) => parseWords(createCommand(), words);
const textOf = (value: unknown) => JSON.stringify(value);
const valueOf = (text: string) => readContactPoints(text)[0]?.value ?? text;

describe('the enquiries of the demo', () => {
  test('are the same for the same seed, and others for another', () => {
    expect(textOf(make('demo'))).toBe(textOf(enquiries));
    expect(textOf(make('another'))).not.toBe(textOf(enquiries));
  });

  test('begin alike whatever their count', () => {
    expect(textOf(make('demo', 40))).toBe(textOf(enquiries.slice(0, 40)));
  });

  test.each(['demo', 'another', 'a third'])('are valid bodies for seed "%s"', (seed) => {
    for (const { body, later } of make(seed)) {
      expect(createPayload.safeParse(body).error).toBeUndefined();
      expect([...(body.leadPhones ?? []), ...(body.leadEmails ?? [])]).not.toEqual([]);
      if (later) expect(updatePayload.safeParse(later).error).toBeUndefined();
    }
  });

  test('can be made where the CRM has no reference data at all', () => {
    const empty = makeEnquiries({ seed: 'demo', count: 60, catalogue: catalogueFrom({}) });
    for (const { body } of empty) expect(createPayload.safeParse(body).success).toBe(true);
  });

  test('name nobody real: invented phones, mailboxes of example domains', () => {
    const phones = bodies.flatMap(({ leadPhones }) => leadPhones ?? []);
    const emails = bodies.flatMap(({ leadEmails }) => leadEmails ?? []);
    for (const phone of phones) expect(valueOf(phone)).toMatch(/^\+97150000\d{4}$/);
    for (const email of emails) expect(email.trim()).toMatch(/@([\w-]+\.)*example(\.com)?$/i);
  });
});

describe('among three hundred are', () => {
  const has = (isSo: (enquiry: Enquiry) => unknown) => enquiries.filter(isSo).length;

  test.each<[string, (enquiry: Enquiry) => unknown]>([
    ['landing page forms with a click id', ({ body }) => body.gclid && body.pageUrl],
    ['ad forms', ({ body }) => body.adPlatform],
    ['portal enquiries about a listing', ({ kind, body }) => kind === 'portal' && body.referenceNo],
    ['conversations', ({ body }) => body.comments],
    ['conversations that are too long', ({ body }) => (body.comments?.length ?? 0) > 5],
    ['quizzes in Arabic', ({ body }) => body.quiz?.locale === 'ar'],
    ['quizzes in English', ({ body }) => body.quiz?.locale === 'en'],
    ['names in Arabic', ({ body }) => /\p{Script=Arabic}/u.test(body.leadFirstName ?? '')],
    ['messages in Arabic', ({ body }) => /\p{Script=Arabic}/u.test(body.initialInquiry ?? '')],
    ['a person named as owner', ({ body }) => body.distributionType === 'Personal'],
    ['other funnels', ({ body }) => body.funnel === 'Leasing'],
    ['competing agents', ({ kind }) => kind === 'competing agent'],
    ['later details', ({ later }) => later],
    ['response times', ({ responseSeconds }) => responseSeconds !== null],
    ['unknown areas', ({ body }) => body.areaOfInterest?.startsWith('Palm Jumeira Cr')],
    ['ambiguous areas', ({ body }) => catalogue.ambiguousAreas.includes(body.areaOfInterest ?? '')],
    ['misspelt developers', ({ body }) => body.developerName === 'Eamar Properties'],
    [
      'ambiguous listings',
      ({ body }) => catalogue.ambiguousReferenceNos.includes(body.referenceNo ?? ''),
    ],
  ])('%s', (_, isSo) => {
    expect(has(isSo)).toBeGreaterThan(0);
  });

  test('people who write twice, with phone or e-mail in another form', () => {
    const people = new Map<string, Set<string>>();
    for (const phone of bodies.flatMap(({ leadPhones }) => leadPhones ?? [])) {
      const forms = people.get(valueOf(phone)) ?? new Set();
      people.set(valueOf(phone), forms.add(phone));
    }
    expect([...people.values()].filter((forms) => forms.size > 1).length).toBeGreaterThan(5);
  });

  test('renamed campaigns and a lead id that comes twice', () => {
    const blocks = bodies.flatMap(({ adPlatform }) => (adPlatform ? [adPlatform] : []));
    const names = new Set(blocks.map((block) => block.adPlatformCampaignName));
    const ids = new Set(blocks.map((block) => block.adPlatformCampaignId));
    expect(names.size).toBeGreaterThan(ids.size);
    expect(new Set(blocks.map((block) => block.adPlatformLeadId)).size).toBeLessThan(blocks.length);
  });
});

test('a phone and an e-mail written otherwise are still the same', () => {
  for (let number = 0; number < 100; number += 1) {
    const who = personOf('demo', number);
    const dice = createDice(String(number));
    expect(valueOf(otherPhone(who, dice))).toBe(valueOf(who.phone));
    expect(valueOf(otherEmail(who, dice))).toBe(valueOf(who.email));
  }
});

test('options that make no sense are refused with the usage', () => {
  expect(parse(['--count', '30'])).toEqual({ options: { count: 30, seed: 'demo', rate: 10 } });
  expect(parse(['--rate', '0.5'])).toMatchObject({ options: { rate: 0.5 } });
  expect(parse(['--count', 'many']).error).toMatch(
    /'--count <n>'.*Expected a whole number from 1 to 100000\.\n\nUsage: npm run demo/,
  );
  expect(parse(['--rate', 'fast']).error).toMatch(/Expected a number from 0 to 1000\./);
  expect(parse(['--count', '0']).error).toMatch(/Expected a whole number from 1/);
  expect(parse(['--rate', '1001']).error).toMatch(/Expected a number from 0 to 1000\./);
});

test('a request without an answer in time says that it may have been taken all the same', () => {
  const signal = AbortSignal.abort(new DOMException('aborted due to timeout', 'TimeoutError'));
  expect(failureReason(signal.reason)).toMatch(/^no answer within 30 s, .* may have taken it/);
  expect(failureReason(new Error('The lead is closed.'))).toBe('The lead is closed.');
});

test('a percentile is a value of the list', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect([percentile(values, 0.5), percentile(values, 0.99)]).toEqual([50, 99]);
  expect(percentile([], 0.5)).toBeNull();
});
