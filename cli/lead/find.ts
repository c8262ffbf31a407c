import type { Command } from 'commander';
import { isUuid } from '../../domain/uuid.ts';
import { withWesternDigits, withoutInvisible } from '../../domain/written-text.ts';
import type { Page } from '../../store/db/page.ts';
import { findClients } from '../../store/clients/clients.ts';
import {
  findLeads,
  findLeadsWithPersons,
  type LeadFilter,
  type LeadQuery,
} from '../../store/leads/find-leads.ts';
import { findListEntry, findNearNames, findRuleName } from '../../store/routing/rulesets.ts';
import { since, type Since } from '../arguments.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { cutNote, notFoundText } from '../text.ts';
import { foundLeadsText, foundPersonsText } from '../views/lead.ts';

export const LEAD_TEXT =
  'the lead’s id or its beginning, or a phone, an e-mail or a reference that just one lead has';

export async function showFoundLeads(
  operator: Operator,
  text: string,
  { personal, limit }: { personal: boolean; limit: number },
) {
  const [database, query] = [await operator.database(), await readSearch(text, limit)];
  const show = <Row>(leads: Page<Row>, asText: (rows: readonly Row[]) => string) =>
    operator.show(leads.rows, asText, cutNote(leads, 'lead'));
  if (personal) show(await findLeadsWithPersons(database, query), foundPersonsText);
  else show(await findLeads(database, query), foundLeadsText);
}

/** Fails if no lead or several leads match. */
export async function findLead(operator: Operator, text: string): Promise<string> {
  const found = await findLeads(await operator.database(), await readLeadQuery(text, 1));
  const [lead] = found.rows;
  if (!lead) {
    if (isUuid(text)) throw new OperatorError(`Lead ${text} not found.`);
    const { nameWords, lastDigits } = await readSearch(text, 1);
    const isOfSeveral = nameWords.length > 0 || lastDigits !== null;
    throw new OperatorError(
      `Lead not found: say its id or the first eight characters of it, a phone, an e-mail, an integrationRef or an ad platform’s lead id.${isOfSeveral ? FIND_HINT : ''}`,
    );
  }
  if (found.total === 1) return lead.id;
  throw new OperatorError('This names several leads: leadctl lead find lists them.');
}

const FIND_HINT = ' By a name or the last digits of a phone, leadctl lead find lists leads.';

const SHORTEST_ID = 8;
const FIRST_UUID = '00000000-0000-0000-0000-000000000000';
const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Also searches by what several customers may share. */
async function readSearch(text: string, limit: number): Promise<LeadQuery> {
  const trimmed = withWesternDigits(withoutInvisible(text)).trim();
  const digits = trimmed.replaceAll(/[\s-]/g, '');
  return {
    ...(await readLeadQuery(text, limit)),
    lastDigits: LAST_DIGITS.test(digits) ? digits : null,
    nameWords: readNameWords(trimmed),
  };
}

/** Empty if the text has no letter or is an email. */
function readNameWords(text: string): string[] {
  const isName = /\p{L}/u.test(text) && !text.includes('@');
  return isName ? text.split(/[\s,;]+/).filter((word) => word !== '') : [];
}

/** Loads the numbering plans of all countries only when needed. */
async function readContactPoints(text: string) {
  const domain = await import('../../domain/leads/contact-points.ts');
  return domain.readContactPoints(text);
}

const LAST_DIGITS = /^\d{4,7}$/;

async function readLeadQuery(text: string, limit: number): Promise<LeadQuery> {
  const reference = withoutInvisible(text).trim();
  return { ...(await readKey(text)), reference, lastDigits: null, nameWords: [], limit };
}

/** `ids` is the range of ids that begin with the text. */
export async function readKey(text: string): Promise<Pick<LeadQuery, 'contactPoints' | 'ids'>> {
  const trimmed = withoutInvisible(text).trim();
  const [first = '', last = ''] = [FIRST_UUID, LAST_UUID].map(
    (uuid) => trimmed + uuid.slice(trimmed.length),
  );
  const isId = trimmed.length >= SHORTEST_ID && isUuid(first);
  const hasLetter = /[a-f]/i.test(trimmed);
  return {
    contactPoints: isId && hasLetter ? [] : await readContactPoints(trimmed),
    ids: isId ? { first, last } : null,
  };
}

export interface LeadFilterOptions {
  since?: Since;
  source?: string;
  client?: string;
  rule?: string;
}

export function withLeadFilters(command: Command): Command {
  return command
    .option('--since <time>', 'there since a time or an age, such as 7d', since)
    .option('--source <name>', 'from this source')
    .option('--client <client>', 'of this integration client, by its id or name')
    .option('--rule <name>', 'sent there by this rule');
}

export async function readLeadFilters(
  operator: Operator,
  { since, source, client, rule }: LeadFilterOptions,
  now = operator.now(),
): Promise<Pick<LeadFilter, 'since' | 'sourceId' | 'clientId' | 'rule'>> {
  return {
    since: since?.(now, operator.config.companyTimeZone) ?? null,
    sourceId: source === undefined ? null : await findSource(operator, source),
    clientId: client === undefined ? null : (await findOneClient(operator, client)).id,
    rule: rule === undefined ? null : await findRule(operator, rule),
  };
}

export async function findOneClient(operator: Operator, client: string) {
  const database = await operator.database();
  const [found, ...others] = await findClients(database, client);
  if (found === undefined) {
    const near = await findNearNames(database, 'client', client);
    const see = '; see leadctl client list';
    throw new OperatorError(notFoundText(`Client ${client} not found`, near, see));
  }
  if (others.length === 0) return found;
  throw new OperatorError(
    'Several clients have this name or an id that begins so: say the whole id, as in leadctl client list.',
  );
}

async function findRule(operator: Operator, rule: string): Promise<string> {
  const name = await findRuleName(await operator.database(), rule);
  if (name !== null) return name;
  throw new OperatorError('Rule not found by this name; see leadctl rules show.');
}

async function findSource(operator: Operator, name: string): Promise<string> {
  const database = await operator.database();
  const id = await findListEntry(database, 'source', name);
  if (id !== null) return id;
  const near = await findNearNames(database, 'source', name);
  throw new OperatorError(notFoundText('Source not found by this name', near));
}
