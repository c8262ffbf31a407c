import fc from 'fast-check';
import {
  contactPointsOf,
  newEntries,
  normalizeContactText,
  readContactEntry,
  readContactPoints,
} from '../../../domain/leads/contact-points.ts';

const pointsOf = (phones: string[], emails: string[]) =>
  contactPointsOf([...phones, ...emails].map(readContactEntry));
const valuesIn = (text: string) => readContactPoints(text).map(({ value }) => value);

describe('A phone is compared in E.164, as a UAE number first', () => {
  test.each([
    ['501234567', '+971501234567'],
    ['009710501234567', '+971501234567'],
    ['+0501234567', '+971501234567'],
    ['+00971501234567', '+971501234567'],
    ['050/1234567', '+971501234567'],
    ['050\u00a0123\u20114567', '+971501234567'],
    ['WhatsApp0501234567', '+971501234567'],
    ['https://wa.me/971501234567', '+971501234567'],
    ['٠٥٠١٢٣٤٥٦٧', '+971501234567'],
    ['０５０１２３４５６７', '+971501234567'],
    ['\u202a+971501234567\u202c', '+971501234567'],
    ['2) 0501234567', '+971501234567'],
    ['04 123 4567', '+97141234567'],
    ['04 123 4567 ext 12', '+97141234567;ext=12'],
    ['04 123 4567 x12', '+97141234567;ext=12'],
    ['04 123 4567 تحويلة ١٢', '+97141234567;ext=12'],
    ['447911123456', '+447911123456'],
    ['919876543210', '+919876543210'],
    ['501234567.0', '+971501234567'],
    ['12025550143.0', '+12025550143'],
    ['501.234.567', '+971501234567'],
    ['050\n1234567', '+971501234567'],
    ['+971 971501234567', '+971501234567'],
    ['971 97150 123 4567', '+971501234567'],
    ['+971 +971501234567', '+971501234567'],
    ['49 0170 1234567', '+491701234567'],
    ['966 0501234567', '+966501234567'],
    ['(966) 050 123 4567', '+966501234567'],
    ['+966\n501234567', '+966501234567'],
    ['966+ 050 123 4567', '+966501234567'],
    ['213 0550116881', '+213550116881'],
    ['380 (0)50 123 45 67', '+380501234567'],
    ['962 (0)6 460 0000', '+96264600000'],
    ['972 050-234-5678', '+972502345678'],
    ['+39 (0)347 123 4567', '+393471234567'],
    ['+5215511223344', '+525511223344'],
    ['5215511223344@c.us', '+525511223344'],
    ['+55 31 8765 4321', '+5531987654321'],
    ['+5491123456789', '+5491123456789'],
    ['050&nbsp;123&#160;4567', '+971501234567'],
    ["'0501234567", '+971501234567'],
    ['+49 0551616669', '+49551616669'],
    ['0049 0551616669', '+49551616669'],
    ['+971+971 50 123 4567', '+971501234567'],
    ['+44 +44 7911 123456', '+447911123456'],
    ['011971501234567', '+971501234567'],
    ['0501234567 x2', '+971501234567'],
    ['0501234567 #2 bedroom', '+971501234567'],
    ['971501234567:12@s.whatsapp.net', '+971501234567'],
    ['971501234567.0:12@s.whatsapp.net', '+971501234567'],
    ['+৯৭১ ৫০ ১২৩ ৪৫৬৭', '+971501234567'],
    ['٠٥٠ـ١٢٣ـ٤٥٦٧', '+971501234567'],
    ['(971+) 501234567', '+971501234567'],
    ['+971 50 123 4567 - 2 bed', '+971501234567'],
    ['050 123 4567 2BR', '+971501234567'],
    ['+971%20501234567', '+971501234567'],
    ['050 152 1111/2222', '+971501521111'],
    ['+34 612.345.000', '+34612345000'],
    ['00961 71.600.884', '+96171600884'],
    ['+33 6 12 34 56 78 M. Dupont', '+33612345678'],
    ['+7 916 123 45 67m', '+79161234567'],
    ['+971 800 1234', '+9718001234'],
  ])('%j is %s', (text, value) => {
    expect(readContactPoints(text)).toEqual([{ kind: 'phone', value }]);
  });
});

describe('Every number and address in a text is one', () => {
  test.each([
    ['0501521111 / 0529876543'],
    ['0501521111,0529876543'],
    ['0501521111، 0529876543'],
    ['0501521111\n0529876543'],
    ['050 1521111 or 052 9876543'],
    ['+971501521111+971529876543'],
    ['050/1521111 052/9876543'],
    ['Ahmed 050 1521111, Sara 052 9876543'],
    ['٠٥٠ ١٥٢ ١١١١ و ٠٥٢ ٩٨٧ ٦٥٤٣'],
    ['0501521111 / 971+529876543'],
  ])('%j', (text) => {
    expect(valuesIn(text)).toEqual(['+971501521111', '+971529876543']);
  });

  test.each([
    ['"Bob <b@rival.example>"', ['b@rival.example']],
    ['mailto:x@y.example?subject=Hello', ['x@y.example']],
    ['x@y.example; a@b.example', ['x@y.example', 'a@b.example']],
    ['x@y.example/a@b.example', ['x@y.example', 'a@b.example']],
    ['x@y.example or a@b.example', ['x@y.example', 'a@b.example']],
    ['📧x@y.example', ['x@y.example']],
    ['•x@y.example a@b.example؟', ['x@y.example', 'a@b.example']],
    ['x@y.example、a@b.example。', ['x@y.example', 'a@b.example']],
    ['x @ y.example', ['x@y.example']],
    ['x@ y.example', ['x@y.example']],
    ['x @y.example', ['x@y.example']],
    ['layla@gmail. com', ['layla@gmail.com']],
    ['layla@gmail .com, sara@gmail . com', ['layla@gmail.com', 'sara@gmail.com']],
    ['x@y.example. Com', ['x@y.example']],
    ['x@y.example @ office.example', ['x@y.example']],
    ['Email:x@y.example', ['x@y.example']],
    ['邮箱：x@y.example', ['x@y.example']],
    ['Почта:x@y.example', ['x@y.example']],
    ['ईमेल x@y.example', ['x@y.example']],
    ['ایمیل x@y.example', ['x@y.example']],
    ['050 152 1111 @ 5p.m.', ['+971501521111']],
    [" 'x@y.example' ", ['x@y.example']],
    ["o'neil+home@y.example", ["o'neil+home@y.example"]],
    ['\u202ax\u200b@y.example\ufeff', ['x@y.example']],
    ['0501521111 x@y.example', ['+971501521111', 'x@y.example']],
    ['0501521111@y.example', ['0501521111@y.example']],
    ['0501521111,x@y.example', ['+971501521111', 'x@y.example']],
    ['My email is x@y.example', ['x@y.example']],
    ['ايميلي x@y.example', ['x@y.example']],
    ['o&#039;brien@y.example', ["o'brien@y.example"]],
    ['d’souza@y.example', ["d'souza@y.example"]],
    ['r&amp;amp;d@y.example', ['r&d@y.example']],
    ['&lt;x@y.example&gt; a&#64;b.example&nbsp;', ['x@y.example', 'a@b.example']],
    ['%20x@y.example', ['x@y.example']],
    ['x%2540y.example', ['x@y.example']],
    ['İbrahim@y.example', ['ibrahim@y.example']],
    ['Info@MÜNCHEN.example', ['info@münchen.example']],
    ['info@xn--mnchen-3ya.example', ['info@münchen.example']],
  ])('%j is %j', (text, values) => {
    expect(valuesIn(text)).toEqual(values);
  });
});

test.each([
  ['', 'N/A', '-', 'none', 'لا يوجد', 'Front Desk', '.', '@', '@x.example', 'x@y', 'x@@y.example'],
  ['0', '000', '0000000000', '0555555555', '22222222', '123', '0502', '1234567890', '9999999999'],
  // Placeholders, and digits that two countries could claim.
  ['0500000000', '+971 50 000 0000', '040000000', '+44 7000 000000', '+1 222 222 2222'],
  ['8 (495) 121-43-75', '(201) 547-7949', '9123456789', '6591234567', '13/0501234567'],
  ['3602 5480', '43334444', '4 333 4444', '800 1234', '800-1234', '600 566665', '80012345678'],
  [
    '0501234567 +966',
    '501234567 966+',
    '+966, 0501234567',
    '+966 or 0501234567',
    '966, mobile 501234567 +966',
  ],
  [
    'Villa 49 055 161 6669',
    'Villa 966 501234567',
    '12 502345678',
    '49301 0501234567',
    '49020100 050 200 1200',
    '2 0501234567',
    '49/0/551234567',
  ],
  ['+49 30 334120 3 beds', '+49 30 515127 - 056', "-2208960000 doesn't look like a phone number."],
  ['5520-9492-4b', 'Office:(516)733-3989', '2026-09-20T06:15:30.000Z', '02/03/26 9:00'],
  // A number with a digit too many, and addresses that a blank cut.
  ['050 423 45678', '+971 50 4234 5678', '050/42345678', '050,42345678', '0501521111052'],
  ['layla smith@mail.example', 'layla smith @ mail.example', 'layla@mail', '0501521111@mail'],
  ['layla@mail. company', 'layla@mail. Then'],
  [
    'layla . smith@x.example',
    'layla + smith@x.example',
    'layla / smith@x.example',
    'la. smith@x.example',
  ],
  [
    '"test".test@x.example',
    '.test" test@x',
    'mu?oz@x.example',
    'tom|jerry@x.example',
    'a}b@x.example',
  ],
  [
    'a(b@x.example',
    '\ufffdlise@x.example',
    'ali(2)x@y.example',
    'x@m?nchen.de.example',
    'x@y.exampl\ufffd',
  ],
  [
    'Ã©lise@x.example',
    '€lise@x.example',
    '!#$%&`*+/=?^`{|}~@iana.example',
    '0501234567/b@x.example',
  ],
  [
    '120363025246125486@g.us',
    '190611223344556@lid',
    '190611223344556:12@hosted.lid',
    '5@newsletter',
  ],
  ['971501234567-1612345678@g.us', 'status@broadcast', '0@s.whatsapp.net', 'x@192.168.1.1'],
  ['none@none.com', 'No@Email.com', 'test@test.com', 'noemail@gmail.com'],
  ['layla/smith@x.example', 'layla,smith@x.example', 'la:smith@x.example', 'la\\smith@x.example'],
  ['24/11/1990', '24-11-1990', '24.11.1990', '24 11 1990', '1990-11-24', '24111990', '19901124'],
  ['24ـ11ـ1990', '٢٤ـ١١ـ١٩٩٠'],
  ['25.000.000', '25,000,000', '25 000 000', '500.000.000', '28,500,000.00', '28500000', '800000'],
  ['27.01-29.01.2026', '1/1/2026 - 3/1/2026', '27-01-26/29-01-26', '27.01-29.01', '2026-2027'],
  ['800000-900000', '800 000 - 900 000', '800.000 - 850.000', '800000-950000', '201.000-250.000'],
  ['0800-1800', '08.00-17.00', '0800/1800', '800-1800', '800-900', 'call 800 1234', '0800 1234'],
  ['15:00 27/7/2026 12', '10:00 20-10-2026 14:30'],
  ['ref 28912345', 'PO Box 28912345', 'AED 28500000', 'ref 43112345', 'budget 800000', '#28912345'],
])('%j and the like stand for nobody', (...texts) => {
  expect(texts.map(valuesIn)).toEqual(texts.map(() => []));
});

test('beside digits that are no number, one counts that is written whole', () => {
  const texts = ['04 3334444/5', '1. 0501234567', '0501234567 18', 'Villa 12, 447911123456'];
  expect(texts.map(valuesIn)).toEqual([
    ['+97143334444'],
    ['+971501234567'],
    ['+971501234567'],
    ['+447911123456'],
  ]);
});

test('what stands beside a phone is no number and no country code', () => {
  const phones = fc.tuple(
    fc.constantFrom('0', '00971', '971', '+971', '+971 ', '+971 (0)'),
    fc.constantFrom('50', '52', '54', '55', '56', '58'),
    fc.stringMatching(/^[2-9]\d{2}$/),
    fc.constantFrom(' ', '-', '.', ''),
    fc.stringMatching(/^1[2-9]\d{2}$/),
  );
  const pad = (n: number) => String(n).padStart(2, '0');
  const others = fc.oneof(
    fc
      .tuple(
        fc.integer({ min: 1, max: 31 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1930, max: 2040 }),
        fc.constantFrom('/', '-', '.', ' '),
      )
      .map(([day, month, year, sign]) => [pad(day), pad(month), year].join(sign)),
    fc.tuple(fc.integer({ min: 1, max: 99 }), fc.constantFrom('.', ',', ' ')).map(
      // An amount of millions in groups of three digits.
      ([millions, sign]) => [millions, '500', '000'].join(sign),
    ),
    fc.integer({ min: 20_000_000, max: 99_999_999 }).map(String),
  );
  const before = fc.oneof(
    fc.integer({ min: 1, max: 9999 }).map(String),
    fc.integer({ min: 1, max: 99 }).map((n) => `Villa ${n}`),
  );
  const joint = fc.constantFrom(' ', ', ', ' on ', ' budget AED ', '; ref ');
  fc.assert(
    fc.property(phones, others, before, joint, (phone, other, number, words) => {
      const [prefix, operator, middle, sign, end] = phone;
      const written = `${prefix}${operator}${sign}${middle}${sign}${end}`;
      const value = `+971${operator}${middle}${end}`;
      expect(valuesIn(`${written}${words}${other}`)).toEqual([value]);
      expect([[], [value]]).toContainEqual(valuesIn(`${other}${words}${written}`));
      // Digits before it may be its country code.
      const [read = value] = valuesIn(`${number} ${written}`);
      expect(read === value || read.startsWith(`+${number}`)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

describe('A span of dates, hours or amounts is no phone, nor a part of one', () => {
  const phones = ['0501234567', '050 123 4567', '+971 50 123 4567', '050-123-4567'];
  const besides = phones.flatMap((phone) =>
    [' ', ' move in ', ', ', ' ('].map((words) => `${phone}${words}`),
  );
  const expectNothingOf = (span: string) => {
    expect(valuesIn(span)).toEqual([]);
    const texts = besides.map((before) => `${before}${span}`);
    expect(texts.filter((text) => valuesIn(text).join() !== '+971501234567')).toEqual([]);
  };
  const pad = (n: number) => String(n).padStart(2, '0');

  test('on any day of a year', () => {
    for (let day = 0; day < 365; day += 1) {
      const [from, to] = [day, day + 1 + (day % 9)].map((n) => new Date(Date.UTC(2026, 0, 1 + n)));
      if (!from || !to) throw new Error('Two days are needed.');
      const [d, m] = [from.getUTCDate(), from.getUTCMonth() + 1];
      const [e, n, y] = [to.getUTCDate(), to.getUTCMonth() + 1, to.getUTCFullYear()];
      const short = (date: Date) => date.toISOString().slice(2, 10).split('-').reverse().join('-');
      const full = [`${d}/${m}/2026`, `${e}/${n}/${y}`] as const;
      expectNothingOf(`${pad(d)}-${pad(e)}/${pad(n)}/${y}`);
      expectNothingOf(`${pad(d)}.${pad(m)}-${pad(e)}.${pad(n)}.${y}`);
      expectNothingOf(`${short(from)}/${short(to)}`);
      for (const sign of [' - ', '-', ' to ', ' – ', '–']) expectNothingOf(full.join(sign));
    }
  });

  test('of amounts and of hours', () => {
    const thousands = fc.integer({ min: 100, max: 999 });
    const amounts = fc.tuple(thousands, thousands);
    const signs = fc.constantFrom('-', ' - ', '/', '–');
    fc.assert(
      fc.property(amounts, fc.constantFrom('', ' ', '.', "'"), signs, ([low, high], mark, sign) => {
        expectNothingOf([low, high].map((amount) => `${amount}${mark}000`).join(sign));
      }),
      { numRuns: 300 },
    );
    for (const hour of Array.from({ length: 12 }, (_none, index) => index))
      for (const minutes of ['00', '30'])
        for (const [mark, sign] of [
          ['', '-'],
          ['', '/'],
          ['.', '-'],
        ] as const)
          expectNothingOf([hour, hour + 9].map((h) => `${pad(h)}${mark}${minutes}`).join(sign));
  });
});

test('an address is read whole or not at all', () => {
  const signs = [...'aé9.!#$%&\'*+-/=?^_`{|}~,;:()[]"\\\ufffd€•'];
  const middle = fc.string({ unit: fc.constantFrom(...signs), maxLength: 12 });
  fc.assert(
    fc.property(middle, (text) => {
      const typed = `mu${text}oz@x.example`;
      expect([[], [normalizeContactText(typed)]]).toContainEqual(valuesIn(typed));
      expect(valuesIn(`mu ${text.replace(/[^!-/=?^-~]|[,;:()[\]"\\]/g, '')} oz@x.example`)).toEqual(
        [],
      );
    }),
    { numRuns: 5000 },
  );
});

test('reading never throws, and reading what was read changes nothing', () => {
  const digits = fc.stringMatching(/^[+0-9 ()/,x-]{0,64}$/);
  const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 255 }), digits);
  fc.assert(
    fc.property(texts, (text) => {
      for (const point of readContactPoints(text))
        expect(readContactPoints(point.value)).toEqual([point]);
    }),
    { numRuns: 2000 },
  );
});

test('the longest texts of a request are read in less than a tenth of a second of processor time', () => {
  const worst = ['4 3 ', '+1 2 3 4 5 6 ', '80012 ', '1@', '\ufdfa', '0 5 0 ', 'a@b.c '].map(
    (text) => text.repeat(255).slice(0, 255),
  );
  const texts = Array.from({ length: 40 }, (_none, n) => worst[n % worst.length] ?? '');
  /** What else the process or the machine does can only lengthen it. */
  const times = Array.from({ length: 5 }, () => {
    const start = process.cpuUsage();
    contactPointsOf(texts.map(readContactEntry));
    return process.cpuUsage(start).user / 1000;
  });
  expect(Math.min(...times)).toBeLessThan(100);
});

describe('The order in which a person is searched for', () => {
  test('is all phones in the order sent, then all e-mails, each once', () => {
    const contactPoints = pointsOf(
      ['B@x.example', '0502', '050 123 4567 / 0529876543', '0501234567'],
      ['a@x.example', '+447911123456', 'b@X.example '],
    );
    expect(contactPoints.map(({ value }) => value)).toEqual([
      '+971501234567',
      '+971529876543',
      '+447911123456',
      'b@x.example',
      'a@x.example',
    ]);
  });

  test('has forty at most, of each text the first before the second ones', () => {
    const addresses = (n: number) => Array.from({ length: 20 }, (_none, i) => `${n}${i}@x.example`);
    const texts = addresses(1).map((address, n) => `${address} ${addresses(2 + n).join(' ')}`);
    const values = pointsOf([], texts).map(({ value }) => value);
    expect(values).toHaveLength(40);
    expect(values).toEqual(expect.arrayContaining(addresses(1)));
  });
});

describe('New entries are those that add something', () => {
  const known = {
    entries: ['N/A', '0501521111 / 0529876543'],
    contactPoints: pointsOf(['0501521111 / 0529876543'], ['old@x.example']),
  };
  test.each([
    [[' OLD@x.example', 'New@x.example', 'new@x.example'], ['New@x.example']],
    [['+971 52 987 6543', '0501521111 / 0501521112'], ['0501521111 / 0501521112']],
    [['n/a', '-', ' -\u200e'], ['-']],
  ])('of %j these are: %j', (entries, added) => {
    expect(newEntries(entries.map(readContactEntry), known)).toEqual(added);
  });
});
