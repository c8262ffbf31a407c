import { nearness, nearQuery } from '../../domain/people/near-texts.ts';
import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import type { Sql } from '../db/database.ts';
import { searchSentTexts, type SentText } from './search-texts.ts';

const SHOWN = 10;

/** Where nothing is kept under a phone or e-mail: the nearest texts that were sent as one, with their leads. */
export async function findNearTexts(
  sql: Sql,
  asked: readonly ContactPoint[],
  text: string,
): Promise<SentText[]> {
  const query = nearQuery(asked, text);
  if (query.digits.length + query.words.length === 0) return [];
  const found = await searchSentTexts(sql, query);
  const near = found.flatMap((sent) => {
    const distance = nearness(asked, text, sent.text);
    return distance === null ? [] : [{ distance, sent }];
  });
  near.sort(
    (a, b) => a.distance - b.distance || Number(b.sent.createdAt) - Number(a.sent.createdAt),
  );
  return near.slice(0, SHOWN).map(({ sent }) => sent);
}
