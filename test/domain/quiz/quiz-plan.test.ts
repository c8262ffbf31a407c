import { describe, expect, it } from '@jest/globals';
import { readQuiz } from '../../../domain/quiz/answer.ts';
import { isRetriedQuiz, supersededQuizKey } from '../../../domain/quiz/quiz-plan.ts';

describe('Quiz answers supersede earlier answers', () => {
  it('for the same quizKey only', () => {
    expect(supersededQuizKey(readQuiz({ quizKey: 'finder', answers: [1] }))).toBe('finder');
    expect(supersededQuizKey(readQuiz({ answers: [1] }))).toBe('');
  });

  it('not when the block brings none', () => {
    expect(supersededQuizKey(readQuiz({ quizKey: 'finder', answers: [] }))).toBeNull();
  });

  it('not when they are the current answers sent once more, in the same order', () => {
    const { answers } = readQuiz({ quizKey: 'finder', answers: [{ questionKey: 'a' }, null] });
    expect(isRetriedQuiz(answers, [{ questionKey: 'a' }, null])).toBe(true);
    expect(isRetriedQuiz(answers, [null, { questionKey: 'a' }])).toBe(false);
    expect(isRetriedQuiz(answers, [])).toBe(false);
  });
});
