import fc from 'fast-check';
import { contactPointsOf, readContactEntry } from '../../../domain/leads/contact-points.ts';
import { mergeTarget } from '../../../domain/leads/merge.ts';
import { sharePoint, typedPair, type TypedPerson } from '../../support/people-as-typed.ts';

const pointsOf = ({ leadPhones, leadEmails }: TypedPerson) =>
  contactPointsOf([...leadPhones, ...leadEmails].map(readContactEntry));

test('two people share a lead if, and only if, they share a readable number or address', () => {
  let [shared, apart] = [0, 0];
  fc.assert(
    fc.property(typedPair, ([first, second]) => {
      const open = pointsOf(first).map((contactPoint) => ({
        contactPoint,
        holder: { leadId: 'first' },
      }));
      const isMerged = mergeTarget(pointsOf(second), open, false) !== null;
      expect(isMerged).toBe(sharePoint(first, second));
      if (isMerged) shared += 1;
      else apart += 1;
    }),
    { numRuns: 5000 },
  );
  expect(Math.min(shared, apart)).toBeGreaterThan(500);
});
