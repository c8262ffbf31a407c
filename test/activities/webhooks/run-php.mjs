import { readFileSync } from 'node:fs';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { getPHPLoaderModule } from '@php-wasm/node-8-4';
import { loadPHPRuntime, PHP } from '@php-wasm/universal';

/** `node run-php.mjs FILE`: runs it with what comes on stdin as the body of a request; dies when it does. */
const php = new PHP(await loadPHPRuntime(await getPHPLoaderModule()));
const [, , file] = process.argv;
const run = await php.run({ code: readFileSync(file, 'utf8'), body: await text(process.stdin) });
process.stdout.write(run.text);
php.exit();
