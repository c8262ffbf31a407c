import { cleanText } from './clean-text.ts';

/** URL-encoded names and values; one that is repeated becomes a list, which no single-valued schema takes. */
export function parseParameters(text: string): Record<string, string | string[]> {
  const found = new Map<string, string | string[]>();
  for (const [sentName, sentValue] of new URLSearchParams(text)) {
    const [name, value] = [cleanText(sentName), cleanText(sentValue)];
    const earlier = found.get(name);
    found.set(name, earlier === undefined ? value : [...[earlier].flat(), value]);
  }
  return Object.fromEntries(found);
}
