import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import type { Database } from '../db/database.ts';
import { eraseLead } from './erase-lead.ts';
import {
  beginErasure,
  eraseContactPoints,
  finishErasure,
  type ErasureView,
  type NewErasure,
} from './erasures.ts';
import { findPerson, type Person } from './find-person.ts';

export interface PersonErasure extends Pick<NewErasure, 'id' | 'author' | 'hashes' | 'now'> {
  asked: ContactPoint;
  onErased: (leads: number) => void;
}

/**
 * Erases a person lead by lead, the contact with the last one, and those that came meanwhile too. Interrupted, it goes
 * on when it is run again: the contact leads to what is left until the end.
 */
export async function erasePerson(
  database: Database,
  person: Person,
  { asked, onErased, ...erasure }: PersonErasure,
): Promise<ErasureView | null> {
  const { now } = erasure;
  const erasureId = await beginErasure(database, { ...erasure, reason: 'person' });
  await eraseContactPoints(database, person, now);
  for (let left = person; left.leads.length > 0; left = await findPerson(database, asked))
    for (const [index, { id }] of left.leads.entries()) {
      await eraseLead(database, id, { erasureId, now });
      onErased(index + 1);
    }
  return finishErasure(database, erasureId, now);
}
