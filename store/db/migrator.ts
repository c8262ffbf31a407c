import { START_TIMEOUT_MS } from './database.ts';
import { connectOrm } from './orm.ts';
import { assertOwnSchema } from './schema-version.ts';
import { assertTrigramsOfArabic, awaitMigrationTurn, clientFor, prepareRoles } from './roles.ts';

/** A change of a table waits no longer for its readers, since all later statements queue behind it. */
const LOCK_TIMEOUT_MS = 5000;

/**
 * `adminUrl` is of who may make roles or owns the schema; the user of `url` then reads and writes its rows,
 * and no more. Of several at once the others wait. Refuses a database of another version. Returns the names
 * of the migrations that it ran.
 */
export async function migrate(url: string, adminUrl = url) {
  const admin = clientFor(adminUrl);
  await admin.connect();
  try {
    await awaitMigrationTurn(admin, LOCK_TIMEOUT_MS);
    const owner = await prepareRoles(admin, url);
    const names = await runMigrations(adminUrl, owner);
    await prepareRoles(admin, url); // for what is new
    await assertTrigramsOfArabic(admin);
    return names;
  } finally {
    await admin.end();
  }
}

async function runMigrations(url: string, role: string): Promise<string[]> {
  const limits = { lockTimeoutMs: LOCK_TIMEOUT_MS, connectTimeoutMs: START_TIMEOUT_MS };
  const orm = await connectOrm({ url, role, poolSize: 3, ...limits });
  try {
    const executed = await orm.migrator.getExecuted();
    assertOwnSchema(executed.map(({ name }) => name));
    const ran = await orm.migrator.up();
    return ran.map((migration) => migration.name);
  } finally {
    await orm.close(true);
  }
}
