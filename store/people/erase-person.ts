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
 * Erases a person lead by lead, the contact with the last one, and leads that came before that too. An enquiry that
 * comes after it is of a new contact, and stays. Interrupted, it goes on when it is run again: the contact leads to
 * what is left until the end.
 */
export async function erasePerson(
  database: Database,
  person: Person,
  { asked, onErased, ...erasure }: PersonErasure,
): Promise<ErasureView | null> {
  const { now } = erasure;
  const erasureId = await beginErasure(database, { ...erasure, reason: 'person' });
  await eraseContactPoints(database, person, now);
  const isKnown = (contactId: string) => person.contactIds.includes(contactId);
  let left = person;
  while (left.leads.length > 0 && left.contactIds.every(isKnown)) {
    for (const [index, { id }] of left.leads.entries()) {
      await eraseLead(database, id, { erasureId, now });
      onErased(index + 1);
    }
    left = await findPerson(database, asked);
  }
  return finishErasure(database, erasureId, now);
}
