import { describe, expect, test } from '@jest/globals';
import { arrows, brokenArrows } from './arrows.ts';
import { entryPoints, readTree } from './tree.ts';

const tree = readTree(Object.keys(arrows));
const workflows = tree.filter(({ path }) => path.startsWith('workflows/'));
const entries = entryPoints();

describe('the arrows between folders', () => {
  test('are kept by every file', () => {
    expect(tree.length).toBeGreaterThan(100);
    expect(brokenArrows(tree, entries)).toEqual([]);
  });

  test('the environment is read where a process begins', () => {
    expect([...entries]).toEqual(
      expect.arrayContaining(['api/server.ts', 'worker/worker.ts', 'store/db/migrate.ts']),
    );
  });
});

describe('the check can fail', () => {
  const planted: [string, string, string][] = [
    ['domain/lead/rule.ts', `import { readFile } from 'node:fs/promises';`, 'node:fs'],
    [
      'domain/lead/rule.ts',
      `import type { Sql } from '../../store/db/database.ts';`,
      'types of store/db/database.ts',
    ],
    ['store/leads/read.ts', `export * from '../../api/errors.ts';`, 'api/errors.ts'],
    [
      'store/leads/read.ts',
      `import { signalLead } from '../../temporal/connection.ts';`,
      'temporal/connection.ts',
    ],

    ['api/routes/lead.ts', `import pg from 'pg';`, 'pg'],
    [
      'api/routes/lead.ts',
      `import { createRouteLead } from '../../activities/leads/route-lead.ts';`,
      'activities/leads/route-lead.ts',
    ],
    ['api/routes/lead.ts', `const later = await import('../../dev/stack.ts');`, 'dev/stack.ts'],
    [
      'api/routes/lead.ts',
      `import { createWebhookDeliveries } from '../../workflows/webhook-deliveries.ts';`,
      'workflows/webhook-deliveries.ts',
    ],
    [
      'activities/route.ts',
      `let em: import('@mikro-orm/core').EntityManager;`,
      'types of @mikro-orm/core',
    ],
    [
      'workflows/lead.ts',
      `import { createRouteLead } from '../activities/leads/route-lead.ts';`,
      'activities/leads/route-lead.ts',
    ],
    ['workflows/lead.ts', `import { randomUUID } from 'node:crypto';`, 'node:crypto'],
    ['platform/operations-server.ts', `import { createApp } from '../api/app.ts';`, 'api/app.ts'],
  ];

  test.each(planted)('%s may not say: %s', (path, text, to) => {
    const broken = brokenArrows([...workflows, { path, text }], entries);
    expect(broken).toEqual(expect.arrayContaining([`${path} imports ${to}`]));
  });

  test('nor may a file of its own accord read the environment', () => {
    const path = 'api/http/port.ts';
    const broken = brokenArrows([{ path, text: 'const port = process.env.PORT;' }], entries);
    expect(broken).toEqual([`${path} reads process.env`]);
  });

  test('types of activities and workflow ids are free to those who need them', () => {
    const fine = [
      {
        path: 'workflows/a.ts',
        text: `import type { LeadActivities } from '../activities/lead-activities.ts';`,
      },
      { path: 'api/b.ts', text: `import { queues } from '../workflows/messages.ts';` },
      { path: 'store/c.ts', text: `import type { LeadSnapshot } from '../workflows/messages.ts';` },
    ];
    expect(brokenArrows(fine, entries)).toEqual([]);
  });
});
