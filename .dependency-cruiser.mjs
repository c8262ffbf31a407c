// The arrows between the folders. `npm run lint` checks them; test/architecture shows that the check can fail.

const DATABASE = 'pg|@mikro-orm/.*';
const HTTP_SERVER = 'koa.*|@koa/.*';
const TEMPORAL = '@temporalio/.*';
const WORKER_SDK = '@temporalio/(?:worker|activity)';
const CONTRACTS = 'workflows/contracts';
/** To hash, to read addresses, to compare values: nothing that reaches outside of the process. */
const PURE_MODULES = [
  'character-entities',
  'crypto',
  'net',
  'currency-codes',
  'i18n-iso-countries',
  'ipaddr.js',
  'iso-639-1',
  'libphonenumber-js',
  'leven',
  'pluralize',
  'url',
  'zod',
];

/**
 * What each folder may import of the others, what as types only, and which packages it may not (for the
 * innermost: which alone it may).
 */
const layers = {
  domain: { imports: [], only: PURE_MODULES },
  platform: { imports: [], not: [DATABASE, HTTP_SERVER, WORKER_SDK] },
  store: { imports: ['domain', 'platform'], types: [CONTRACTS], not: [TEMPORAL, HTTP_SERVER] },
  app: { imports: ['store', 'domain', 'platform'], not: [DATABASE, HTTP_SERVER, TEMPORAL] },
  workflows: {
    imports: [],
    types: ['activities'],
    only: ['@temporalio/workflow', '@temporalio/common'],
  },
  temporal: {
    imports: [CONTRACTS, 'platform'],
    types: ['workflows'],
    not: [DATABASE, HTTP_SERVER, WORKER_SDK],
  },
  activities: {
    imports: ['app', 'store', 'domain', CONTRACTS, 'platform'],
    not: [DATABASE, HTTP_SERVER, '@temporalio/workflow'],
  },
  worker: {
    imports: ['activities', 'app', 'store', 'temporal', 'domain', CONTRACTS, 'platform'],
    not: [DATABASE, HTTP_SERVER, '@temporalio/workflow'],
  },
  api: {
    imports: ['app', 'store', 'temporal', 'domain', CONTRACTS, 'platform'],
    not: [DATABASE, WORKER_SDK],
  },
  cli: {
    imports: ['app', 'store', 'temporal', 'domain', CONTRACTS, 'platform'],
    not: [DATABASE, HTTP_SERVER, WORKER_SDK],
  },
};

const anyOf = (parts) => `(?:${parts.join('|')})`;
const OWN = ['local'];

function rulesOf([layer, { imports, types = [], only, not }]) {
  const from = { path: `^${layer}/` };
  const own = (folders) => `^${anyOf([layer, ...folders])}/`;
  const packages = only ?? not;
  return [
    {
      name: `${layer}-imports`,
      from,
      to: { dependencyTypes: OWN, dependencyTypesNot: ['type-only'], pathNot: own(imports) },
    },
    {
      name: `${layer}-types`,
      from,
      to: { dependencyTypes: OWN, pathNot: own([...imports, ...types]) },
    },
    {
      name: `${layer}-packages`,
      from,
      to: {
        dependencyTypesNot: OWN,
        [only ? 'pathNot' : 'path']: `^(?:node:|node_modules/)?${anyOf(packages)}(?:/|$)`,
      },
    },
  ];
}

export default {
  forbidden: [
    { name: 'no-circles', from: {}, to: { circular: true } },
    { name: 'resolvable', from: {}, to: { couldNotResolve: true } },
    {
      name: 'workflow-code-runs-in-workers',
      comment: 'Clients know a workflow by its contract; its code loads in the sandbox only.',
      from: { path: '^(?:activities|api|app|cli|platform|store|temporal|worker)/' },
      to: { path: '^workflows/', pathNot: `^${CONTRACTS}/`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'contracts-load-no-workflow-code',
      from: { path: `^${CONTRACTS}/` },
      to: { dependencyTypes: OWN, pathNot: `^${CONTRACTS}/` },
    },
    {
      name: 'lead-activities-call-nobody',
      comment:
        'The loop of a lead awaits them, retried without end: they work with the database alone. So does what they are given and share.',
      from: { path: '^activities/(?:leads/|[^/]+$)' },
      to: {
        pathNot: `^(?:activities/(?:leads/|[^/]+$)|app/|store/|domain/|platform/|${CONTRACTS}/|(?:node_modules/)?@temporalio/(?:activity|common)/|(?:node_modules/)?p-queue/|(?:node:)?async_hooks$)`,
      },
    },
    {
      name: 'lead-workflow-awaits-nobody-outside',
      comment:
        'Before the workflow of a lead starts other calls than webhooks: they run beside its loop, in `besideLoop`.',
      from: { path: '^workflows/lead-' },
      to: {
        path: '^workflows/',
        pathNot: `^workflows/(?:lead-|webhook-deliveries\\.ts|contracts/)`,
      },
    },
    {
      name: 'intake-knows-no-routes',
      comment: 'The use cases of a create and an update know neither routes nor responses.',
      from: { path: '^api/leads/' },
      to: { path: '^api/(?:http|openapi|responses|routes)/' },
    },
    {
      name: 'leads-know-no-assignment',
      comment:
        'What changes an assignment writes through store/leads, and not the other way round.',
      from: { path: '^store/leads/' },
      to: { path: '^store/assignment/' },
    },
    ...Object.entries(layers).flatMap(rulesOf),
  ].map((rule) => ({ severity: 'error', ...rule })),
  options: {
    skipAnalysisNotInRules: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^test/tools/programs' }, // clients that they import are generated first
    preserveSymlinks: true,
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
