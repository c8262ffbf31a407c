import { z } from 'zod';
import { limitedText } from '../../domain/written-text.ts';
import {
  DEFAULT_EVENT_TYPES,
  eventTypes,
  readEventTypes,
} from '../../domain/webhooks/event-payloads.ts';
import { FIRST, LATEST, readEvents } from '../../store/webhooks/event-feed.ts';
import { documentedAs, listPattern, whole } from '../catalogue/query-parameters.ts';
import { ApiError } from '../errors.ts';
import { defineQuery, defineRoute, namedObject } from '../http/route.ts';
import { eventName, eventSchemas } from '../responses/events.ts';

const TYPES = listPattern(`(${eventTypes.join('|').replaceAll('.', '\\.')})`);

const types = z
  .string()
  .transform((list, context) => {
    const { events, unknown } = readEventTypes(list);
    if (unknown.length === 0) return events.length > 0 ? events : DEFAULT_EVENT_TYPES;
    context.addIssue(`has an unknown type; there are ${eventTypes.join(', ')}`);
    return z.NEVER;
  })
  .default(DEFAULT_EVENT_TYPES)
  .meta({
    description: `Separated by commas, of ${eventTypes.join(', ')}; without it ${DEFAULT_EVENT_TYPES.join(' and ')}.`,
    override: documentedAs({ type: 'string', pattern: TYPES }),
  });

const time = z.iso.datetime({
  offset: true,
  error: 'must be a time such as 2026-11-24T09:00:00Z; a + in it is sent as %2B',
});

/** Python's `%z`, and so its generated clients, write an offset as `+0400`. */
function withColonInOffset(sent: unknown): unknown {
  return typeof sent === 'string' ? sent.replace(/([+-]\d\d)(\d\d)$/, '$1:$2') : sent;
}

const query = defineQuery({
  after: z
    .string()
    .optional()
    .meta({
      description: `\`meta.next\` of the page before, \`${FIRST}\`: from the oldest event that is kept, or \`${LATEST}\`: no events, and a cursor for now. As \`${FIRST}\` without it. \`order=desc\` begins with the newest event, without it and with \`${LATEST}\`.`,
    }),
  since: z
    .preprocess(withColonInOffset, time)
    .transform((text) => new Date(text))
    .optional()
    .describe('Only events that could be read at this time or later.'),
  order: z.enum(['asc', 'desc']).default('asc').meta({
    description:
      '`desc`: newest first, to look at; `meta.next` then leads to older ones. Only `asc` misses nothing.',
  }),
  integrationRef: limitedText(128)
    .refine((value) => /\S/.test(value), 'must not be blank')
    .optional()
    .meta({
      pattern: '[^\\s\\x00]',
      description:
        'Only events of leads that had it when the event happened, exactly as it was sent.',
    }),
  limit: whole(1, 500, 100).describe('Maximum number of events on the page.'),
  types,
});

const id = z.string().describe('The `webhook-id` of the same event.');
const events = Object.entries(eventSchemas).map(
  ([type, schema]: [string, z.ZodObject]): z.ZodObject =>
    schema.extend({ id }).meta({ id: `${eventName(type)}Event` }),
);
const feedEvent = z
  .discriminatedUnion('type', events as [z.ZodObject, ...z.ZodObject[]])
  .meta({ id: 'FeedEvent' });
const pageMeta = namedObject('EventPageMeta', {
  next: z.string().describe('Cursor of the next page; always present.'),
  hasMore: z.boolean().describe('True if there are events after this page.'),
});
const page = namedObject('EventPage', {
  data: z.array(feedEvent).describe('Events in the requested order.'),
  meta: pageMeta.describe('Cursor of the next page.'),
});

const GONE =
  `\`after\` is older than the events that are kept: go on with \`after=${FIRST}\`, the oldest cursor there is, ` +
  'and read the leads of the time between by their ids.';

export const listEvents = defineRoute({
  method: 'GET',
  path: '/public/events',
  operationId: 'listEvents',
  summary: 'Read events by cursor',
  description:
    'The events of leads that this client created and of its endpoints, each once, in an order in which nothing is ever put before what was read.',
  tag: 'Events',
  query,
  errors: ['BAD_REQUEST', 'GONE'],
  response: { description: 'A page of events', schema: page },
  async handle({ query: wanted, caller, app }) {
    const events = await readEvents(app.database, { ...wanted, clientId: caller.id });
    if (events === 'gone') throw new ApiError('GONE', GONE, { details: { oldest: FIRST } });
    if (events) return events;
    throw new ApiError('BAD_REQUEST', '`after` is no cursor: send `meta.next` of a page.');
  },
});
