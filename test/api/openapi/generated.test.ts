import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { grantOf, type HttpAnswer } from '../../support/api.ts';
import { document, isDocumented } from '../../support/documented.ts';
import { reference, seedReference } from '../../support/reference.ts';
import {
  limitsIn,
  mutationsOf,
  valuesOf,
  withoutNul,
  type Schema,
} from '../../support/schema-arbitrary.ts';
import { startDncrService } from '../dncr/service.ts';

/**
 * Requests generated from the document: what it allows is accepted, what it forbids is refused, and every
 * response is as it says (`call` checks that).
 */

/** Does not shrink, which would send thousands of requests: the message has the request. */
const RUNS = { numRuns: 30, endOnFailure: true };
const MORE_RUNS = { ...RUNS, numRuns: 80 };

const service = await startDncrService();
const [api] = service.apis;
await seedReference(api.database, reference);
const leadId = (await api.create({ leadEmails: ['a@b.example'] })).id;
afterAll(() => service.stop());

interface Parameter {
  in: 'query' | 'path';
  name: string;
  schema: Schema;
}
interface Operation {
  operationId: string;
  security: unknown[];
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; example: object }> };
}
interface Endpoint extends Operation {
  path: string;
  method: string;
  pointer: string;
}

const components = document.components?.schemas as Record<string, Schema>;
const endpoints = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>).map(([verb, operation]): Endpoint => {
    const pointer = encodeURI(`/paths/${path.replaceAll('/', '~1')}/${verb}`);
    return { ...operation, path, method: verb.toUpperCase(), pointer };
  }),
);
const named = (chosen: readonly Endpoint[]) => chosen.map((one) => [one.operationId, one] as const);
const withBody = endpoints.filter(({ requestBody }) => requestBody !== undefined);
const withId = endpoints.filter(({ path }) => path.includes('{id}'));
const withQuery = endpoints.filter(({ parameters }) =>
  parameters.some((one) => one.in === 'query'),
);

const jsonBody = ({ requestBody }: Endpoint) => requestBody?.content['application/json'];
const exampleOf = (endpoint: Endpoint) => jsonBody(endpoint)?.example;
const pathOf = ({ path }: Endpoint, id = leadId) => path.replace('{id}', id);

/** What fetch adds of its own accord is no part of the body: null is JSON too. */
const send = (endpoint: Endpoint, body: unknown, query = '') =>
  api.call(endpoint.method, `${pathOf(endpoint)}${query}`, {
    body: body === undefined ? undefined : JSON.stringify(body),
  });

const outcomes = { accepted: 0, refused: 0 };

/** Beside the statuses of every operation: another may be right where the document cannot know. */
const ALSO: Readonly<Record<string, readonly number[]>> = {
  issueToken: [401, 429], // wrong credentials
  readProject: [404], // there is none
  listEvents: [400], // a cursor that is none
};

interface Expected {
  what: string;
  also?: readonly number[] | undefined;
  /** The service takes more than the document asks for. */
  isLenient?: boolean;
}

const LENIENT = ['createLead', 'updateLead', 'patchLead'];

function expectOutcome(
  { status, body }: HttpAnswer,
  isAllowed: boolean,
  { what, also = [], isLenient = false }: Expected,
): void {
  outcomes[isAllowed ? 'accepted' : 'refused'] += 1;
  const expected = isAllowed ? [200, 201] : [400, 422];
  if (expected.concat(also).includes(status)) return;
  if (!isAllowed && isLenient && [200, 201].includes(status)) return;
  const wanted = isAllowed ? 'allowed' : 'forbidden';
  throw new Error(
    `${status} for what the document has as ${wanted}: ${what}\n${JSON.stringify(body)}`,
  );
}

describe('A body', () => {
  test.each(named(withBody))(
    'of %s is accepted just where the document allows it',
    async (_name, endpoint) => {
      const schema = jsonBody(endpoint)?.schema ?? {};
      const pointer = `${endpoint.pointer}/requestBody/content/application~1json/schema`;
      const isToken = endpoint.operationId === 'issueToken';
      const complete = (body: unknown) =>
        isToken ? { ...(body as object), ...grantOf(api.client) } : body;
      const allowed = valuesOf(schema, components)
        .map(complete)
        .filter((body) => isDocumented(pointer, body));
      const hints = [...limitsIn([schema, components]), null, '', ' ', 0, -1, true, [], {}, [[]]];
      const check = (also?: readonly number[]) => async (body: unknown) => {
        const what = JSON.stringify(body);
        const isLenient = LENIENT.includes(endpoint.operationId);
        expectOutcome(await send(endpoint, body), isDocumented(pointer, body), {
          what,
          also,
          isLenient,
        });
      };
      await fc.assert(fc.asyncProperty(allowed, check()), RUNS);
      const mutated = allowed.chain((body) => mutationsOf(body, hints));
      // There are 20 failed token calls a minute.
      await fc.assert(fc.asyncProperty(mutated, check(ALSO[endpoint.operationId])), {
        ...MORE_RUNS,
        ...(isToken ? { numRuns: 15 } : {}),
      });
    },
  );
});

describe('A query', () => {
  const ALIASES = [
    ['search', 'q', 'query', 'term', 'keyword'],
    ...['developerId', 'locationId', 'statusId', 'propertyType'].map((one) => [one, `${one}s`]),
  ];
  function withoutAliases(query: object): (readonly [string, unknown])[] {
    const names = Object.keys(query);
    const extra = new Set(
      ALIASES.flatMap((group) => names.filter((name) => group.includes(name)).slice(1)),
    );
    return Object.entries(query).filter(([name]) => !extra.has(name));
  }
  const serialise = (pairs: readonly (readonly [string, unknown])[]) =>
    `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`;

  /** The text as a reader of the schema reads it. */
  function valueOf(text: string, { type }: Schema): unknown {
    if (type === 'integer' && /^\d+$/.test(text)) return Number(text);
    if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
    return text;
  }

  const singles = ({ pointer, parameters }: Endpoint) =>
    parameters.flatMap(({ in: place, name, schema }, index) =>
      place === 'path' ? [] : [{ name, schema, at: `${pointer}/parameters/${index}/schema` }],
    );

  const MAX_QUERY = 12_000; // of 16 KiB of headers
  const HINTS = ['', ' ', ',', '1.5', '1e2', '-1', 'TRUE', '2026-02-30', '0000-01-01'];

  /** Texts of one parameter, right and wrong; not numbers with leading zeros, which a reader may take either way. */
  function textsFor(single: ReturnType<typeof singles>[number]) {
    const { schema } = single;
    const right = fc.tuple(valuesOf(schema, components), fc.nat(40));
    return fc
      .oneof(
        fc.constantFrom(...limitsIn(schema).map(String), ...HINTS),
        right.map(([value, length]) => [...String(value)].slice(0, length).join('')),
        fc.string({ unit: 'binary' }).map(withoutNul),
      )
      .filter((text) => !/^0+\d/.test(text))
      .map((text) => ({ ...single, text }));
  }

  test.each(named(withQuery))(
    'of %s is accepted just where the document allows it',
    async (_name, endpoint) => {
      const inQuery = endpoint.parameters.filter((one) => one.in === 'query');
      const record = fc.record(
        Object.fromEntries(inQuery.map(({ name, schema }) => [name, valuesOf(schema, components)])),
        { requiredKeys: [] },
      );
      const isValid = (query: Record<string, unknown>) =>
        serialise(withoutAliases(query)).length < MAX_QUERY &&
        endpoint.parameters.every(
          ({ name }, index) =>
            query[name] === undefined ||
            isDocumented(`${endpoint.pointer}/parameters/${index}/schema`, query[name]),
        );
      await fc.assert(
        fc.asyncProperty(record.filter(isValid), async (query) => {
          const sent = serialise(withoutAliases(query));
          expectOutcome(await send(endpoint, exampleOf(endpoint), sent), true, {
            what: sent,
            also: ALSO[endpoint.operationId],
          });
        }),
        RUNS,
      );
      const oneOf = fc.oneof(...singles(endpoint).map(textsFor));
      await fc.assert(
        fc.asyncProperty(oneOf, async ({ name, schema, at, text }) => {
          const sent = serialise([[name, text]]);
          const isAllowed = isDocumented(at, valueOf(text, schema));
          expectOutcome(await send(endpoint, exampleOf(endpoint), sent), isAllowed, {
            what: sent,
            also: ALSO[endpoint.operationId],
            isLenient: schema.type === 'string' && schema.enum === undefined,
          });
        }),
        MORE_RUNS,
      );
    },
  );

  test.each(named(withQuery))('of %s has one name of a parameter', async (_name, endpoint) => {
    const names = endpoint.parameters.map(({ name }) => name);
    for (const [first = '', ...others] of ALIASES.filter(([one = '']) => names.includes(one))) {
      const values = first === 'search' ? ['a', 'b'] : [randomUUID(), randomUUID()];
      for (const other of others.filter((one) => names.includes(one))) {
        const sent = serialise([first, other].map((one, index) => [one, values[index]] as const));
        expectOutcome(await send(endpoint, undefined, sent), false, { what: sent });
      }
    }
  });
});

describe('A path', () => {
  test.each(named(withId))('of %s has a uuid that is known', async (_name, endpoint) => {
    const body = exampleOf(endpoint);
    const ids = ['x', leadId.slice(1), `${leadId}0`, '%00', '%zz', '%2F'];
    for (const id of ids) {
      const { status } = await api.call(endpoint.method, pathOf(endpoint, id), { body });
      expect(`${id}: ${status}`).toBe(`${id}: 400`);
    }
    const unknown = await api.call(endpoint.method, pathOf(endpoint, randomUUID()), { body });
    expect(unknown.status).toBe(404);
  });

  test.each(Object.keys(document.paths ?? {}).map((path) => [path]))(
    '%s takes no other method',
    async (path) => {
      const documented = endpoints.filter((one) => one.path === path).map(({ method }) => method);
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (documented.includes(method)) continue;
        const { status, headers } = await api.call(method, path.replace('{id}', leadId));
        expect(`${method}: ${status}`).toBe(`${method}: 405`);
        const allow = headers
          .get('allow')
          ?.split(', ')
          .filter((one) => one !== 'HEAD');
        expect(allow?.toSorted()).toEqual(documented.toSorted());
      }
    },
  );
});

test('enough of it was allowed, and enough forbidden', () => {
  expect(outcomes.accepted).toBeGreaterThan(400);
  expect(outcomes.refused).toBeGreaterThan(400);
});
