import { z } from 'zod';
import { adPlatform } from '../../domain/leads/ad-platform.ts';
import { comment } from '../../domain/leads/comments.ts';
import { fieldByName } from '../../domain/leads/fields.ts';
import {
  createPayload,
  MAX_QUIZ_ANSWERS,
  NOT_BLANK,
  updatePayload,
} from '../../domain/leads/payload-schema.ts';

const text = z.string().nullish();
const oneOrMore = z.union([z.string(), z.array(z.string())]).nullish();

const quizAnswer = z
  .looseObject({
    questionKey: text.describe('Stable over languages and over time.'),
    questionLabel: text.describe('The question, in the language of the quiz.'),
    label: text.describe('Alias for questionLabel.'),
    optionKey: oneOrMore.describe('Stable too; one or several.'),
    optionKeys: oneOrMore.describe('Alias for optionKey.'),
    answerLabel: oneOrMore.describe('The answer, in the language of the quiz; one or several.'),
    value: z.union([z.string(), z.number()]).nullish().meta({
      description: 'A number, range, amount, date or yes/no as the customer gave it.',
    }),
    currency: text.describe('Currency of an amount, as a code or word.'),
  })
  .meta({ id: 'QuizAnswer' });

const quiz = z
  .looseObject({
    quizKey: text.describe('Answers supersede earlier ones of the same quiz.'),
    quizName: text.describe('Name of the quiz, to show.'),
    locale: text.describe('Language in which the quiz was answered.'),
    version: text.describe('Version of the quiz.'),
    answers: z
      .array(quizAnswer)
      .max(MAX_QUIZ_ANSWERS)
      .optional()
      .describe('One entry per answered question.'),
  })
  .meta({
    id: 'Quiz',
    description:
      'An answer that cannot be read is kept as sent and flagged; so is one beyond the 60th of a request, the 100th question of the quiz or the 200th option of the question.',
  });

const adPlatformBlock = adPlatform
  .extend({
    adPlatformLeadId: text.describe('Without it the block is discarded.'),
    customFields: z
      .record(z.string(), z.string())
      .nullish()
      .describe('Further answers of the form, by name.'),
  })
  .meta({ id: 'AdPlatform' });

/** The service accepts numbers and more spellings. With one type, generated clients need no wrapper class. */
const decimal = (name: string) =>
  z
    .string()
    .meta({ pattern: '^\\d{1,18}(\\.\\d{1,12})?$' })
    .nullish()
    .meta({ description: fieldByName.get(name)?.note });

const blocks = {
  budgetMin: decimal('budgetMin'),
  budgetMax: decimal('budgetMax'),
  adPlatform: adPlatformBlock.nullish().describe('Lead form of an ad platform.'),
  quiz: quiz.nullish().describe('Answers of a quiz or survey.'),
  comments: z
    .array(comment.meta({ id: 'Comment' }))
    .nullish()
    .describe('Only the first five are read; the others count as skipped.'),
};

/** Generators of types skip `if`, so that bodies can be composed. */
const hasEntry = (name: string) => ({
  required: [name],
  properties: { [name]: { type: 'array' as const, items: {}, contains: NOT_BLANK } },
});

const documented = new Map<z.ZodType, z.ZodType>([
  [
    createPayload,
    createPayload.extend(blocks).meta({
      id: 'LeadCreate',
      override: { if: hasEntry('leadPhones'), else: hasEntry('leadEmails') },
    }),
  ],
  [updatePayload, updatePayload.extend(blocks).meta({ id: 'LeadUpdate' })],
]);

export function documentedBody(schema: z.ZodType): z.ZodType {
  return documented.get(schema) ?? schema;
}
