import { isUuid } from '../uuid.ts';
import { sentText } from './enquiry.ts';
import type { Enquiry } from './enquiry.ts';

const NAMES = ['listingId', 'referenceNo'] as const;

/** The field that names the listing: listingId wins over referenceNo, a sent field over a quiz answer. */
export function namedListing(enquiry: Enquiry): { field: string; text: string } | null {
  const sent = NAMES.filter((name) => enquiry.values.has(name));
  for (const field of sent.length > 0 ? sent : NAMES) {
    const text = sentText(enquiry, field);
    if (text !== null) return { field, text };
  }
  return null;
}

/** Which listings to read: by id, or by reference number, whose case is the database's to compare. */
export function listingKey(enquiry: Enquiry): { id: string | null; referenceNo: string | null } {
  const named = namedListing(enquiry);
  const text = named && named.text.trim().normalize('NFC');
  if (named?.field !== 'listingId') return { id: null, referenceNo: text };
  return { id: text !== null && isUuid(text) ? text.toLowerCase() : null, referenceNo: null };
}
