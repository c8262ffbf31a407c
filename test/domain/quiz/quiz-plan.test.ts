import {
  type KnownQuestion,
  quizFlags,
  registerAnswers,
  isRetriedQuiz,
  supersededQuizKey,
} from '../../../domain/quiz/quiz-plan.ts';
import { readQuiz } from '../../../domain/quiz/answer.ts';

const register = (answers: unknown[], known: KnownQuestion[] = [], quizKey: unknown = 'finder') =>
  registerAnswers(known, readQuiz({ quizKey, answers }));
const times = <T>(count: number, make: (n: number) => T) =>
  Array.from({ length: count }, (_, n) => make(n));
const choice = (questionKey: string, optionKey: string | string[]) => ({ questionKey, optionKey });

describe('Questions and options register themselves the first time they arrive', () => {
  it('registers a question once, with its label and all its options', () => {
    const answers = [
      { questionKey: 'area', questionLabel: 'Area?', optionKey: ['marina', 'jvc'] },
      choice('area', 'downtown'),
      { questionKey: 'name', answerLabel: 'Sara' },
    ];
    expect(register(answers).questions).toEqual([
      { question: 'area', label: 'Area?', position: 0, options: ['marina', 'jvc', 'downtown'] },
      { question: 'name', label: null, position: 1, options: [] },
    ]);
  });

  it('adds only what the catalogue did not have', () => {
    const known = [{ question: 'area', options: ['marina'] }];
    const registration = register(
      [choice('area', ['marina', 'jvc']), choice('type', 'villa')],
      known,
    );
    expect(registration.questions).toEqual([
      { question: 'area', label: null, position: 0, options: ['marina', 'jvc'] },
      { question: 'type', label: null, position: 1, options: ['villa'] },
    ]);
    expect(register([choice('area', 'marina')], known).questions).toEqual([]);
  });

  it('without keys each language is a question of its own, never one with a key', () => {
    const answers = [
      { questionLabel: 'Budget?', value: 1 },
      { label: 'الميزانية؟', value: 1 },
      { label: 'Budget?', value: 2 },
      { questionKey: 'Budget?', value: 3 },
    ];
    expect(register(answers).questions.map(({ question }) => question)).toEqual([
      'label:Budget?',
      'label:الميزانية؟',
      'Budget?',
    ]);
  });

  it('a quiz without a key is kept and registers nothing', () => {
    const registration = register([choice('area', 'marina')], [], null);
    expect(registration.questions).toEqual([]);
    expect(registration.answers[0]).toMatchObject({ question: 'area', flagged: false });
  });
});

describe('Quiz limits', () => {
  it('60 answers per submission register, the rest are recorded and flagged', () => {
    const registration = register(times(62, (n) => choice(`q${n}`, 'a')));
    expect(registration.questions).toHaveLength(60);
    expect(registration.answers).toHaveLength(62);
    expect(registration.answers[59]).toMatchObject({ flagged: false, reason: null });
    expect(registration.answers[60]).toMatchObject({
      question: 'q60',
      flagged: true,
      reason: 'answer_limit',
    });
  });

  it('an answer beyond the 60 is flagged even where its question is known', () => {
    const registration = register(
      times(61, () => choice('q', 'a')),
      [{ question: 'q', options: ['a'] }],
    );
    expect(registration.answers.map(({ flagged }) => flagged).indexOf(true)).toBe(60);
  });

  it('a quiz is capped at 100 questions', () => {
    const known = times(99, (n) => ({ question: `q${n}`, options: [] }));
    const registration = register(
      [choice('new1', 'a'), choice('new2', 'a'), choice('q5', 'a')],
      known,
    );
    expect(registration.questions.map(({ question }) => question)).toEqual(['q5', 'new1']);
    expect(registration.answers.map(({ reason }) => reason)).toEqual([
      null,
      'question_limit',
      null,
    ]);
  });

  it('a question is capped at 200 options', () => {
    const options = times(199, (n) => `o${n}`);
    const known = [{ question: 'q', options }];
    const registration = register(
      [choice('q', ['x', 'y']), choice('q', 'o7'), choice('q', 'z')],
      known,
    );
    expect(registration.questions).toMatchObject([{ question: 'q', options: [...options, 'x'] }]);
    expect(registration.answers.map(({ reason }) => reason)).toEqual([
      'option_limit',
      null,
      'option_limit',
    ]);
  });

  it('a key longer than 255 characters registers nothing and is flagged', () => {
    const [short, long] = ['ق'.repeat(255), 'ق'.repeat(256)];
    const registration = register([choice(long, 'a'), choice(short, long)]);
    expect(registration.questions).toMatchObject([{ question: short, options: [] }]);
    expect(registration.answers.map(({ reason }) => reason)).toEqual([
      'key_too_long',
      'key_too_long',
    ]);
  });
});

describe('Unreadable answers appear as quiz.<quizKey>.<questionKey> with the original value', () => {
  const flags = (answers: unknown[], quizKey: unknown = 'finder') => {
    const quiz = readQuiz({ quizKey, answers });
    return quizFlags(quiz.quizKey, registerAnswers([], quiz).answers);
  };

  it('only those, each with what was sent', () => {
    const answers = [
      { questionKey: 'budget', value: ' No preference ' },
      { questionKey: 'beds', value: '2' },
      { questionKey: 'when', value: '03/04/2026' },
      { questionKey: 'list', value: ['a', 'b'] },
    ];
    expect(flags(answers)).toEqual({
      'quiz.finder.budget': ' No preference ',
      'quiz.finder.when': '03/04/2026',
      'quiz.finder.list': ['a', 'b'],
    });
  });

  it('by label where there is no key, by place where there is neither', () => {
    expect(
      flags([{ label: 'When?', value: 'asap' }, 'junk', { questionKey: 'x', value: 'asap' }]),
    ).toEqual({ 'quiz.finder.When?': 'asap', 'quiz.finder.#2': 'junk', 'quiz.finder.x': 'asap' });
    expect(flags([{ questionKey: 'x', value: 'asap' }], null)).toEqual({ 'quiz.-.x': 'asap' });
  });

  it('a question flagged twice has both values', () => {
    const answers = [
      { questionKey: 'x', value: 'asap' },
      { questionKey: 'x', value: 'soon' },
    ];
    expect(flags(answers)).toEqual({ 'quiz.finder.x': ['asap', 'soon'] });
  });

  it('an answer over a limit is there with its option', () => {
    const answers = times(62, (n) => choice(`q${n}`, n === 61 ? ['a', 'b'] : 'a'));
    expect(flags(answers)).toEqual({ 'quiz.finder.q60': 'a', 'quiz.finder.q61': ['a', 'b'] });
  });
});

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
