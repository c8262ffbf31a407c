/**
 * The files with SQL as text, each with its reason; all others of the service use typed Kysely or the EntityManager. Lint
 * refuses SQL in a file that is not here, and a file here that has none: see docs/decisions/storage.md.
 */
export const SQL_AS_TEXT = {
  'dev/postgres.ts': 'makes the database and its owner, before there is a table',
  'store/assignment/lock-lead.ts':
    'runs for each decision: all leads of a group, their changes of holder by a window over a union',
  'store/assignment/read-assignment.ts':
    'integrators poll it and each update asks it; the history is a union of nested JSON',
  'store/catalogue/dataset/listings.ts':
    'a temporary table, which no entity declares, with its statistics',
  'store/catalogue/dataset/section-tables.ts':
    'makes the query of each section from its fields, and reads it by a cursor',
  'store/catalogue/dataset/upsert.ts':
    'makes one statement for a thousand rows of any table; those that stay as they are are not locked',
  'store/catalogue/read-projects.ts':
    'eleven filters and three ways to a match, each by an index of its own (test/api/catalogue/plans)',
  'store/catalogue/search.ts':
    'one statement for a page, its ranking and its total; each form has its plan (test/api/catalogue/plans)',
  'store/clients/tokens.ts':
    'runs before every request: token, quota and lists in one statement for all that arrive together',
  'store/db/database.ts': 'runs all statements, and counts what a text selects',
  'store/db/insert-rows.ts': 'makes one statement of the rows of many tables, by table',
  'store/db/roles.ts':
    'roles, owners and rights, from the catalogue of Postgres; locks and abilities: no table is asked',
  'store/dncr/checks.ts':
    'one statement answers from the cache, records the check and leases numbers (test/bench/dncr-cached)',
  'store/leads/find-leads.ts':
    'each of eight conditions reads an index of its own (test/store/leads/find-leads-plans)',
  'store/leads/intake-facts.ts':
    'runs for each create: joins by lateral and offset 0 hold its one plan (test/store/leads/read-intake)',
  'store/leads/lock-people.ts': 'advisory locks of each create, taken in one statement before it',
  'store/leads/outbox.ts':
    'the relay runs it all the time: 0.5 to 3 ms a batch at 100,000 rows, 60 to 96 ms joined otherwise (test/store/leads/outbox)',
  'store/leads/read-lead-snapshot.ts':
    'runs at each refresh of a workflow, one statement for all leads that ask at once',
  'store/leads/waiting-leads.ts':
    'scans the queue with locks that skip, and writes in common table expressions',
  'store/leads/work-states.ts':
    'leadctl status runs it: loading Kysely would double what a command costs to start',
  'store/leads/write-lead.ts':
    'a create is one statement; by the unit of work it cost twice the time and four times the processor',
  'store/maintenance/retention.ts':
    'makes the statement of a batch from a table of rules, and reads a table by its blocks',
  'store/people/erase-lead.ts': 'erases a lead in one statement made from personal-columns.ts',
  'store/people/find-person.ts':
    'pairs of kind and value, each by its index; finds phones and emails within texts',
  'store/people/personal-columns.ts':
    'makes the statements of an erasure and an export from its columns',
  'store/reporting/read-responses.ts':
    'packs the times of 300,000 leads into byte strings, with memory of its own',
  'store/routing/agents.ts':
    'shares what counts against a cap, and calendars, with the statements of a roster',
  'store/routing/roster.ts':
    'runs for each decision: all candidates, locked and then read as one document',
  'store/webhooks/attempts.ts':
    'runs for each attempt: delivery, endpoint and attempt are written in one statement, locks in order',
  'store/webhooks/deliveries.ts':
    'each filter leads to an index of its own (test/store/webhooks/list-deliveries-plans)',
  'store/webhooks/endpoints.ts':
    'an endpoint, its deliveries and the outbox in one statement (test/store/webhooks/endpoints-plans)',
  'store/webhooks/event-feed.ts':
    'rows are compared whole, so that one index alone has the order (test/store/webhooks/event-feed-plans)',
};
