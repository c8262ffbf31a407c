import { readText } from '../../../domain/quiz/answer.ts';
import { describeReading } from './describe-reading.ts';
import reported from './reported-values.json' with { type: 'json' };

describe('Answers from the bug reports of similar systems', () => {
  it.each(reported.read)('reads "%s" as %s', (text = '', says) => {
    expect(describeReading(readText(text))).toBe(says);
  });

  it.each(reported.mayBeFlagged)('reads "%s" as %s, or flags it', (text = '', says) => {
    expect([says, 'flagged']).toContain(describeReading(readText(text)));
  });
});
