import { readFileSync } from 'node:fs';
import process from 'node:process';

export interface Account {
  uid: number;
  gid: number;
}

/** Postgres refuses to run as root: then the account to run it as, else null (run it as ourselves). */
export function postgresAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const found = accounts.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (found) return { uid: Number(found[2]) >>> 0, gid: Number(found[3]) >>> 0 };
  }
  throw new Error(
    'Postgres does not run as root, and there is no account "postgres" or "nobody" to run it as.\n' +
      'Start as another user, or start a Postgres and give its address in DATABASE_URL.',
  );
}
