import { assignAgentSlugs } from '../../../store/dataset/people.ts';

const agent = (email: string, name: string, slug: string | null = null) => ({ email, name, slug });
const slugsOf = (agents: ReturnType<typeof agent>[], known: Record<string, string> = {}) => [
  ...assignAgentSlugs(agents, new Map(Object.entries(known))).values(),
];

describe('an agent without a slug in the dataset', () => {
  test.each([
    ['María Peña', 'maria-pena'],
    ['أحمد عُمر', 'احمد-عمر'],
    ["Sara O'Neil H.", 'sara-o-neil-h'],
    ['—', '—'],
  ])('%s gets %s of the name: accents are no ends of words', (name, slug) => {
    expect(slugsOf([agent('a@b', name)])).toEqual([slug]);
  });

  test('gets the next free one where others have that name', () => {
    const agents = [agent('a@b', 'Omar'), agent('c@d', 'Omar'), agent('e@f', 'Omar')];
    expect(slugsOf(agents, { omar: 'x@y' })).toEqual(['omar-2', 'omar-3', 'omar-4']);
  });

  test('keeps the one of earlier, whatever the name is now', () => {
    const agents = [agent('c@d', 'Omar'), agent('a@b', 'Omar K')];
    expect(slugsOf(agents, { omar: 'a@b', 'omar-2': 'c@d' })).toEqual(['omar-2', 'omar']);
  });

  test('gives way to one who is given that slug, and may take one that is given up', () => {
    const agents = [agent('a@b', 'Omar'), agent('c@d', 'Omar', 'omar'), agent('e@f', 'Two')];
    const known = { omar: 'a@b', two: 'c@d' };
    expect(slugsOf(agents, known)).toEqual(['omar-2', 'omar', 'two']);
  });
});
