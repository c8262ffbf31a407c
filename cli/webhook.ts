import { Option, type Command } from 'commander';
import {
  DEFAULT_EVENT_TYPES,
  eventTypes,
  readEventTypes,
} from '../domain/webhooks/event-payloads.ts';
import {
  countResendable,
  disabledEndpointsOf,
  listDeliveries,
  reopenDeliveries,
  resendAll,
  type Resend,
} from '../store/webhooks/deliveries.ts';
import type { DeliveryStatus } from '../store/webhooks/attempts.ts';
import { atLeastOne, since, type Since } from './arguments.ts';
import { canAsk, mayProceed, withConsent, type Consent } from './confirm.ts';
import { findLead, LEAD_TEXT } from './lead/find.ts';
import { OperatorError, type CommandGroup, type Operator, type Run } from './operator.ts';
import { count, cutNote } from './text.ts';
import { deliveriesText, resentText } from './views/webhook.ts';
import {
  addEndpoint,
  disable,
  editEndpoint,
  enable,
  findEndpoint,
  findEndpointId,
  rotateSigningSecret,
  showEndpoint,
  showEndpoints,
  testEndpoint,
} from './webhook/endpoints.ts';

export const webhookCommands: CommandGroup = (program, run) => {
  const webhook = program
    .command('webhook')
    .description(
      'Endpoints that receive events of leads, and what became of each call. An endpoint is named by its id or the first four characters of it or more.',
    );
  addEndpointCommands(webhook, run);
  addDeliveryCommands(webhook, run);
};

function addEndpointCommands(webhook: Command, run: Run): void {
  webhook
    .command('add')
    .description('Register addresses for a client; their signing secrets are shown once.')
    .requiredOption('--client <client>', 'whose leads it receives events of: its id or name')
    .option('--url <url>', 'where to send')
    .option(
      '--events <names>',
      `of ${eventTypes.join(', ')} (default: ${DEFAULT_EVENT_TYPES.join()})`,
    )
    .option(
      '--alerts <url>',
      'is told when another endpoint of the client fails or is switched off',
    )
    .option('--allow-http', 'plain http, for development', false)
    .action(run(addEndpoint));
  webhook
    .command('list')
    .description('All endpoints, each with what became of its calls in the last 24 hours.')
    .option('--client <client>', 'only those of one client, by its id or name')
    .action(run(showEndpoints));
  webhook
    .command('show <endpointId>')
    .description(
      'One endpoint: its state, its last 24 hours, what waits, who is told of its failures.',
    )
    .action(run(showEndpoint));
  webhook
    .command('rotate <endpointId>')
    .description('Make a new secret; calls are signed with both for 24 hours.')
    .option('--at-once', 'the old secret leaked: stop signing with it now', false)
    .option(
      '--lost-key',
      'the SECRETS_KEY of the old secret is lost: replace it at once, with this key',
      false,
    )
    .action(run(rotateSigningSecret));
  webhook.command('enable <endpointId>').description('Switch an endpoint on.').action(run(enable));
  withConsent(webhook.command('disable <endpointId>'))
    .description(
      'Switch an endpoint off: what is still to be delivered to it fails; later events are not sent to it.',
    )
    .option('--reason <text>', 'kept with it')
    .action(run(disable));
  webhook
    .command('edit <endpointId>')
    .description('Send to another address; its secret, its history and what waits stay.')
    .requiredOption('--url <url>', 'where to send from now on')
    .option('--allow-http', 'plain http, for development', false)
    .action(run(editEndpoint));
  webhook
    .command('test <endpointId>')
    .description('Have the worker send a signed test event, once, and show the answer.')
    .addOption(new Option('--type <event>', 'the sample of an event instead').choices(eventTypes))
    .action(run(testEndpoint));
}

const STATUSES: readonly DeliveryStatus[] = ['pending', 'delivered', 'failed', 'held'];
const DELIVERIES_LIMIT = 50;

function addDeliveryCommands(webhook: Command, run: Run): void {
  webhook
    .command('deliveries')
    .description('What was sent, each with its tries; newest first.')
    .option('--endpoint <endpointId>', 'to this endpoint')
    .option('--lead <lead>', LEAD_TEXT)
    .option('--event <event>', 'of this event: its id, or a name such as lead.assigned')
    .addOption(new Option('--status <status>', 'in this state').choices(STATUSES))
    .option('--since <time>', '30m, 12h, 7d, or a time such as 2026-11-01T08:00', since)
    .option('--limit <count>', 'at most so many', atLeastOne, DELIVERIES_LIMIT)
    .action(run(showDeliveries));
  withConsent(webhook.command('resend [id]'))
    .description(
      'Send again, with the same event id: one event (or event/endpoint), all failed, or with --endpoint and --since all that an endpoint was to get, also from before it was added; this last way alone takes --dry-run, and asks a person first.',
    )
    .option('--failed', 'every delivery that failed for good', false)
    .option('--since <time>', 'with --failed, what failed since; else every event since', since)
    .option('--endpoint <endpointId>', 'only to this endpoint')
    .action(run(resend));
}

interface DeliveriesOptions {
  endpoint?: string;
  lead?: string;
  event?: string;
  status?: DeliveryStatus;
  since?: Since;
  limit: number;
}

export async function showDeliveries(
  operator: Operator,
  { endpoint, lead, event, status, since, limit }: DeliveriesOptions,
) {
  const deliveries = await listDeliveries(await operator.database(), {
    endpointId: await findEndpointOption(operator, endpoint),
    leadId: lead === undefined ? null : await findLead(operator, lead),
    event: event === undefined ? null : parseEvent(event),
    status: status ?? null,
    since: since?.(operator.now(), operator.config.companyTimeZone) ?? null,
    limit,
  });
  operator.show(deliveries.rows, deliveriesText, cutNote(deliveries, 'delivery', 'deliveries'));
}

const findEndpointOption = async (operator: Operator, text: string | undefined) =>
  text === undefined ? null : findEndpointId(operator, text);

function parseEvent(text: string): string {
  if (text.startsWith('evt_') || readEventTypes(text).events.length > 0) return text;
  throw new OperatorError(`Event ${text} not found. There are: ${eventTypes.join(', ')}.`);
}

interface ResendOptions extends Partial<Consent> {
  failed: boolean;
  since?: Since;
  endpoint?: string;
}

export async function resend(operator: Operator, id: string | undefined, options: ResendOptions) {
  const now = operator.now();
  const since = options.since?.(now, operator.config.companyTimeZone) ?? null;
  if (id === undefined && !options.failed && options.endpoint && since)
    return sendSince(operator, options.endpoint, since, options);
  if (options.dryRun) throw new OperatorError('--dry-run goes with --endpoint and --since.');
  const selection = await selectDeliveries(operator, id, { ...options, since });
  const resent = await reopenDeliveries(await operator.database(), selection, now);
  if (selection.eventId !== null && resent.length === 0)
    throw new OperatorError(await explainNoDelivery(operator, selection));
  operator.show({ resent }, (shown) => resentText(shown.resent));
}

/** Resends whatever the result was. A script is not asked, since a repeated event does no harm. */
async function sendSince(
  operator: Operator,
  endpoint: string,
  since: Date,
  { dryRun = false, yes = false }: Partial<Consent>,
): Promise<void> {
  const database = await operator.database();
  const { endpointId, url, enabled } = await findEndpoint(operator, endpoint);
  if (!enabled) throw new OperatorError(switchedOffText(endpointId));
  const events = await countResendable(database, { endpointId, since });
  const what = `This sends ${count(events, 'event')} to ${url}, those that it got already too.`;
  const size = { endpointId, since, events };
  const question = { what, size, isIdle: events === 0 };
  const consent = { dryRun, yes: yes || !canAsk(operator) };
  if (!(await mayProceed(operator, question, consent))) return;
  const sent = await resendAll(database, { endpointId, since }, operator.now());
  const text = `${count(sent, 'event')} on ${sent === 1 ? 'its' : 'their'} way to ${url}: leadctl webhook deliveries --endpoint ${endpointId} follows them.`;
  operator.show({ endpointId, since, events: sent }, () => text);
}

async function explainNoDelivery(operator: Operator, selection: Resend): Promise<string[]> {
  const disabled = await disabledEndpointsOf(await operator.database(), selection);
  if (disabled.length > 0) return disabled.map(switchedOffText);
  const to = selection.endpointId === null ? '' : ` to endpoint ${selection.endpointId}`;
  return [`Delivery of event ${selection.eventId}${to} not found.`];
}

const switchedOffText = (id: string) =>
  `Endpoint ${id} is switched off: leadctl webhook enable ${id} switches it on.`;

async function selectDeliveries(
  operator: Operator,
  id: string | undefined,
  { failed, since, endpoint }: Omit<ResendOptions, 'since'> & { since: Date | null },
): Promise<Resend> {
  const endpointId = await findEndpointOption(operator, endpoint);
  if (failed === (id !== undefined))
    throw new OperatorError('Name one event, or say --failed, or --endpoint and --since.');
  if (id === undefined) return { eventId: null, endpointId, since };
  if (since !== null) throw new OperatorError('--since goes with --failed.');
  const [eventId = '', to] = id.replace(/^webhook\//, '').split('/');
  const named = await findEndpointOption(operator, to);
  return { eventId, endpointId: named ?? endpointId, since: null };
}
