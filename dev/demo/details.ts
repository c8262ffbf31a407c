import type { LeadCreate } from '../client/generated.ts';
import type { Area } from './catalogue.ts';
import { otherEmail, otherPhone } from './people.ts';
import type { Scene } from './enquiry.ts';

/** Parts of a body that several kinds of enquiry share. */

const NOWHERE: Area = { name: 'Dubai', nameAr: 'دبي' };

/** Nine in ten leave a phone, most an e-mail, everyone one of them. */
export function person({ who, isAgain, dice }: Scene): LeadCreate {
  const phone = isAgain ? otherPhone(who, dice) : who.phone;
  const email = isAgain ? otherEmail(who, dice) : who.email;
  const leaves = dice.int(1, 10);
  return {
    ...(leaves !== 1 && { leadPhones: [phone] }),
    ...((leaves <= 6 || leaves === 10) && { leadEmails: [email] }),
    leadFirstName: who.firstName,
    leadLastName: who.lastName,
  };
}

export function area({ catalogue, dice }: Scene): Area {
  return catalogue.areas.length > 0 ? dice.pick(catalogue.areas) : NOWHERE;
}

/** One of the list, or the field left out where the list is empty. */
export function oneOf(name: string, list: readonly string[], { dice }: Scene): LeadCreate {
  return list.length > 0 ? { [name]: dice.pick(list) } : {};
}

/** Names that the CRM has, out of those that the channel would send. */
export function known(list: readonly string[], wanted: RegExp): readonly string[] {
  return list.filter((name) => wanted.test(name));
}

/** A source of this sort, with one of its sub-sources. */
export function source({ catalogue, dice }: Scene, wanted: RegExp, isPortal = false): LeadCreate {
  const kind = catalogue.sources.filter(({ portal }) => portal === isPortal);
  const fitting = kind.filter(({ name }) => wanted.test(name));
  if (kind.length === 0) return {};
  const { name, subSources } = dice.pick(fitting.length > 0 ? fitting : kind);
  return { source: name, ...(subSources.length > 0 && { subSource: [dice.pick(subSources)] }) };
}

export function budget({ dice }: Scene): LeadCreate {
  const min = dice.int(6, 60) * 100_000;
  const max = min + dice.int(1, 20) * 100_000;
  return dice.chance(0.5)
    ? { budgetMin: String(min), budgetMax: String(max), currency: 'AED' }
    : { budgetMax: max, currency: dice.pick(['AED', 'USD', 'eur']) };
}

const FIRST_DAY = Date.UTC(2026, 9, 1);
const MINUTE_MS = 60_000;

/** A moment that the seed decides, so that the same seed sends the same bodies on any day. */
export function moment({ number }: Scene, minutesLater = 0): string {
  return new Date(FIRST_DAY + (number * 7 + minutesLater) * MINUTE_MS).toISOString();
}

/** From the ranges that are kept for documentation. */
export function visitor({ dice }: Scene): LeadCreate {
  return {
    ipAddress: dice.pick([`203.0.113.${dice.int(1, 254)}`, `2001:db8::${dice.int(1, 9999)}`]),
    userAgent: dice.pick([
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
    ]),
  };
}
