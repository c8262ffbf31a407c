import { leadTypeList, propertyTypeList } from '../../../../domain/catalogue/lookups/crm-lists.ts';
import { funnelKey } from '../../../../domain/catalogue/lookups/funnel-matching.ts';
import { LookupList, type Entry } from '../../../../domain/catalogue/lookups/lookup-list.ts';
import {
  agentCategories,
  countryList,
  currencies,
  languageList,
  marketSegments,
} from '../../../../domain/catalogue/lookups/standard-lists.ts';

const entry = (name: string): Entry => ({ id: `id of ${name}`, name });
const idOf = (list: LookupList<Entry>, text: string) => list.resolve(text)?.id ?? 'unmatched';

describe('A list of the CRM', () => {
  const list = new LookupList([
    { entry: entry('Dubai Marina'), texts: [['Dubai Marina']] },
    { entry: { id: 'a', name: 'Downtown' }, texts: [['Downtown']] },
    { entry: { id: 'b', name: 'Downtown' }, texts: [['Downtown']] },
    { entry: entry('Café'), texts: [['Café']] },
    { entry: entry('Domain'), texts: [['same']] },
    { entry: entry('Name'), texts: [[], ['same']] },
  ]);

  test.each([
    [' dubai MARINA ', 'id of Dubai Marina'],
    ['Cafe\u0301', 'id of Café'],
    ['Downtown', 'unmatched'],
    ['', 'unmatched'],
    ['same', 'id of Domain'],
  ])('resolves %j to %s', (text, result) => {
    expect(idOf(list, text)).toBe(result);
  });
});

describe('propertyTypeInterest also matches a regular English plural', () => {
  const names = ['Penthouse', 'Duplex', 'Factory', 'Bus', 'Loft', 'Lofts'];
  const list = propertyTypeList(names.map((name) => ({ ...entry(name), enabled: true })));
  test.each([
    ['PENTHOUSES', 'Penthouse'],
    ['Duplexes', 'Duplex'],
    ['factories', 'Factory'],
    ['buses', 'Bus'],
    ['lofts', 'Lofts'],
  ])('%s is %s', (text, name) => {
    expect(idOf(list, text)).toBe(`id of ${name}`);
  });
});

describe('leadType aliases lead to the buyer types in either direction', () => {
  const shorts = ['Primary', 'Secondary', 'Primary and Secondary'];
  const fulls = ['Primary Buyer', 'Secondary Buyer', 'Primary Buyer and Secondary Buyer'];
  const listOf = (names: string[]) =>
    leadTypeList(names.map((name) => ({ ...entry(name), aliases: [] })));

  test.each(shorts.map((short, index) => [short, fulls[index] as string]))(
    '%s and %s',
    (short, full) => {
      expect(idOf(listOf(fulls), short)).toBe(`id of ${full}`);
      expect(idOf(listOf(shorts), full)).toBe(`id of ${short}`);
      expect(idOf(listOf([...shorts, ...fulls]), short)).toBe(`id of ${short}`);
    },
  );

  test('an alias of the CRM’s own comes before them', () => {
    const list = leadTypeList([
      { ...entry('Primary Buyer'), aliases: [] },
      { ...entry('Developer Sale'), aliases: ['Primary'] },
    ]);
    expect(idOf(list, 'primary')).toBe('id of Developer Sale');
  });
});

test.each([
  ['Show Room', 'show_room'],
  ['811 services', '811-Services'],
  [' PvH ', 'p_v h'],
])('the funnel %s is %s', (a, b) => {
  expect(funnelKey(a)).toBe(funnelKey(b));
});

describe('Lists fixed by a standard or the specification', () => {
  test.each([
    [marketSegments, 'super luxury', 'Super Luxury'],
    [agentCategories, 'd', 'D'],
    [currencies, ' aed ', 'AED'],
    [currencies, 'Dirham', 'unmatched'],
    [countryList, 'ae', 'AE'],
    [countryList, 'ARE', 'AE'],
    [countryList, 'UK', 'GB'],
    [countryList, 'KSA', 'SA'],
    [countryList, 'Syria', 'SY'],
    [countryList, 'الامارات', 'AE'],
    [countryList, 'عُمان', 'OM'],
    [countryList, 'Vatican City', 'VA'],
    [countryList, 'Laos', 'LA'],
    [countryList, 'Trinidad &amp; Tobago', 'TT'],
    [countryList, 'Congo', 'unmatched'],
    [languageList([]), 'en-US', 'en'],
    [languageList([]), 'zh-CN', 'zh'],
    [languageList([]), 'zh-Hans-CN', 'zh'],
    [languageList([]), 'en_GB.UTF-8', 'en'],
    [languageList([]), 'es-419', 'es'],
    [languageList([]), 'fil-PH', 'tl'],
    [languageList([]), 'الإنجليزية (المملكة المتحدة)', 'en'],
    [languageList([]), 'عربى', 'ar'],
    [languageList([]), 'to-be-confirmed', 'unmatched'],
    [
      languageList([{ code: 'zh-hant', name: 'Chinese (Taiwan)', aliases: [] }]),
      'zh-Hant',
      'zh-hant',
    ],
    [languageList([]), 'العربية', 'ar'],
    [languageList([]), 'Farsi', 'fa'],
    [languageList([{ code: 'AR', name: 'Gulf Arabic', aliases: ['Khaleeji'] }]), 'khaleeji', 'ar'],
    [languageList([{ code: 'xx', name: 'Farsi', aliases: [] }]), 'Farsi', 'xx'],
    [languageList([{ code: 'xx', name: 'Klingon', aliases: ['Arabic'] }]), 'Arabic', 'ar'],
  ])('%#: %j is %s', (list, text, id) => {
    expect(idOf(list as LookupList<Entry>, text)).toBe(id);
  });
});
