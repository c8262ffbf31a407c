import { z } from 'zod';
import { adPlatform } from '../../domain/leads/ad-platform.ts';
import { comment } from '../../domain/leads/comments.ts';
import {
  createPayload,
  MAX_QUIZ_ANSWERS,
  NOT_BLANK,
  updatePayload,
} from '../../domain/leads/payload-schema.ts';

/**
 * The blocks of a lead as a sender should form them. The service takes more, since nothing in a quiz fails a request.
 */

const text = z.string().nullish();
const oneOrMore = z.union([z.string(), z.array(z.string())]).nullish();

const quizAnswer = z
  .looseObject({
    questionKey: text.meta({ description: 'Stable over languages and over time.' }),
    questionLabel: text,
    label: text.meta({ description: 'Another name of questionLabel.' }),
    optionKey: oneOrMore.meta({ description: 'Stable too; one or several.' }),
    optionKeys: oneOrMore.meta({ description: 'Another name of optionKey.' }),
    answerLabel: oneOrMore,
    value: z.union([z.string(), z.number()]).nullish().meta({
      description: 'A number, range, amount, date or yes/no as the person gave it.',
    }),
    currency: text,
  })
  .meta({ id: 'QuizAnswer' });

const quiz = z
  .looseObject({
    quizKey: text.meta({ description: 'Answers supersede earlier ones of the same quiz.' }),
    quizName: text,
    locale: text,
    version: text,
    answers: z.array(quizAnswer).max(MAX_QUIZ_ANSWERS).optional(),
  })
  .meta({
    id: 'Quiz',
    description:
      'An answer that cannot be read is kept as sent and flagged; so is one beyond the 60th of a request, the 100th question of the quiz or the 200th option of the question.',
  });

const adPlatformBlock = adPlatform
  .extend({
    adPlatformLeadId: text.meta({ description: 'Without it the block is discarded.' }),
    customFields: z.record(z.string(), z.string()).nullish(),
  })
  .meta({ id: 'AdPlatform' });

const blocks = {
  adPlatform: adPlatformBlock.nullish(),
  quiz: quiz.nullish(),
  comments: z
    .array(comment.meta({ id: 'Comment' }))
    .nullish()
    .meta({ description: 'Only the first five are read; the others count as skipped.' }),
};

/** A create needs a phone or an e-mail. Generators of types skip `if`, so that bodies can be put together. */
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

/** The schema that the document shows in place of the one that validates requests. */
export function documentedBody(schema: z.ZodType): z.ZodType {
  return documented.get(schema) ?? schema;
}
