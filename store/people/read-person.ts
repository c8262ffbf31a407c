import { isEmptyColumn, toCamelCase, type ColumnValue } from '../../domain/leads/fields.ts';
import { mobileNumbers } from '../../domain/people/person-points.ts';
import { readAssignmentHistory } from '../assignment/read-assignment.ts';
import type { Sql } from '../db/database.ts';
import { statement, type NoParams } from '../db/statement.ts';
import { readChecksOf } from '../dncr/history.ts';
import { readLeadEvents, readTimeline } from '../leads/lead-overview.ts';
import { readRecordNames, withNames } from '../routing/names.ts';
import type { Person } from './find-person.ts';
import type { PersonalRows, Row } from './personal-columns.ts';

type Names = ReadonlyMap<string, string>;

const OF_LEAD = [
  'lead_contact_points',
  'submissions',
  'comments',
  'quiz_answers',
  'ad_platform_blocks',
];
const SHOWN_ELSEWHERE = ['leads', 'contact_points', ...OF_LEAD];

/** What an export shows: all rows with personal data, and the history of each lead. */
export async function readPerson(
  sql: Sql,
  person: Person,
  rows: PersonalRows,
  hashOf: (number: string) => Buffer,
) {
  const leads = [];
  for (const id of person.leadIds) leads.push(await readLead(sql, id, rows));
  const others = Object.entries(rows).filter(([table]) => !SHOWN_ELSEWHERE.includes(table));
  const noNames: Names = new Map();
  return {
    contactPoints: person.contactPoints,
    leads,
    ...Object.fromEntries(others.map((table) => tableView(table, noNames))),
    dncrChecks: await readChecks(sql, person, hashOf),
  };
}

async function readLead(sql: Sql, leadId: string, rows: PersonalRows) {
  const lead = rows.leads?.find(({ id }) => id === leadId) ?? {};
  const ofLead = OF_LEAD.map((table) => {
    const own = rows[table]?.filter((row) => row.lead_id === leadId) ?? [];
    return [table, own.map(({ lead_id: _leadId, ...row }) => row)] as const;
  });
  const history = await readAssignmentHistory(sql, leadId);
  const timeline = await readTimeline(sql, leadId);
  const names = await readNames(sql, [lead, history, timeline]);
  const filled = Object.entries(lead).filter(([, value]) => !isEmptyColumn(value as ColumnValue));
  return {
    ...viewOf(Object.fromEntries(filled), names),
    ...Object.fromEntries(ofLead.map((table) => tableView(table, names))),
    assignments: history.map(({ explanation: _explanation, ...entry }) => ({
      ...entry,
      reason: withNames(entry.reason, names),
    })),
    timeline: timeline.map((note) => ({ ...note, text: withNames(note.text, names) })),
    webhookEvents: await readEvents(sql, leadId, names),
  };
}

async function readNames(sql: Sql, value: unknown): Promise<Names> {
  const names = await readRecordNames(sql, value);
  for (const { id, clientId, name } of await sql.all(READ_CLIENT_NAMES, {}))
    names.set(id, name).set(clientId, name);
  return names;
}

const READ_CLIENT_NAMES = statement<NoParams, { id: string; clientId: string; name: string }>(
  'read_client_names',
  `select id, client_id as "clientId", name from oauth_clients`,
);

/** An integrator's URL may contain a secret, so an export shows only its host. */
async function readEvents(sql: Sql, leadId: string, names: Names) {
  const events = await readLeadEvents(sql, leadId);
  return events.map(({ deliveries, ...event }) => ({
    ...viewOf(event, names),
    deliveries: deliveries.map(({ url, ...delivery }) => ({ to: new URL(url).host, ...delivery })),
  }));
}

/** More than anybody asks about one number. */
const MANY_CHECKS = 1_000_000;

async function readChecks(sql: Sql, person: Person, hashOf: (number: string) => Buffer) {
  const checks = [];
  for (const number of mobileNumbers(person.contactPoints)) {
    const found = await readChecksOf(sql, hashOf(number), MANY_CHECKS);
    checks.push(...found.rows.map((check) => ({ number, ...check })));
  }
  return checks;
}

function tableView([table, rows]: readonly [string, readonly Row[]], names: Names) {
  return [toCamelCase(table), rows.map((row) => viewOf(row, names))] as const;
}

/** A row with its columns in camel case, and with the name of each record. */
function viewOf(row: object, names: Names): Row {
  const named = (value: unknown) => {
    const name = typeof value === 'string' ? names.get(value) : undefined;
    return name === undefined ? value : { id: value, name };
  };
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      toCamelCase(column),
      Array.isArray(value) ? value.map(named) : named(value),
    ]),
  );
}
