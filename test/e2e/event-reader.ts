import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '../../dev/wait-until.ts';
import { eventTypes } from '../../domain/webhooks/event-payloads.ts';
import type { Database } from '../../store/db/database.ts';

export interface ReadEvent {
  id: string;
  type: string;
  /** Those of an endpoint have neither. */
  data: { leadId?: string; sequence?: number };
}

interface Page {
  data: ReadEvent[];
  meta: { next: string; hasMore: boolean };
}

export interface EventReader {
  /** Reads what is left; returns all events from the first one on. */
  finish(): Promise<ReadEvent[]>;
}

const PAUSE_MS = 50;

/**
 * Reads all events by cursor, as an integrator does, from now until `finish`. `get` requests a path below `/v2`
 * and throws where it gets no page: the same page is then read again.
 */
export function startEventReader(get: (path: string) => Promise<unknown>): EventReader {
  const events: ReadEvent[] = [];
  let cursor = 'first';
  let isFinishing = false;

  async function readPage(): Promise<boolean> {
    const path = `/public/events?limit=20&types=${eventTypes.join()}&after=${cursor}`;
    const page = await waitUntil(async () => (await get(path)) as Page, {
      what: 'A page of events',
    });
    events.push(...page.data);
    cursor = page.meta.next;
    return page.meta.hasMore;
  }

  async function read(): Promise<ReadEvent[]> {
    for (;;) {
      const isLast = isFinishing;
      while (await readPage());
      if (isLast) return events;
      await pause(PAUSE_MS);
    }
  }

  const reading = read();
  reading.catch(() => null); // `finish` rejects
  return {
    finish() {
      isFinishing = true;
      return reading;
    },
  };
}

/** Each event of the database was read once, and those of a lead in the order of their sequence. */
export async function expectAllRead(database: Database, read: readonly ReadEvent[]): Promise<void> {
  const stored = await database.query<{ id: string }>(`select id from webhook_events`);
  expect(read.map(({ id }) => id).toSorted()).toEqual(stored.map(({ id }) => id).toSorted());
  const ofLeads = read.filter(({ data }) => data.leadId !== undefined);
  for (const [, events] of Map.groupBy(ofLeads, ({ data }) => data.leadId))
    expect(events.map(({ data }) => data.sequence)).toEqual(
      events.map((_event, index) => index + 1),
    );
}
