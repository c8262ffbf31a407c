import { eraseInactive } from '../../../activities/maintenance/housekeeping.ts';
import { loadCommands } from '../../../cli/commands.ts';
import { OperatorError } from '../../../cli/operator.ts';
import type { Database } from '../../../store/db/database.ts';
import { FIXED_AGES, purge } from '../../../store/maintenance/retention.ts';
import { leaseOutboxBatch } from '../../../store/leads/outbox.ts';
import { stateGauges } from '../../../store/leads/work-states.ts';
import { readEvents } from '../../../store/webhooks/event-feed.ts';
import { createQueueOwner } from '../../../worker/waiting-leads.ts';
import { createReconciler } from '../../../worker/reconciler.ts';
import { leadctlFor } from '../../cli/leadctl.ts';
import { testConfig } from '../../support/api.ts';
import { testActivityContext } from '../../support/worker.ts';

/** What is done beside requests, by name. */
export type Work = Record<string, () => Promise<unknown>>;

interface Subjects {
  url: string;
  database: Database;
  leadId: string;
  endpointId: string;
  clientId: string;
  /** The e-mail of an agent. */
  email: string;
  /** A file for a dataset with the rules that are active. */
  rulesFile: string;
}

/** The reads of leadctl that go to Postgres. */
export async function leadctlReads(subjects: Subjects): Promise<Work> {
  const { leadId, endpointId, clientId, email, rulesFile } = subjects;
  const leadctl = leadctlFor(await loadCommands(), { DATABASE_URL: subjects.url });
  // Its rules are tried and checked below.
  await leadctl('export', rulesFile);
  const commands = [
    'status',
    ...[
      '',
      '--waiting 2h',
      '--waiting 2h --order newest',
      '--status assigned',
      '--status pool',
      '--status pending',
    ].map((filter) => `lead list ${filter}`),
    ...[
      `--agent ${email}`,
      '--source Website',
      '--review',
      '--since 7d',
      '--status unassigned',
    ].map((filter) => `lead list ${filter}`),
    ...['show', 'explain', 'events'].map((verb) => `lead ${verb} ${leadId}`),
    ...['+971501000007', 'buyer1@mail.example', 'crm-77', leadId.slice(0, 8)].map(
      (text) => `lead find ${text}`,
    ),
    ...[
      '',
      '--event lead.created',
      `--endpoint ${endpointId}`,
      `--event lead.created --endpoint ${endpointId}`,
      '--status failed',
      '--since 7d',
      `--lead ${leadId}`,
    ].map((filter) => `webhook deliveries ${filter}`),
    'webhook list',
    `webhook show ${endpointId}`,
    'client list',
    `client quota ${clientId}`,
    'rules show',
    'rules versions',
    'rules check --since 1d',
    `rules try ${rulesFile} --since 7d`,
    `rules lint ${rulesFile}`,
    `rules diff ${rulesFile}`,
    'agent list',
    'agent absences',
    `agent calendar ${email}`,
    'report response',
    'report response --by hour --since 7d',
    'report response --by hour --since 730d',
    `export ${rulesFile}`,
    'export values',
    'dncr show 0501000007',
    'dncr stats',
    'person erase +971501000007 --dry-run',
  ];
  const run = async (command: string) => {
    try {
      await leadctl(...command.split(' '));
    } catch (error) {
      // A multiplied decision is not its lead's own: the check says so, after it has read all.
      if (!(error instanceof OperatorError)) throw error;
    }
  };
  return Object.fromEntries(
    commands.map((command) => [`leadctl ${command}`.trim(), () => run(command.trim())]),
  );
}

/** What runs by itself: the loops, the metrics, a reader of the feed. */
export function loops({ url, database, clientId }: Subjects): Work {
  const context = testActivityContext(database, testConfig(url));
  const { now } = context;
  return {
    'the outbox relay': () => leaseOutboxBatch(database, now(), 10),
    'the reconciler': createReconciler(context),
    'the queue of waiting leads': createQueueOwner(context, () => Promise.resolve()),
    'the metrics': async () => {
      for (const { read } of stateGauges(database)) await read();
    },
    'a page of the feed': async () => {
      const [client] = await database.query<{ id: string }>(
        'select id from oauth_clients where client_id = $1',
        [clientId],
      );
      await readEvents(database, {
        clientId: client?.id ?? '',
        types: ['lead.created', 'lead.assigned'],
        limit: 100,
        after: 'evt_77_1',
      });
    },
  };
}

/** The daily maintenance of what is `days` old at most; a tenth is no longer kept. */
export function maintenance({ url, database }: Subjects, days: number): Work {
  const kept = String(Math.floor(days * 0.9));
  const kinds = ['DELIVERIES', 'EVENTS', 'EXPLANATIONS', 'CHECKS'];
  const purgeOf = (kind: string, keptDays: string) => () =>
    purge(database, testConfig(url, { [`RETAIN_${kind}_DAYS`]: keptDays }).retain, new Date());
  return {
    'the purge of what no setting keeps': () => purge(database, FIXED_AGES, new Date()),
    'the search for inactive leads': () =>
      eraseInactive(
        testActivityContext(database, testConfig(url)),
        new Date(Date.now() - (days + 1) * 86_400_000),
        () => undefined,
      ),
    ...Object.fromEntries(kinds.map((kind) => [`RETAIN_${kind}_DAYS`, purgeOf(kind, kept)])),
  };
}
