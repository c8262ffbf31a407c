import { z } from 'zod';
import {
  adPlatformTexts,
  createPayload,
  updatePayload,
} from '../../domain/leads/payload-schema.ts';

/**
 * The blocks of a lead as a sender should write them. The schemas that validate requests are looser, since
 * nothing in a block fails a create.
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
    answers: z.array(quizAnswer).optional(),
  })
  .meta({ id: 'Quiz' });

const comment = z
  .looseObject({
    date: text.meta({ description: 'When it was made; when omitted, now.' }),
    text: z.string().max(10_000),
    author: z.string().max(255).nullish(),
    channel: z.string().max(64).nullish(),
    direction: z.enum(['inbound', 'outbound']).nullish(),
    externalId: z.string().max(128).nullish().meta({
      description: 'One that the lead already has is skipped.',
    }),
  })
  .meta({ id: 'Comment' });

const adPlatform = z
  .looseObject({
    ...Object.fromEntries(adPlatformTexts.map((name) => [name, text])),
    adPlatformLeadId: z.string().meta({ description: 'Without it the block is discarded.' }),
    customFields: z.record(z.string(), z.string()).nullish(),
  })
  .meta({ id: 'AdPlatform' });

const blocks = {
  adPlatform: adPlatform.nullish(),
  quiz: quiz.nullish(),
  comments: z.array(comment).nullish().meta({
    description: 'The first five are added; the rest is skipped and counted.',
  }),
};

const documented = new Map<z.ZodType, z.ZodType>([
  [createPayload, createPayload.extend(blocks).meta({ id: 'LeadCreate' })],
  [updatePayload, updatePayload.extend(blocks).meta({ id: 'LeadUpdate' })],
]);

/** The schema that the document shows in place of the one that validates requests. */
export function documentedBody(schema: z.ZodType): z.ZodType {
  return documented.get(schema) ?? schema;
}
