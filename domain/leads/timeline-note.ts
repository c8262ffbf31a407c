/**
 * The kinds of notes on a lead's timeline, each with what an erasure does to its text and data: `kept` where the
 * service words it from names of records, fields and ids; `emptied` where it holds anything of the customer. What
 * an operator writes about a lead is no note: it belongs in `operator_texts`.
 */
export const noteErasures = {
  created: 'kept',
  assigned: 'kept',
  pool: 'kept',
  unassigned: 'kept',
  waiting: 'kept',
  follow_up: 'kept',
  response: 'kept',
  updated: 'kept',
  merged: 'kept',
  resolved: 'kept',
} as const satisfies NoteErasures;

export type NoteErasures = Readonly<Record<string, 'kept' | 'emptied'>>;
export type NoteKind = keyof typeof noteErasures;
export const noteKinds = Object.keys(noteErasures) as NoteKind[];

/** Notes of a changed lead name the fields that changed; the others have no data. */
export type NoteContent =
  | { kind: ChangeNoteKind; text: string; data: { fields: readonly string[] } }
  | { kind: Exclude<NoteKind, ChangeNoteKind>; text: string; data?: undefined };
type ChangeNoteKind = 'updated' | 'merged' | 'resolved';
