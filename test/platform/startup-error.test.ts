import { formatStartupError } from '../../platform/startup-error.ts';
import { connectDatabase } from '../../store/db/database.ts';
import { startHangingServer } from '../support/hanging-server.ts';

test('says of a Postgres that accepts the connection and no more that it gave no answer', async () => {
  const server = await startHangingServer();
  const url = `postgresql://service@${server.address}/leads`;
  const options = { url, poolSize: 1, connectTimeoutMs: 100 };
  const connecting = connectDatabase(options).then((database) => database.query('select 1'));
  const error = await connecting.catch((thrown: unknown) => thrown);
  expect(formatStartupError('The API could not start.', error)).toBe(
    'The API could not start. The Postgres at DATABASE_URL gave no answer in time.',
  );
  server.stop();
});
