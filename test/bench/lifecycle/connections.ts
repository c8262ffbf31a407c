import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import type { Keep } from './stoppable.ts';

export async function openClient(keep: Keep, address: string): Promise<Client> {
  const connection = await Connection.connect({ address });
  await keep({ stop: () => connection.close() });
  return new Client({ connection });
}

export async function openDatabase(keep: Keep, connectionString: string): Promise<pg.Client> {
  const database = new pg.Client({ connectionString });
  await database.connect();
  await keep({ stop: () => database.end() });
  return database;
}
