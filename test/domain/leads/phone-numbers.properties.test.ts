import fc from 'fast-check';
import {
  type CountryCode,
  getCountries,
  Metadata,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { readContactPoints } from '../../../domain/leads/contact-points.ts';

const KINDS = ['FIXED_LINE', 'MOBILE', 'TOLL_FREE', 'PREMIUM_RATE', 'VOIP', 'UAN', 'PAGER'];

/** A country's plan; the types of the package leave these out. */
interface Plan {
  callingCode: () => string;
  nationalPrefix: () => string | 0;
  type: (kind: string) => { pattern: () => string } | undefined;
}

/** Any numbers of a country, of each kind. */
function numbersOf(country: CountryCode) {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  const plan = metadata.numberingPlan as unknown as Plan;
  const code = fc.constant(plan.callingCode());
  const hasTrunkZero = fc.constant(plan.nationalPrefix() === '0');
  return KINDS.flatMap((kind) => {
    const pattern = plan.type(kind)?.pattern();
    if (!pattern) return [];
    const national = fc.stringMatching(new RegExp(`^(?:${pattern})$`));
    return fc.record({ code, national, hasTrunkZero });
  });
}

const isValid = (number: string) =>
  parsePhoneNumberFromString(number, { extract: false })?.isValid() === true;

const numbers = fc
  .oneof(...getCountries().flatMap(numbersOf))
  .filter(({ code, national }) => isValid(`+${code}${national}`));

const spellings = fc.record({
  prefix: fc.constantFrom('+#', '00#', '00 #', '#', '(+#)', '(#)', '+ #'),
  behindCode: fc.constantFrom('', ' ', '-', '/', ': ', '\n', ', '),
  trunk: fc.constantFrom('', '', '0', '(0)'),
  separator: fc.constantFrom('', ' ', '-', '.', '/', ' - ', '\u00a0', '\u2011', '\u0640', '\t'),
  groups: fc.array(fc.integer({ min: 2, max: 4 }), { minLength: 8, maxLength: 8 }),
  zero: fc.constantFrom(0x30, 0x660, 0x6f0, 0x966, 0xff10),
  place: fc.constantFrom('#', 'Tel: #', 'Layla #', '# (Layla)', "'#", '# ext 12', '\u202a#\u202c'),
});

type Value<T> = T extends fc.Arbitrary<infer Generated> ? Generated : never;

function spell(
  { code, national, hasTrunkZero }: Value<typeof numbers>,
  how: Value<typeof spellings>,
): string {
  let end = 0;
  const groups = how.groups.map((size) => national.slice(end, (end += size)));
  const trunk = how.trunk === '0' && !hasTrunkZero ? '' : how.trunk;
  const written = groups.filter((group) => group !== '').join(how.separator);
  const typed = `${how.prefix.replace('#', code)}${how.behindCode}${trunk}${written}`;
  const digits = typed.replace(/\d/g, (digit) => String.fromCodePoint(how.zero + Number(digit)));
  return how.place.replace('#', digits);
}

/** Nine digits that begin with 5 are a UAE mobile first, and a comma may stand between two numbers. */
const isOtherwise = (typed: string, prefix: string) =>
  !/\+|00/.test(prefix) && (typed.includes(', ') || /^5\d{8}$/.test(typed.replace(/\D/g, '')));

test('a number of any country, in any spelling, is that number or none', () => {
  let [read, all] = [0, 0];
  fc.assert(
    fc.property(numbers, spellings, (number, how) => {
      const latin = spell(number, { ...how, zero: 0x30, place: '#' });
      fc.pre(!isOtherwise(latin, how.prefix));
      const [value, ...others] = readContactPoints(spell(number, how)).map((point) =>
        point.value.replace(/;ext=.*/, ''),
      );
      expect([undefined, `+${number.code}${number.national}`]).toContain(value);
      expect(others).toEqual([]);
      if (!/\+|00/.test(how.prefix) || how.behindCode === ', ') return;
      all += 1;
      if (value !== undefined) read += 1;
    }),
    { numRuns: 20_000 },
  );
  expect(read / all).toBeGreaterThan(0.95);
});
