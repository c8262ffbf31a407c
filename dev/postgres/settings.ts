const COMMON = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  random_page_cost: '1.1',
  jit: 'off',
  // A violated key would be quoted in the log, and keys are phones and e-mails.
  log_error_verbosity: 'terse',
  io_method: 'sync',
};

/** For tests, whose data nobody wants back. */
const FORGETFUL = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Settings as arguments of `postgres`, modest enough for a laptop that has other things to do. */
export function settings(given: { port: number; durable: boolean }): string[] {
  const all = { ...COMMON, ...(given.durable ? {} : FORGETFUL), port: String(given.port) };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
