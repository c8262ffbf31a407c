import type { CreateDocumentOptions, createDocument } from 'zod-openapi';

export type Document = ReturnType<typeof createDocument>;

type Override = Extract<CreateDocumentOptions['override'], (...context: never) => unknown>;

const isSafeLimit = (limit: unknown) => Math.abs(Number(limit)) === Number.MAX_SAFE_INTEGER;

/** Takes out of a schema what generators of clients stumble over, or what would have them refuse later fields. */
export const asGeneratorsTakeIt: Override = ({ jsonSchema, io }) => {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (typeof jsonSchema.const === 'boolean') delete jsonSchema.const;
  if (io === 'output' && jsonSchema.additionalProperties === false)
    delete jsonSchema.additionalProperties;
  const isWhole = jsonSchema.type === 'integer'; // zod limits every one to what JavaScript counts exactly
  if (isWhole && isSafeLimit(jsonSchema.minimum)) delete jsonSchema.minimum;
  if (isWhole && isSafeLimit(jsonSchema.maximum)) delete jsonSchema.maximum;
  delete jsonSchema.propertyNames;
};
