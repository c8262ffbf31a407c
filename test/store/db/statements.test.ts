import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import ts from 'typescript';
import { declaredStatements } from '../../../store/db/statement.ts';
import { createTestDatabase } from '../../support/database.ts';

/** Postgres's types by the type that a row declares for them; what is none of these comes as JSON. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  string: ['uuid', 'text', 'varchar', 'name', 'numeric', 'date', 'json', 'jsonb'],
  number: ['int2', 'int4', 'int8', 'float4', 'float8', 'json', 'jsonb'],
  boolean: ['bool', 'json', 'jsonb'],
  Date: ['timestamptz'],
  Buffer: ['bytea'],
  array: ['_text', '_uuid', '_int4', '_int8', 'json', 'jsonb'],
  other: ['json', 'jsonb'],
};

const root = path.join(import.meta.dirname, '../../..');
const files = readdirSync(path.join(root, 'store'), { recursive: true, encoding: 'utf8' })
  .map((file) => path.join(root, 'store', file))
  .filter((file) => file.endsWith('.ts') && /\bstatement[<(]/.test(readFileSync(file, 'utf8')));
for (const file of files) await import(file);
const declared = [...declaredStatements().values()];

const own = await createTestDatabase();
const client = new pg.Client({ connectionString: own.adminUrl });
await client.connect();

afterAll(async () => {
  await client.end();
  await own.drop();
});

interface Column {
  name: string;
  type: string;
}

/** Has Postgres parse and describe a statement. Nothing runs. */
async function describeStatement(text: string): Promise<Column[]> {
  const fields = await new Promise<pg.FieldDef[]>((resolve, reject) => {
    let described: pg.FieldDef[] = [];
    client.query({
      submit(connection: pg.Connection) {
        connection.parse({ name: '', text, types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription: (message: { fields: pg.FieldDef[] }) => (described = message.fields),
      handleError: reject,
      handleReadyForQuery: () => resolve(described),
    } as pg.Submittable);
  });
  return fields.map(({ name, dataTypeID }) => ({ name, type: typeNames.get(dataTypeID) ?? '' }));
}

const { rows: types } = await client.query<{ oid: number; typname: string }>(
  'select oid::int, typname from pg_type',
);
const typeNames = new Map(types.map(({ oid, typname }) => [oid, typname]));

describe('Each statement', () => {
  test('is known to a migrated database, with its tables, columns and types', async () => {
    const errors: string[] = [];
    for (const { name, text } of declared)
      await describeStatement(text).catch((error: Error) =>
        errors.push(`${name}: ${error.message}`),
      );
    expect(errors).toEqual([]);
    expect(declared.length).toBeGreaterThan(4);
  });

  test('takes the parameters and returns the columns that it declares', async () => {
    const types = readDeclaredTypes();
    const errors: string[] = [];
    for (const { name = '', text, parameters } of declared) {
      const type = types.get(name);
      if (!type) continue; // made by a function that declares several: see `pageStatements`
      const columns = await describeStatement(text);
      const missing = parameters.filter((parameter) => !type.params.includes(parameter));
      if (missing.length > 0) errors.push(`${name}: the parameters lack ${missing.join()}`);
      errors.push(...compareRow(name, columns, type.row));
    }
    expect(errors).toEqual([]);
  });
});

function compareRow(name: string, columns: readonly Column[], row: ReadonlyMap<string, string>) {
  const found = columns.map((column) => column.name).toSorted();
  const wanted = [...row.keys()].toSorted();
  if (found.join() !== wanted.join())
    return [`${name}: returns ${found.join()} and declares ${wanted.join()}`];
  return columns
    .filter((column) => !TYPES[row.get(column.name) ?? '']?.includes(column.type))
    .map((column) => `${name}: ${column.name} is ${column.type}, not ${row.get(column.name)}`);
}

interface DeclaredTypes {
  params: readonly string[];
  row: ReadonlyMap<string, string>;
}

/** The type arguments of every `statement<Params, Row>('name', …)`, by its name. */
function readDeclaredTypes(): ReadonlyMap<string, DeclaredTypes> {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const found = new Map<string, DeclaredTypes>();

  function kindOf(type: ts.Type): string {
    const plain = checker.getNonNullableType(type);
    if (plain.flags & ts.TypeFlags.Never) return 'null';
    if (checker.isArrayLikeType(plain)) return 'array';
    const name = plain.symbol?.name ?? '';
    if (name === 'Date' || name === 'Buffer') return name;
    const base = checker.typeToString(checker.getBaseTypeOfLiteralType(plain));
    return base in TYPES ? base : 'other';
  }

  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node) && node.expression.getText() === 'statement') {
      const [name] = node.arguments;
      const [params, row] = (node.typeArguments ?? []).map((type) =>
        checker.getTypeFromTypeNode(type),
      );
      const kinds = row?.isUnion() ? row.types : row ? [row] : [];
      const columns = kinds
        .flatMap((kind) => checker.getPropertiesOfType(kind))
        .map((column) => [column.name, kindOf(checker.getTypeOfSymbol(column))] as const)
        .toSorted(([, a], [, b]) => Number(b === 'null') - Number(a === 'null'));
      if (name && ts.isStringLiteral(name))
        found.set(name.text, {
          params: params ? checker.getPropertiesOfType(params).map((member) => member.name) : [],
          row: new Map(columns),
        });
    }
    ts.forEachChild(node, visit);
  }
  for (const file of files) visit(program.getSourceFile(file) as ts.SourceFile);
  return found;
}
