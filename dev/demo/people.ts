import { createDice, type Dice } from './dice.ts';

export type Person = ReturnType<typeof personOf>;

export type LanguageCode = 'en' | 'ar' | 'ru' | 'hi' | 'fr' | 'zh';

/** Roughly as in the field: English and Arabic first. */
const LANGUAGES = 'en '.repeat(8) + 'ar '.repeat(6) + 'ru '.repeat(3) + 'hi '.repeat(3) + 'fr zh';

/** The person of this number: another number is another person, with another phone and e-mail. */
export function personOf(seed: string, number: number) {
  const dice = createDice(`${seed}/person/${number}`);
  const language = dice.pick(LANGUAGES.split(' ') as LanguageCode[]);
  const first = dice.pick(names[language].first);
  const last = dice.pick(names[language].last);
  const inOwnLetters = dice.chance(0.6);
  const write = ([latin, own = latin]: Spelling) => (inOwnLetters ? own : latin);
  const mailbox = [first, last].map(([latin]) => latin.toLowerCase().replace(/[^a-z]+/g, ''));
  return {
    firstName: write(first),
    lastName: write(last),
    language,
    phone: phoneOf(seed, number), // E.164
    email: `${mailbox.join('.')}${number}.${seed.toLowerCase().replace(/[^a-z0-9]+/g, '')}@example.com`,
  };
}

/** Plainly invented: +971 50 000 xxxx, and beyond only where ten thousand are not enough. */
function phoneOf(seed: string, number: number): string {
  const start = createDice(`${seed}/phones`).int(0, 9999);
  const digits = number < 10_000 ? (start + number) % 10_000 : number;
  return `+97150${String(digits).padStart(7, '0')}`;
}

/** The same number as people write it. */
export function otherPhone({ phone }: Person, dice: Dice): string {
  const digits = phone.slice(1);
  const [prefix, middle, end] = [digits.slice(3, 5), digits.slice(5, 8), digits.slice(8)];
  return dice.pick([
    `00${digits}`,
    `0${digits.slice(3)}`,
    `+971 ${prefix} ${middle} ${end}`,
    `0${prefix}-${middle}-${end}`,
    `+971 (0)${prefix} ${middle}${end}`,
    `(0${prefix}) ${middle} ${end}`,
  ]);
}

/** The same mailbox in other case. */
export function otherEmail({ email }: Person, dice: Dice): string {
  const capitals = email.replace(/(^|[.@])([a-z])/g, (letters) => letters.toUpperCase());
  return dice.pick([email.toUpperCase(), capitals, ` ${email} `]);
}

/** A name in Latin letters and, where it differs, in its own script. */
type Spelling = readonly [latin: string, own?: string];

const spellings = (first: string, last: string) => ({ first: parse(first), last: parse(last) });
const parse = (list: string) =>
  list.split(', ').map((name) => name.split(' = ') as unknown as Spelling);

/** Invented people. */
const names: Readonly<Record<LanguageCode, ReturnType<typeof spellings>>> = {
  en: spellings(
    'Emma, James, Olivia, Daniel, Grace, Thomas, Sinead, Liam',
    "Carter, Hughes, O'Brien, Walker, Nguyen-Smith, Fraser, Bell",
  ),
  ar: spellings(
    'Layla = ليلى, Mohammed = محمد, Fatima = فاطمة, Omar = عمر, Noura = نورة, Khalid = خالد, ' +
      'Maryam = مريم, Abdulrahman = عبد الرحمن',
    'Al Mansoori = المنصوري, Haddad = حداد, Al Suwaidi = السويدي, Khoury = خوري, ' +
      'Al Otaibi = العتيبي, Nasser = ناصر, Bin Saeed = بن سعيد',
  ),
  ru: spellings(
    'Irina = Ирина, Dmitry = Дмитрий, Alena = Алёна, Sergei = Сергей, Natalia = Наталья',
    'Volkova = Волкова, Sokolov = Соколов, Kuznetsova = Кузнецова, Orlov = Орлов',
  ),
  hi: spellings(
    'Priya, Rahul, Ananya, Vikram, Deepika, Arjun',
    'Sharma, Patel, Iyer, Menon, Kapoor, Reddy',
  ),
  fr: spellings('Chloé, Étienne, Inès, Gaël, Zoé', 'Lefèvre, Dubois, Benoît, Garçon, Moreau'),
  zh: spellings(
    'Wei = 伟, Li Na = 丽娜, Jun = 军, Xiao Yu = 小雨',
    'Zhang = 张, Wang = 王, Chen = 陈, Liu = 刘',
  ),
};
