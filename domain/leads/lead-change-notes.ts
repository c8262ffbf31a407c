import { SENT_BACK } from '../assignment/assignment-notes.ts';
import type { LeadChange } from './lead-change.ts';

type NotedChange = Pick<LeadChange, 'updatedFields' | 'rerouted'>;

/** The timeline notes of a changed lead; they name integrations and fields, never a person. */

export function updateNoteText(integration: string, change: NotedChange): string {
  return `${integration} updated ${change.updatedFields.join(', ')}.${sentBack(change)}`;
}

export function mergeNoteText(integration: string, change: NotedChange): string {
  return `An enquiry from ${integration} was merged into this lead: ${fieldList(change)}.`;
}

export function resolvedNoteText(author: string, change: NotedChange): string {
  const fields = fieldList(change);
  return `An import by ${author} resolved what was sent earlier: ${fields}.${sentBack(change)}`;
}

function fieldList({ updatedFields }: NotedChange): string {
  return updatedFields.length > 0 ? updatedFields.join(', ') : 'nothing new';
}

function sentBack({ rerouted }: NotedChange): string {
  return rerouted ? SENT_BACK : '';
}
