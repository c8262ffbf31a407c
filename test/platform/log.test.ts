import path from 'node:path';
import process from 'node:process';
import { onLinux } from '../dev/support.ts';
import { runProgram } from '../support/program.ts';

const root = path.resolve(import.meta.dirname, '../..');

onLinux('a log on a full disk ends no process, and holds up the end of none', async () => {
  const script = `
    import { createLog } from './platform/log.ts';
    const log = createLog('api', 'info');
    for (let line = 0; line < 20_000; line += 1) log.info('x'.repeat(100));
    setTimeout(() => { log.fatal('the end'); process.exit(7); }, 100);`;
  const shell = 'exec "$0" --input-type=module -e "$1" > /dev/full';
  const ran = await runProgram('sh', ['-c', shell, process.execPath, script], { cwd: root });
  expect(ran).toMatchObject({ code: 7, stderr: '' });
});
