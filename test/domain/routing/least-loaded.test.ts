import { describe, expect, it } from '@jest/globals';
import { leastLoaded } from '../../../domain/routing/least-loaded.ts';
import type { RosterAgent } from '../../../domain/routing/roster.ts';
import { makeAgent } from './make.ts';

const EARLY = '2026-03-01T08:00:00Z';
const LATE = '2026-03-02T08:00:00Z';

describe('least loaded', () => {
  it.each<
    [sentence: string, first: Partial<RosterAgent>, second: Partial<RosterAgent>, chosen: string]
  >([
    ['an agent with nothing counts too', { openLeads: 1 }, {}, 'second'],
    ['fewest open leads', { openLeads: 3 }, { openLeads: 2, assignedToday: 9 }, 'second'],
    [
      'then fewest of today',
      { assignedToday: 2 },
      { assignedToday: 1, lastAssignedAt: LATE },
      'second',
    ],
    [
      'then the longest since the last one',
      { lastAssignedAt: LATE },
      { lastAssignedAt: EARLY },
      'second',
    ],
    ['one who never had a lead has waited longest', { lastAssignedAt: EARLY }, {}, 'second'],
    [
      'instants are compared, not texts',
      { lastAssignedAt: '2026-03-01T10:00:00+04:00' },
      { lastAssignedAt: '2026-03-01T07:00:00Z' },
      'first',
    ],
    ['then the order of the team', {}, {}, 'first'],
  ])('%s', (_sentence, first, second, chosen) => {
    const agents = [makeAgent({ ...first, id: 'first' }), makeAgent({ ...second, id: 'second' })];
    expect(leastLoaded(agents)?.chosen).toBe(chosen);
  });

  it('is nobody among nobody', () => {
    expect(leastLoaded([])).toBeNull();
  });
});
