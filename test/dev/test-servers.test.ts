import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import pg from 'pg';
import { createTestDatabase } from '../support/database.ts';
import { createTestNamespace } from '../support/temporal.ts';

const LEAD_STATUS = defineSearchAttributeKey('LeadStatus', 'KEYWORD');

describe('the servers of a test run', () => {
  test('give each test a migrated database of its own', async () => {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const tables = await client.query(
      `select from information_schema.tables where table_schema = 'public'`,
    );
    await client.end();
    await database.drop();
    expect(tables.rowCount).toBeGreaterThan(5);
  });

  test('give each test a namespace with its search attributes, at once usable', async () => {
    const { address, namespace } = await createTestNamespace();
    const connection = await Connection.connect({ address });
    const client = new Client({ connection, namespace });
    const handle = await client.workflow.start('nobodyRunsThis', {
      taskQueue: 'none',
      workflowId: 'one',
      typedSearchAttributes: [{ key: LEAD_STATUS, value: 'pending' }],
    });
    const described = await handle.describe();
    await connection.close();
    expect(described.status.name).toBe('RUNNING');
  });
});
