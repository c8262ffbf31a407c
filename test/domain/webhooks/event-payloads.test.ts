import { DEFAULT_EVENT_TYPES, readEventTypes } from '../../../domain/webhooks/event-payloads.ts';

describe('the events that an endpoint wants', () => {
  test('are named once each, in any order, with blanks', () => {
    const { events, unknown } = readEventTypes(' lead.assigned, lead.created,lead.assigned');
    expect(events).toEqual(['lead.created', 'lead.assigned']);
    expect(unknown).toEqual([]);
  });

  test('are those that every receiver knows where none is named', () => {
    expect(DEFAULT_EVENT_TYPES).toEqual(['lead.created', 'lead.assigned']);
  });

  test('must be ones that there are', () => {
    expect(readEventTypes('lead.created,lead.deleted').unknown).toEqual(['lead.deleted']);
  });
});
