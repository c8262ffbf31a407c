import type { Document } from './document.ts';
import { exampleOf } from './example-of.ts';
import type { Components, Schema } from './example-of.ts';

interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: unknown;
}
interface Operation {
  responses?: Record<string, { content?: Record<string, Media> }>;
}

/** Gives an example to every answer whose route has none of its own. */
export function fillExamples(document: Document): Document {
  const components = (document.components?.schemas ?? {}) as Components;
  for (const media of mediaOfResponses(document)) {
    if (media.schema === undefined || 'example' in media || 'examples' in media) continue;
    media.example = exampleOf(media.schema, components);
  }
  return document;
}

function mediaOfResponses(document: Document): Media[] {
  const operations = Object.values(document.paths ?? {}).flatMap(
    (item) => Object.values(item) as Operation[],
  );
  return operations
    .flatMap(({ responses = {} }) => Object.values(responses))
    .flatMap(({ content = {} }) => Object.values(content));
}
