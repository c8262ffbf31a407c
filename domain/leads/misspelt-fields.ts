import { isRecord } from '../canonical-json.ts';
import { nearestName, plainForm, type NameForms } from '../near-name.ts';
import { adPlatform } from './ad-platform.ts';
import { comment, MAX_COMMENTS } from './comments.ts';
import { createPayload, updatePayload, type Payload } from './payload-schema.ts';

const MAX_NAMED = 10;
/** For thousands of invented names, comparing would cost more than the rest of the request. */
const MAX_COMPARED = 100;
const PRINTABLE = /^[\w .-]{1,64}$/;

/** For `X-Unknown-Fields`: `LeadFirstName (leadFirstName?)`. Null without any. */
export function describeUnknownFields(body: Payload, kind: 'create' | 'update'): string | null {
  const known = kind === 'create' ? createNames : updateNames;
  const comments = body.comments?.slice(0, MAX_COMMENTS) ?? [];
  const found = [
    ...nearMisses(body, known, ''),
    ...nearMisses(body.adPlatform ?? {}, adPlatformNames, 'adPlatform.'),
    ...comments.flatMap((each, index) =>
      isRecord(each) ? nearMisses(each, commentNames, `comments[${index}].`) : [],
    ),
  ];
  return found.slice(0, MAX_NAMED).join(', ') || null;
}

interface KnownNames {
  names: ReadonlySet<string>;
  forms: NameForms;
}

function nearMisses(sent: object, { names, forms }: KnownNames, place: string): string[] {
  const unknown = Object.keys(sent).filter((name) => !names.has(name) && PRINTABLE.test(name));
  return unknown.slice(0, MAX_COMPARED).flatMap((name) => {
    const near = nearestName(name, forms);
    return near === undefined ? [] : `${place}${name} (${near}?)`;
  });
}

function knownNames({ shape }: { shape: object }): KnownNames {
  const names = Object.keys(shape);
  const forms = names.flatMap((name) => formsOf(name).map((form) => ({ name, form })));
  return { names: new Set(names), forms };
}

/** Names of other interfaces that are not similar to a field's name. */
const NAMES_ELSEWHERE: Record<string, string[]> = {
  leadPhones: ['phonenumber', 'mobile', 'mobilenumber', 'tel', 'telephone', 'whatsapp'],
  leadEmails: ['emailaddress', 'mail'],
  leadFirstName: ['name', 'fullname'],
  leadLastName: ['surname'],
  areaOfInterest: ['location', 'community'],
  budgetMax: ['price'],
  initialInquiry: ['message', 'note', 'enquiry'],
  assignedBy: ['agent'],
  pageUrl: ['url'],
  quiz: ['bedrooms'],
};

const FIRST_WORDS = /^(?:lead|adplatform)(?=.)/;
const LAST_WORDS = /(?:Name|Id|No|Max|OfInterest|Interest)$/;

function formsOf(name: string): string[] {
  const whole = [name, name.replace(LAST_WORDS, '')].map(plainForm);
  const short = whole.map((form) => form.replace(FIRST_WORDS, ''));
  const singular = [...whole, ...short].map((form) => form.replace(/s$/, ''));
  return [...new Set([...whole, ...short, ...singular, ...(NAMES_ELSEWHERE[name] ?? [])])];
}

const createNames = knownNames(createPayload);
const updateNames = knownNames(updatePayload);
const adPlatformNames = knownNames(adPlatform);
const commentNames = knownNames(comment);
