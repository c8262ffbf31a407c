import path from 'node:path';
import tseslint from 'typescript-eslint';
import { SQL_AS_TEXT } from './store/sql-as-text.mjs';

const PATCH_CALL =
  ':matches(CallExpression[callee.name=/^(patched|deprecatePatch)$/], CallExpression[callee.property.name=/^(patched|deprecatePatch)$/])';
const PROXY_CALL =
  ':matches(CallExpression[callee.name=/^proxy(Local)?Activities$/], CallExpression[callee.property.name=/^proxy(Local)?Activities$/])';
const LIMIT =
  'Property[key.name=/^(maximumAttempts|scheduleToCloseTimeout)$/]:not([value.name="Infinity"])';
const LOOP =
  ':matches(ForStatement, ForInStatement, ForOfStatement, WhileStatement, DoWhileStatement)';
const OTHER_THAN_A_WORKFLOW =
  ':function:not(ExportNamedDeclaration > FunctionDeclaration[id.name=/^[A-Z]/])';

/** See docs/replay.md: what replays on every saved history, and still breaks a run. */
const workflowTraps = [
  ...[`${LOOP} ${PATCH_CALL}`, `${OTHER_THAN_A_WORKFLOW} ${PATCH_CALL}`].map((selector) => ({
    selector,
    message:
      'Called again in a run that is open, a patch changes from false to true. Call it once, in the body of the workflow and before its loop, and pass the result on.',
  })),
  {
    selector:
      'ImportSpecifier[imported.name=/^(patched|deprecatePatch|proxyActivities|proxyLocalActivities)$/][local.name!=/^(patched|deprecatePatch|proxyActivities|proxyLocalActivities)$/]',
    message: 'Lint knows it by its own name.',
  },
  {
    selector: `${PROXY_CALL}:not([typeArguments.params.0.typeName.name="LeadActivities"]):not(:has(${LIMIT}))`,
    message:
      'Awaited by a workflow, an activity that is retried without end holds up its timers and signals. Set maximumAttempts or scheduleToCloseTimeout here.',
  },
  {
    selector: `${PROXY_CALL} Property[key.name="taskQueue"][value.property.name="lifecycle"]`,
    message: 'Calls that go outside take slots from routing there.',
  },
];

/** While its loop awaits an activity, its timers and signals wait. See docs/architecture.md. */
const leadWorkflowTraps = [
  {
    selector: `${PROXY_CALL}:not([typeArguments.params.0.typeName.name="LeadActivities"])`,
    message:
      'The workflow of a lead awaits activities that work with the database alone. Calls that go outside stand in a file of their own and run beside the loop, as in webhook-deliveries.ts.',
  },
  {
    selector:
      'UnaryExpression[operator="void"] > CallExpression:not([callee.object.name="pendingEvents"])',
    message: 'The run would complete, or continue as new, without it.',
  },
];

/**
 * What the loop of a lead awaits is named here. What runs beside it is created in the list `besideLoop`, so that
 * no name of it is there to be awaited, or to be started and forgotten.
 */
const leadLoopTraps = [
  'AwaitExpression > CallExpression[callee.type="Identifier"]:not([callee.name=/^(condition|sleep|startNextRun|refresh|onTimer)$/])',
  'ImportDeclaration[source.value=/^\\.\\/(?!lead-|contracts\\/)/] > :matches(ImportSpecifier, ImportNamespaceSpecifier, ImportDefaultSpecifier):not([imported.name=/^create/][local.name=/^create/])',
  'CallExpression[callee.name=/^create(?!Lead|WebhookDeliveries)/]:not(VariableDeclarator[id.name="besideLoop"] CallExpression)',
].map((selector) => ({
  selector,
  message:
    'A function of another file may call outside: timers and signals wait while the loop awaits it, and a run that does not know of it completes without it. Await activities of the lead, or create a member of besideLoop.',
}));

const queueTrap = {
  selector: `${PROXY_CALL}:not([typeArguments.params.0.typeName.name="LeadActivities"]):not(:has(Property[key.name="taskQueue"]))`,
  message: 'Without a taskQueue of its own, a call that goes outside takes slots from routing.',
};

const DETACHED =
  /^(?:Of|By|Without|In what|In which|To what|To which|From when|For so long|(?:For|Of|Under|With) which)\b/;

/** A comment begins with its subject or its verb: see CONTRIBUTING.md. */
const commentSubject = {
  meta: { type: 'suggestion', schema: [] },
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        const text = comment.value.replace(/^[\s*]+/, '');
        if (DETACHED.test(text))
          context.report({
            loc: comment.loc,
            message: 'Begin the comment with its subject or its verb.',
          });
      }
    },
  }),
};

/** Part of a statement; a word of it alone is English as well. */
const STATEMENT =
  /^\s*(?:select|truncate|merge into|lock table)\s|^\s*table\s+[a-z_]+\s*$|(?:^|[\s(])(?:select\s[^]*?\sfrom\s|insert into\s|delete from\s|update\s\S+(?:\s\w+)?\s+set\s\S+\s=|with\s(?:recursive\s)?\w+ as\s)/;
const WHOLE_STATEMENT =
  /^\s*(?:select|insert into|delete from|update|with|truncate|merge into|lock table|table)\s/;
const TEXT_METHOD = /^query(One|AndCommit)?$/;

/** Words in capitals are compared as small letters. "Select" begins a sentence, and no statement. */
const foldCapitals = (text) => String(text).replaceAll(/\b[A-Z]+\b/g, (word) => word.toLowerCase());

/** SQL as text stands in the files that `SQL_AS_TEXT` lists, and typed Kysely in all others. */
const sqlAsText = {
  meta: { type: 'problem', schema: [{ type: 'object' }] },
  create(context) {
    const [reasons] = context.options;
    const file = path.relative(context.cwd, context.filename).replaceAll(path.sep, '/');
    const isListed = file in reasons;
    let hasText = false;
    const note = (node) => {
      hasText = true;
      if (!isListed)
        context.report({
          node,
          message: 'Write it as typed Kysely, or give the reason in store/sql-as-text.mjs.',
        });
    };
    return {
      'CallExpression[callee.property.name=/^query(One|AndCommit)$/]': note,
      // The object of other calls is a workflow: `leadRun(client, leadId).query(…)`.
      'CallExpression[callee.property.name="query"][callee.object.type!="CallExpression"]': note,
      [`CallExpression[callee.property.value=${TEXT_METHOD}]`]: note,
      // Taken out of its object, as the style of the store is.
      [`CallExpression[callee.name=${TEXT_METHOD}]`]: note,
      [`VariableDeclarator > ObjectPattern > Property[key.name=${TEXT_METHOD}]`]: note,
      'ImportDeclaration[source.value=/^kysely/][importKind="value"]'(node) {
        const isType = ({ importKind }) => importKind === 'type';
        if (!node.specifiers.every(isType))
          context.report({
            node,
            message:
              'Import types alone: Kysely is loaded at first use, as sql.fragment and sql.nested.',
          });
      },
      Literal(node) {
        if (STATEMENT.test(foldCapitals(node.value))) note(node);
      },
      TemplateLiteral(node) {
        const text = foldCapitals(node.quasis.map(({ value }) => value.cooked).join('x'));
        const isFragment = node.parent.type === 'TaggedTemplateExpression';
        if ((isFragment ? WHOLE_STATEMENT : STATEMENT).test(text)) note(node);
      },
      'Program:exit'(node) {
        if (isListed && !hasText)
          context.report({ node, message: 'Take it off store/sql-as-text.mjs: it has no SQL.' });
      },
    };
  },
};

/** Jest's functions whose names a forgotten variable may have: test/jest/globals.d.ts declares them for every file. */
const TESTS_ONLY = ['describe', 'expect', 'it', 'jest', 'test'];

const lead = { rules: { 'comment-subject': commentSubject, 'sql-as-text': sqlAsText } };

export default tseslint.config(
  { ignores: ['node_modules/**', '.data*/**', 'coverage/**', 'test/tools/programs/**'] },
  ...tseslint.configs.strict,
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      eqeqeq: 'error',
      'no-duplicate-imports': 'error',
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'The environment is read once, in an entry point.',
        },
      ],
    },
  },
  {
    files: [
      '{activities,api,cli,dev,domain,platform,store,temporal,test,worker,workflows}/**/*.{ts,mjs}',
    ],
    plugins: { lead },
    rules: { 'lead/comment-subject': 'error' },
  },
  {
    files: ['{activities,api,cli,dev,domain,platform,store,temporal,worker,workflows}/**/*.ts'],
    ignores: ['store/migrations/**'],
    plugins: { lead },
    rules: {
      'lead/sql-as-text': ['error', SQL_AS_TEXT],
      'no-restricted-globals': ['error', ...TESTS_ONLY],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: ['node:child_process', 'child_process'].map((name) => ({
            name,
            importNames: ['spawnSync', 'execSync', 'execFileSync'],
            message: 'No time limit of a test ends one that hangs: see test/support/program.ts.',
          })),
        },
      ],
    },
  },
  {
    files: ['workflows/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...workflowTraps, queueTrap] },
  },
  {
    files: ['workflows/lead-*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...workflowTraps, ...leadWorkflowTraps] },
  },
  {
    files: ['workflows/lead-lifecycle.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...workflowTraps, ...leadWorkflowTraps, ...leadLoopTraps],
    },
  },
  {
    // The one has a queue of its own already, the other works with the database alone.
    files: ['workflows/dncr-check.ts', 'workflows/housekeeping.ts'],
    rules: { 'no-restricted-syntax': ['error', ...workflowTraps] },
  },
  {
    // Their activities are retried without end: see .dependency-cruiser.mjs.
    files: ['activities/leads/**/*.ts', 'activities/*.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...TESTS_ONLY,
        'fetch',
        'WebSocket',
        'EventSource',
        'globalThis',
        'global',
      ],
    },
  },
);
