import { randomUUID } from 'node:crypto';
import { freshSince } from '../../../domain/dncr/answer-cache.ts';
import { openCheck } from '../../../store/dncr/checks.ts';
import type { TestApi } from '../../support/api.ts';

/** The digit at the end says to the registry: not registered. */
let lastPhone = 581_000_000;

/** Opens a check of one number that nobody has asked for; returns its id. */
export async function openTestCheck({ database, client }: TestApi): Promise<string> {
  const id = randomUUID();
  const now = new Date();
  await openCheck(database, {
    id,
    clientId: client.id,
    now,
    fresh: false,
    phones: [`0${(lastPhone += 10)}`],
    numberHashes: [],
    invalid: 0,
    freshSince: freshSince(now),
    leaseUntil: new Date(now.getTime() + 3_600_000),
  });
  return id;
}
