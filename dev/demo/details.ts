// Fields of a body that several kinds of enquiry share.
import type { LeadCreate } from '../client/lead-client.ts';
import type { Catalogue } from './catalogue.ts';
import type { Dice } from './dice.ts';
import { otherEmail, otherPhone, type LanguageCode, type Person } from './people.ts';

export interface EnquiryContext {
  seed: string;
  number: number;
  who: Person;
  /** The person has written before, and gives phone and e-mail in another form. */
  isReturning: boolean;
  dice: Dice;
  catalogue: Catalogue;
}

export type MakeBody = (context: EnquiryContext) => LeadCreate;

/** Nine in ten leave a phone, most an e-mail, everyone one of them. */
export function person({ who, isReturning, dice }: EnquiryContext): LeadCreate {
  const phone = isReturning ? otherPhone(who, dice) : who.phone;
  const email = isReturning ? otherEmail(who, dice) : who.email;
  const leaves = dice.int(1, 10);
  return {
    leadPhones: leaves === 1 ? undefined : [phone],
    leadEmails: leaves <= 6 || leaves === 10 ? [email] : undefined,
    leadFirstName: who.firstName,
    leadLastName: who.lastName,
    languages: [who.language],
  };
}

export function area({ catalogue, dice }: EnquiryContext) {
  return dice.pickAny(catalogue.areas) ?? { name: 'Dubai', nameAr: 'دبي' };
}

/** A source of the CRM like those that the channel would send, with one of its sub-sources. */
export function source({ catalogue, dice }: EnquiryContext, wanted: RegExp | 'portal'): LeadCreate {
  const sources = catalogue.sources.filter(({ portal }) => portal === (wanted === 'portal'));
  const fitting = wanted === 'portal' ? [] : sources.filter(({ name }) => wanted.test(name));
  const found = dice.pickAny(fitting.length > 0 ? fitting : sources);
  const subSources = found?.subSources ?? [];
  return {
    source: found?.name,
    subSource: subSources.length > 0 ? [dice.pick(subSources)] : undefined,
  };
}

export function budget({ dice }: EnquiryContext): LeadCreate {
  const min = dice.int(6, 60) * 100_000;
  const max = min + dice.int(1, 20) * 100_000;
  return dice.chance(0.5)
    ? { budgetMin: String(min), budgetMax: String(max), currency: 'AED' }
    : { budgetMax: max, currency: dice.pick(['AED', 'USD', 'eur']) };
}

const FIRST_DAY = Date.UTC(2026, 9, 1);
const MINUTE_MS = 60_000;

/** A moment that the seed decides, so that the same seed sends the same bodies on any day. */
export function moment({ number }: EnquiryContext, minutesLater = 0): string {
  return new Date(FIRST_DAY + (number * 7 + minutesLater) * MINUTE_MS).toISOString();
}

/** From the ranges that are kept for documentation. */
export function visitor({ dice }: EnquiryContext): LeadCreate {
  return {
    ipAddress: dice.pick([`203.0.113.${dice.int(1, 254)}`, `2001:db8::${dice.int(1, 9999)}`]),
    userAgent: dice.pick([
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
    ]),
  };
}

/** What people write; {area} is a place. */
const MESSAGES: Readonly<Record<LanguageCode, readonly string[]>> = {
  en: [
    'Two bedrooms with a sea view in {area}, please. We arrive in January.',
    'Is the payment plan for {area} still 60/40? Please call after 6 pm.',
    "I'd like to see the show apartment in {area} this weekend 🙂",
    'Looking for an investment in {area}, what is the service charge per sq ft?',
    'Do you have anything in {area} that allows a dog?',
  ],
  ar: [
    'أرغب في شقة غرفتين وصالة في {area} بإطلالة بحرية',
    'ما هي خطة الدفع في {area}؟ الرجاء الاتصال مساءً.',
    'السلام عليكم، هل الفيلا في {area} متاحة للمعاينة هذا الأسبوع؟',
    'أبحث عن استثمار في {area} بميزانية ٢ مليون درهم',
  ],
  ru: [
    'Интересует квартира с видом на море в районе {area}.',
    'Можно ли оплатить рассрочкой в {area}? Напишите в WhatsApp.',
  ],
  hi: [
    'Kya {area} mein 2 BHK available hai? Budget 1.5 million AED.',
    '{area} में तीन बेडरूम का विला चाहिए, कृपया कॉल करें।',
  ],
  fr: ['Bonjour, je cherche un appartement à {area}, proche de la plage.'],
  zh: ['您好，我想咨询{area}的两居室公寓，请问首付多少？'],
};

/** A message about a place, and with this probability the place in its own field. */
export function wish(context: EnquiryContext, namesArea = 1): LeadCreate {
  const { who, dice } = context;
  const { name, nameAr } = area(context);
  const place = who.language === 'ar' ? (nameAr ?? name) : name;
  return {
    areaOfInterest: dice.chance(namesArea) ? name : undefined,
    initialInquiry: dice.pick(MESSAGES[who.language]).replace('{area}', place),
  };
}
