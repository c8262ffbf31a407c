/** Hosts of URLs that lead to addresses which are not public, in every spelling that a URL takes. */
const v4 = [
  '127.0.0.1',
  '0.0.0.0',
  '10.0.0.1',
  '192.168.255.255',
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
];

const bytesOf = (address: string) =>
  address.split('.').map(Number) as [number, number, number, number];
const numberOf = (address: string) => bytesOf(address).reduce((sum, byte) => sum * 256 + byte, 0);
const hex = (value: number) => value.toString(16);
const octal = (value: number) => `0${value.toString(8)}`;

function spellingsOfV4(address: string): string[] {
  const bytes = bytesOf(address);
  const [a, b, c, d] = bytes;
  return [
    address,
    `${address}.`,
    String(numberOf(address)),
    `0x${hex(numberOf(address))}`,
    octal(numberOf(address)),
    bytes.map((byte) => `0x${hex(byte)}`).join('.'),
    bytes.map(octal).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replaceAll('.', '。'),
    address.replace('.', '%2e'),
  ];
}

function wrappedInV6(address: string): string[] {
  const [a, b, c, d] = bytesOf(address);
  const tail = `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
  const wrappings = ['::ffff:', '::', '::ffff:0:', '64:ff9b::', '64:ff9b:1::'];
  const wrapped = wrappings.flatMap((prefix) => [`${prefix}${tail}`, `${prefix}${address}`]);
  return [...wrapped, `2002:${tail}::`, `2001:0:${tail}::`, `0:0:0:0:0:FFFF:${tail}`];
}

const v6 = [
  '::',
  '::1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  'FE80::1',
  'fd00:ec2::254',
  'ff02::1',
  '2001:db8::1',
  '2620:4f:8000::1',
];

export const forbiddenHosts: readonly string[] = [
  ...v4.flatMap(spellingsOfV4),
  ...v4.flatMap(wrappedInV6).map((address) => `[${address}]`),
  ...v6.map((address) => `[${address}]`),
  'localhost',
  'localhost.',
  '127.1',
  '0',
  '0x7f.1',
  '127.0x0.00.1',
  '①⑥⑨。②⑤④。①⑥⑨。②⑤④',
  '127.0.0\t.1',
  '127.0.0.1\n',
  '%31%32%37.0.0.1',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'LOC\u00adalhost',
  'user@127.0.0.1',
  '8.8.8.8@127.0.0.1',
  'hooks.shop.example:443@127.0.0.1',
  'hooks.shop.example%40127.0.0.1',
  '127.0.0.1\\@8.8.8.8',
  '127.0.0.1#@8.8.8.8',
  '127.0.0.1%00.shop.example',
  '127.0.0.256',
  '4294967296',
  '[fe80::1%25eth0]',
  '[::1%25lo]',
  '[::1].',
  '[[::1]]',
  '[::ffff:127.1]',
];

/** What names may resolve to, one address or several: the first that is forbidden is one too many. */
export const forbiddenAnswers: readonly (readonly string[])[] = [
  ['127.0.0.1'],
  ['::1'],
  ['::ffff:127.0.0.1'],
  ['8.8.8.8', '127.0.0.1'],
  ['127.0.0.1', '8.8.8.8'],
  ['2606:4700:4700::1111', 'fe80::1'],
  ['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '169.254.169.254'],
];
