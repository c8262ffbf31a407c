import fc from 'fast-check';
import { lockNumbers } from '../../../store/leads/intake-facts.ts';

test('locks are taken in ascending order whatever the order of the keys, once each', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 20 }), (keys) => {
      const numbers = lockNumbers(keys).map(BigInt);
      expect(numbers).toEqual([...numbers].sort((a, b) => (a < b ? -1 : 1)));
      expect(lockNumbers(keys.toReversed())).toEqual(lockNumbers(keys));
      expect(numbers).toHaveLength(new Set(keys).size);
    }),
  );
});
