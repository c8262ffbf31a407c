import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import type { Database } from '../db/database.ts';
import { eraseLead, type LeadErasure } from './erase-lead.ts';
import {
  beginErasure,
  eraseContactPoints,
  finishErasure,
  type ErasureView,
  type NewErasure,
} from './erasures.ts';
import { findPerson, pointsOfNoOtherLead, type Person, type PersonLead } from './find-person.ts';
import type { Scope } from './scope.ts';
import { takeOffLead } from './take-off-lead.ts';

export interface ErasurePlan {
  /** Whose leads are erased, contacts with the last of theirs. */
  person: Person;
  /** All phones and e-mails of the person, whatever leads it is limited to. */
  contactPoints: readonly ContactPoint[];
  /** Leads of other contacts: these phones and e-mails are taken off, the rest stays. */
  ofOthers: readonly PersonLead[];
  /** Leads of an earlier erasure that hold something again. */
  leftovers: readonly string[];
  scope: Scope;
}

export interface PersonErasure extends Pick<NewErasure, 'id' | 'author' | 'now'> {
  asked: readonly ContactPoint[];
  hashesOf: LeadErasure['hashesOf'];
  onErased: (leads: number) => void;
}

/**
 * Erases a person lead by lead, the contact with the last one, and leads that came before that too. An enquiry that
 * comes after it is of a new contact, and stays. Interrupted, it goes on when it is run again: the contact leads to
 * what is left until the end. DNCR results go first, while all numbers are known, and again at the end.
 */
export async function erasePerson(
  database: Database,
  plan: ErasurePlan,
  { asked, onErased, hashesOf, ...erasure }: PersonErasure,
): Promise<ErasureView | null> {
  const { now } = erasure;
  const hashes = hashesOf([...asked, ...plan.person.contactPoints]);
  const erasureId = await beginErasure(database, { ...erasure, hashes, reason: 'person' });
  const isLimited = plan.scope.leads.length > 0;
  const terms = { erasureId, now, inactiveSince: null, hashesOf, leavesContact: isLimited };
  const freed = { ...plan.person, contactPoints: await freedPoints(database, plan) };
  await eraseContactPoints(database, freed, now);
  await eraseLeads(database, plan, asked, { terms, onErased });
  for (const { id } of plan.ofOthers) await takeOffLead(database, id, plan.contactPoints);
  for (const id of plan.leftovers) await eraseLead(database, id, terms);
  await eraseContactPoints(database, freed, now);
  return finishErasure(database, erasureId, now);
}

/** What nobody is known by afterwards. */
async function freedPoints(database: Database, { person, scope }: ErasurePlan) {
  return scope.leads.length > 0 ? pointsOfNoOtherLead(database, person) : person.contactPoints;
}

async function eraseLeads(
  database: Database,
  { person, scope }: ErasurePlan,
  asked: readonly ContactPoint[],
  { terms, onErased }: { terms: LeadErasure; onErased: (leads: number) => void },
): Promise<void> {
  const isKnown = (contactId: string) => person.contactIds.includes(contactId);
  let left = person;
  while (left.leads.length > 0 && left.contactIds.every(isKnown)) {
    for (const [index, { id, isShared }] of left.leads.entries()) {
      await eraseLead(database, id, { ...terms, leavesContact: terms.leavesContact || isShared });
      onErased(index + 1);
    }
    if (scope.leads.length > 0) return;
    const found = await findPerson(database, asked);
    const leads = found.leads.filter(({ isShared }) => scope.shared || !isShared);
    left = { ...found, leads };
  }
}
