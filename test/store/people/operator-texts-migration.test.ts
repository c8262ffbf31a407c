import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase, type Database } from '../../../store/db/database.ts';
import { connectOrm } from '../../../store/db/orm.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { asAdmin, createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { newPhone } from '../../support/intake.ts';
import { makeAgent } from '../../support/routing.ts';

let own: TestDatabase;
let api: TestApi;
let database: Database;
beforeAll(async () => {
  own = await createTestDatabase();
  api = await startTestApi({ databaseUrl: own.url });
  ({ database } = api);
});
afterAll(async () => {
  await api?.stop();
  await own?.drop();
});

test('reasons of before are found with the leads that they moved; one that moved none goes', async () => {
  await asAdmin(
    own.url,
    `drop table operator_texts`,
    `alter table timeline_notes drop constraint timeline_notes_kind_check`,
    `delete from mikro_orm_migrations where name = '0013-operator-texts'`,
  );
  const { id: agentId } = await makeAgent(database);
  const { body } = await api.call('POST', '/public/leads', { body: { leadPhones: [newPhone()] } });
  const hand = async (reason: string | null, releasedAgentId: string | null) => {
    const id = randomUUID();
    await database.query(
      `insert into hand_overs (id, target, released_agent_id, only_waiting, moves_personal, author, reason, requested_at)
       values (:id, 'rules', :releasedAgentId, false, false, 'noor', :reason, '2026-01-02')`,
      { id, releasedAgentId, reason },
    );
    return id;
  };
  const moved = await hand('she knows him', null);
  const released = await hand('he left', agentId);
  await hand('they asked for it', null);
  await hand(null, null);
  await database.query(
    `insert into assignments (id, lead_id, round, move, status, decided_by, reason, decided_at, hand_over_id)
     values (:moved, :leadId, 9, 0, 'unassigned', 'operator', '', now(), :moved)`,
    { moved, leadId: body.id },
  );

  const orm = await connectOrm({ url: own.adminUrl, poolSize: 1 });
  const migrated = await orm.migrator.up();
  await orm.close(true);
  const owner = await connectDatabase({ url: own.adminUrl, poolSize: 1 });
  expect(migrated.map(({ name }) => name)).toEqual(['0013-operator-texts']);
  const texts = await owner.query(
    `select hand_over_id as id, lead_id as "leadId", author, written_at as at, text from operator_texts order by text`,
  );
  const by = { leadId: null, author: 'noor', at: new Date('2026-01-02T00:00:00Z') };
  expect(texts).toEqual([
    { id: released, ...by, text: 'he left' },
    { id: moved, ...by, text: 'she knows him' },
  ]);
  expect(await owner.query('select from hand_overs where reason is not null')).toEqual([]);
  await owner.close();
});
