import fc from 'fast-check';
import { isForbiddenAddress, endpointUrlError } from '../../../domain/webhooks/endpoint-address.ts';

const allowed = [
  '1.1.1.1',
  '11.0.0.0',
  '100.63.255.255',
  '169.255.0.0',
  '172.32.0.0',
  '198.20.0.0',
  '223.255.255.255',
  '168.63.129.17',
  '2606:4700:4700::1111',
  '2001:200::1',
  '3ffe::1',
];
const forbidden = [
  '0.1.2.3',
  '10.0.0.0',
  '100.64.0.0',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.0',
  '192.0.0.1',
  '192.0.0.192',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '203.0.113.1',
  '224.0.0.1',
  '255.255.255.255',
  '100.100.100.200',
  '168.63.129.16',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::127.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '4000::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1%eth0',
  'ff02::1',
  '2620:4f:8000::1',
  '',
  '127.1',
  '[::1]',
  ' 8.8.8.8',
];

describe('addresses that webhooks may go to', () => {
  test.each(allowed)('%s', (address) => {
    expect(isForbiddenAddress(address, false)).toBe(false);
  });
});

describe('addresses that they never go to', () => {
  test.each(forbidden)('"%s"', (address) => {
    expect(isForbiddenAddress(address, false)).toBe(true);
  });

  test('any private IPv4 address in any IPv6 wrapping', () => {
    fc.assert(
      fc.property(fc.nat(255), fc.nat(255), fc.nat(255), (b, c, d) => {
        const hex = (high: number, low: number) => ((high << 8) | low).toString(16);
        const wrapped = `${hex(10, b)}:${hex(c, d)}`;
        for (const prefix of ['::ffff:', '::', '::ffff:0:', '64:ff9b::', '64:ff9b:1::'])
          expect(isForbiddenAddress(`${prefix}${wrapped}`, false)).toBe(true);
        expect(isForbiddenAddress(`2002:${wrapped}::1`, false)).toBe(true);
        expect(isForbiddenAddress(`2001:0:${wrapped}::1`, false)).toBe(true);
      }),
    );
  });
});

describe('an installation that may call its own network', () => {
  test.each(['127.0.0.1', '::1', '10.1.2.3', '192.168.1.1', 'fd12::1', '::ffff:127.0.0.1'])(
    'reaches %s',
    (address) => expect(isForbiddenAddress(address, true)).toBe(false),
  );

  test.each([
    '169.254.169.254',
    '::ffff:169.254.169.254',
    'fe80::1',
    'fd00:ec2::254',
    '168.63.129.16',
    '0.0.0.0',
    '::',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '::ffff:0:a9fe:a9fe',
    '2002:a9fe:a9fe::1',
  ])('does not reach %s', (address) => expect(isForbiddenAddress(address, true)).toBe(true));
});

describe('the address of an endpoint', () => {
  test.each([
    ['https://shop.example/hooks', false, true],
    ['https://shop.example:8443/hooks?key=1', false, true],
    ['http://shop.example/hooks', true, true],
    ['http://shop.example/hooks', false, false],
    ['ftp://shop.example/hooks', true, false],
    ['file:///etc/passwd', true, false],
    ['shop.example/hooks', true, false],
    ['', true, false],
    ['https://user:secret@shop.example/hooks', false, false],
    ['https://user@shop.example/hooks', false, false],
  ])('%s, plain http allowed: %s', (url, allowHttp, isGood) => {
    expect(endpointUrlError(url, allowHttp) === null).toBe(isGood);
  });
});
