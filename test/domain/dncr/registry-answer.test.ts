import fc from 'fast-check';
import { matchAnswers, readRegistryStatus } from '../../../domain/dncr/registry-answer.ts';

describe('the registry’s status', () => {
  test.each([
    ['TRUE', null, 'registered'],
    ['FALSE', null, 'not_registered'],
    ['TRUE', 'Account Number – Not Found', 'registered'],
    [null, 'Account Number – Not Found', 'not_found'],
    [null, 'account number\u00A0−\u00A0not found', 'not_found'],
    [null, ' AccountNumber-NotFound ', 'not_found'],
    [null, 'Account Number Not Found.', 'not_found'],
    [null, 'Technical error', 'unavailable'],
    [null, '', 'unavailable'],
    [null, null, 'unavailable'],
    ['MAYBE', null, 'unavailable'],
    ['true', null, 'unavailable'],
    ['', 'Account Number – Not Found', 'unavailable'],
  ])('%j with the text %j is %s, its texts verbatim', (dncrStatus, registryStatus, status) => {
    expect(readRegistryStatus(dncrStatus, registryStatus)).toEqual({
      status,
      dncrStatus,
      registryStatus,
    });
  });
});

const row = (accountNumber: string, dncrStatus: string | null) => ({
  accountNumber,
  dncrStatus,
  transactionStatus: null,
});
const statuses = (...given: Parameters<typeof matchAnswers>) =>
  Object.fromEntries([...matchAnswers(...given)].map(([phone, { status }]) => [phone, status]));

describe('the registry’s rows', () => {
  test('are matched by number in any of its forms', () => {
    const phones = ['0501234567', '0551234567'];
    expect(statuses(phones, [row('971551234567', 'FALSE'), row('0501234567', 'TRUE')])).toEqual({
      '0501234567': 'registered',
      '0551234567': 'not_registered',
    });
  });

  test('that are missing or contradict each other are no answer', () => {
    const phones = ['0501234567', '0551234567'];
    expect(statuses(phones, [row('0501234567', 'TRUE'), row('0501234567', 'FALSE')])).toEqual({
      '0501234567': 'unavailable',
      '0551234567': 'unavailable',
    });
  });

  test('give each number asked for one answer, in any order and with rows of others between', () => {
    const phone = fc.stringMatching(/^05\d{8}$/);
    const asked = fc.uniqueArray(fc.tuple(phone, fc.constantFrom('TRUE', 'FALSE')), {
      selector: ([number]) => number,
      maxLength: 20,
    });
    fc.assert(
      fc.property(asked, fc.array(phone), fc.infiniteStream(fc.nat()), (numbers, others, order) => {
        const known = new Set(numbers.map(([number]) => number));
        const details = [
          ...numbers.map(([number, status]) => row(number, status)),
          ...others.filter((number) => !known.has(number)).map((number) => row(number, 'TRUE')),
        ]
          .map((detail) => ({ detail, place: order.next().value }))
          .sort((a, b) => a.place - b.place)
          .map(({ detail }) => detail);
        expect(statuses([...known], details)).toEqual(
          Object.fromEntries(
            numbers.map(([number, status]) => [
              number,
              status === 'TRUE' ? 'registered' : 'not_registered',
            ]),
          ),
        );
      }),
    );
  });
});
