import { importsOf, readsEnvironment } from './imports.ts';
import type { Import } from './imports.ts';
import type { SourceText } from './tree.ts';

/** What a folder may import at run time, and what as types besides. */
interface Arrows {
  folders: readonly string[];
  types: readonly string[];
  packages: (name: string) => boolean;
}

const TEMPORAL = /^@temporalio\//;
const DATABASE = /^(?:pg|@mikro-orm\/.*)$/;
const HTTP_SERVER = /^(?:koa.*|@koa\/.*)$/;
const PURE = new Set([
  'zod',
  'node:crypto',
  'node:net', // to read addresses
  'currency-codes',
  'i18n-iso-countries',
  'iso-639-1',
  'libphonenumber-js',
  'pluralize',
]);

const none =
  (...patterns: readonly RegExp[]) =>
  (name: string) =>
    !patterns.some((pattern) => pattern.test(name));

/** 'workflows' from outside means its contracts, which load no workflow code. */
export const arrows: Record<string, Arrows> = {
  domain: { folders: ['domain'], types: [], packages: (name) => PURE.has(name) },
  platform: {
    folders: ['platform', 'store', 'domain', 'workflows'],
    types: [],
    packages: none(DATABASE, HTTP_SERVER, /^@temporalio\/(?:workflow|worker|activity)$/),
  },
  store: {
    folders: ['store', 'domain', 'platform'],
    types: ['workflows'],
    packages: none(TEMPORAL, HTTP_SERVER),
  },
  temporal: {
    folders: ['temporal', 'workflows', 'platform'],
    types: [],
    packages: none(DATABASE, HTTP_SERVER, /^@temporalio\/(?:workflow|worker|activity)$/),
  },
  workflows: {
    folders: ['workflows'],
    types: ['activities'],
    packages: (name) => name === '@temporalio/workflow' || name === '@temporalio/common',
  },
  activities: {
    folders: ['activities', 'store', 'domain', 'workflows', 'platform'],
    types: [],
    packages: none(DATABASE, HTTP_SERVER, /^@temporalio\/workflow$/),
  },
  worker: {
    folders: ['worker', 'activities', 'store', 'temporal', 'domain', 'workflows', 'platform'],
    types: [],
    packages: none(DATABASE, HTTP_SERVER, /^@temporalio\/workflow$/),
  },
  api: {
    folders: ['api', 'store', 'temporal', 'domain', 'workflows', 'platform'],
    types: [],
    packages: none(DATABASE, /^@temporalio\/(?:workflow|worker|activity)$/),
  },
  cli: {
    folders: ['cli', 'api', 'store', 'temporal', 'domain', 'workflows', 'platform'],
    types: [],
    packages: none(DATABASE, HTTP_SERVER, /^@temporalio\/(?:workflow|worker|activity)$/),
  },
};

function folderOf(path: string): string {
  return path.split('/')[0] ?? '';
}

/** Each arrow that the files break, as a sentence. */
export function brokenArrows(files: readonly SourceText[], entries: ReadonlySet<string>): string[] {
  const workflowCode = filesThatLoadWorkflowCode(files);
  return files.flatMap((file) => {
    const allowed = arrows[folderOf(file.path)];
    if (!allowed) return [];
    const wrong = importsOf(file).filter(
      (each) => !isAllowed(allowed, each) || loadsWorkflowCode(file.path, each, workflowCode),
    );
    const environment = readsEnvironment(file) && !entries.has(file.path);
    return [
      ...wrong.map(({ to, isType }) => `${file.path} imports ${isType ? 'types of ' : ''}${to}`),
      ...(environment ? [`${file.path} reads process.env`] : []),
    ];
  });
}

function isAllowed({ folders, types, packages }: Arrows, { to, isOwn, isType }: Import): boolean {
  if (!isOwn) return packages(to);
  return folders.includes(folderOf(to)) || (isType && types.includes(folderOf(to)));
}

function loadsWorkflowCode(from: string, { to, isType }: Import, code: ReadonlySet<string>) {
  return folderOf(from) !== 'workflows' && !isType && code.has(to);
}

/** Files of workflows/ that reach the workflow API, themselves or through others. */
function filesThatLoadWorkflowCode(files: readonly SourceText[]): Set<string> {
  const loading = new Set(['@temporalio/workflow']);
  const workflows = files.filter(({ path }) => folderOf(path) === 'workflows');
  for (let before = 0; before !== loading.size;) {
    before = loading.size;
    for (const file of workflows)
      if (importsOf(file).some(({ to, isType }) => !isType && loading.has(to)))
        loading.add(file.path);
  }
  return loading;
}
