import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { getPHPLoaderModule } from '@php-wasm/node-8-4';
import { loadPHPRuntime, PHP } from '@php-wasm/universal';

/** `node parse-php.mjs FOLDER`: has PHP parse every file, prints how many, and ends at the first error. */
const [, , folder] = process.argv;
const php = new PHP(await loadPHPRuntime(await getPHPLoaderModule()));
const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.php'));
const code = `<?php token_get_all(file_get_contents('php://input'), TOKEN_PARSE); echo 'parsed';`;
for (const file of files) {
  const { text, errors } = await php.run({
    code,
    body: readFileSync(path.join(folder, file), 'utf8'),
  });
  if (text !== 'parsed') throw new Error(`${file}: ${text} ${errors}`);
}
process.stdout.write(String(files.length));
php.exit();
