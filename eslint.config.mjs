import tseslint from 'typescript-eslint';

const PATCH_CALL =
  ':matches(CallExpression[callee.name=/^(patched|deprecatePatch)$/], CallExpression[callee.property.name=/^(patched|deprecatePatch)$/])';
const LOOP =
  ':matches(ForStatement, ForInStatement, ForOfStatement, WhileStatement, DoWhileStatement)';
const OTHER_THAN_A_WORKFLOW =
  ':function:not(ExportNamedDeclaration > FunctionDeclaration[id.name=/^[A-Z]/])';

/** No saved history shows it: see docs/replay.md. */
const repeatedPatches = [LOOP, OTHER_THAN_A_WORKFLOW].map((place) => ({
  selector: `${place} ${PATCH_CALL}`,
  message:
    'Called again in a run that is open, a patch changes from false to true. Call it once, in the body of the workflow and before its loop, and pass the result on.',
}));

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
    rules: { 'no-restricted-syntax': ['error', ...repeatedPatches] },
  },
);
