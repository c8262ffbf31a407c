import type { z } from 'zod';
import {
  createDocument,
  type CreateDocumentOptions,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { BASE_PATH, type Route, TOKEN_PATH } from '../http/route.ts';
import { documentedBody } from './lead-payload.ts';
import { parameterExamples } from './parameter-examples.ts';
import { headerComponents, responsesOf } from './responses.ts';

const introduction = `
Takes in sales enquiries (leads), matches each to a contact, and sees it through to an agent.

**First steps.** Fetch a token with your client id and secret, post a lead, then either read who it was
assigned to or wait for the \`lead.assigned\` webhook. The service is called from a backend only: no CORS
header is ever sent.

**Forgiving intake.** A value that matches no record of the CRM never fails a create: the lead is made,
the value comes back in \`intakeUnresolved\`, and unknown fields are kept with the lead. What a create needs is
at least one phone or e-mail.

**Merging.** A second enquiry from the same phone or e-mail within about 24 hours gets 201 with
\`merged: true\` and the id of the lead that survives. Branch on \`merged\` first. Enquiries of property portals
never merge.

**Retries.** Retry a create only on network timeouts (408 too), 429 and 5xx; for an enquiry that never merges,
look for its lead first, as the guide says. On a 401 fetch a fresh token once and retry once.

**Tracing.** A valid \`traceparent\` (W3C Trace Context) of a request is named in our logs and goes on in the
webhooks about the lead; no response has one.

**Parameters.** An unknown or repeated query parameter gets 422 on every endpoint, and so do two
names of one parameter with different values: send one of them.

**Additions.** A later revision may add operations, fields of responses and codes of errors. Ignore what you do not know.

**Guides.** [For integrators](docs/guide), with samples; [for webhooks and events](docs/webhooks).

**Webhooks.** What the service sends to your endpoints is in a document of its own, [openapi-webhooks.json](openapi-webhooks.json).
`.trim();

export const INTERFACE_REVISION = '1.6.0';

const securitySchemes = {
  oauth2: {
    type: 'oauth2',
    description: 'Client id and secret, by header or body: tools then fetch the token themselves.',
    flows: {
      clientCredentials: {
        // The leading slash makes it resolve alike against the server's URL and the document's.
        tokenUrl: `${BASE_PATH}${TOKEN_PATH}`,
        scopes: {
          'leads:all':
            'Every lead, not only the client’s own. A token has the scopes that the operator gave to its client, whatever is asked for.',
        },
      },
    },
  },
  // A generator that takes both schemes lets the last one by name win, and this one writes `Bearer`.
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `access_token` of `POST /oauth2/token`.',
  },
} as const;

const server = {
  url: `{scheme}://{host}${BASE_PATH}`,
  variables: {
    scheme: { default: 'https', enum: ['https', 'http'] },
    host: { default: 'leads.example', description: 'With its port, such as `localhost:8080`.' },
  },
};

/** At the server's defaults: tools want a whole URL. */
export const guideUrl = (name: string) =>
  `https://${server.variables.host.default}${BASE_PATH}/docs/${name}`;

export function openApiDocument(routes: readonly Route[]): Document {
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: { title: 'Lead Intake', version: INTERFACE_REVISION, description: introduction },
    externalDocs: { description: 'The guide for integrators', url: guideUrl('guide') },
    servers: [server],
    tags: ['Authentication', 'Leads', 'Events', 'DNCR', 'Reference data'].map((name) => ({ name })),
    paths: pathsOf(routes.filter((route) => route.tag !== 'Document')),
    components: { securitySchemes, headers: headerComponents },
  };
  return addExamples(buildDocument(document));
}

function addExamples(document: Document): Document {
  const operations = Object.values(document.paths ?? {}).flatMap((item) => Object.values(item));
  for (const { parameters = [] } of operations as Operation[])
    for (const { name, schema } of parameters) schema.examples = [parameterExamples[name]];
  return document;
}

interface Operation {
  parameters?: { name: string; schema: { examples?: unknown[] } }[];
}

export function buildDocument(described: ZodOpenApiObject): Document {
  const document = createDocument(described, { override: asGeneratorsTakeIt });
  return JSON.parse(JSON.stringify(document, withPlainReferences)) as Document;
}

/** In addition to a reference, zod repeats what `asGeneratorsTakeIt` removed from its component. */
function withPlainReferences(_key: string, value: { $ref?: string; description?: string } | null) {
  return value?.$ref ? { $ref: value.$ref, description: value.description } : value;
}

function pathsOf(routes: readonly Route[]): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  return paths as ZodOpenApiPathsObject;
}

function operation(route: Route): ZodOpenApiOperationObject {
  const { operationId, summary, description, tag, auth } = route;
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    security: auth === 'none' ? [] : [{ oauth2: [] }, { token: [] }],
    requestParams: {
      ...(route.params && { path: route.params as z.ZodObject }),
      query: route.query,
    },
    // From two media types with the same schema, some generators make code that does not run.
    requestBody: route.body && {
      required: true,
      content: {
        'application/json': { schema: documentedBody(route.body), example: route.bodyExample },
      },
    },
    responses: responsesOf(route),
  };
}

export type Document = ReturnType<typeof createDocument>;

type Override = Extract<CreateDocumentOptions['override'], (...context: never) => unknown>;

const isSafeLimit = (limit: unknown) => Math.abs(Number(limit)) === Number.MAX_SAFE_INTEGER;

/** Removes what generators of clients cannot handle, or what would make them refuse later fields. */
const asGeneratorsTakeIt: Override = ({ jsonSchema, io }) => {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (typeof jsonSchema.const === 'boolean') delete jsonSchema.const;
  if (io === 'output' && jsonSchema.additionalProperties === false)
    delete jsonSchema.additionalProperties;
  const isWhole = jsonSchema.type === 'integer'; // zod limits every one to what JavaScript counts exactly
  if (isWhole && isSafeLimit(jsonSchema.minimum)) delete jsonSchema.minimum;
  if (isWhole && isSafeLimit(jsonSchema.maximum)) delete jsonSchema.maximum;
  delete jsonSchema.propertyNames;
};
