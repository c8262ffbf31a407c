import type { Route } from '../http/route.ts';

const integer = { type: 'integer', minimum: 0 } as const;

/** Under `components.headers`, each described once. */
export const headerComponents = {
  'X-Request-Id': {
    description: 'Names the request in our logs; echoed when sent as a short token.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': { description: 'Requests per UTC day.', schema: integer },
  'X-RateLimit-Remaining': { description: 'What is left of them today.', schema: integer },
  'X-RateLimit-Reset': {
    description: 'Seconds until the counter resets, at the end of the UTC day.',
    schema: integer,
  },
  'Retry-After': { description: 'Seconds to wait.', schema: integer },
  'WWW-Authenticate': { description: 'Always `Bearer`.', schema: { type: 'string' } },
  ETag: { description: 'To be sent back as `If-None-Match`.', schema: { type: 'string' } },
} as const;

type HeaderName = keyof typeof headerComponents;
type HeaderReferences = Record<string, { $ref: string }>;

const QUOTA = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

export function headersOf(route: Route, status: number): HeaderReferences {
  const names: HeaderName[] = ['X-Request-Id'];
  if (isCounted(route, status)) names.push(...QUOTA);
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 429 || status === 503) names.push('Retry-After');
  if (route.cacheable && (status === 200 || status === 304)) names.push('ETag');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Token, size and media type come before the quota. */
function isCounted({ auth }: Route, status: number): boolean {
  return auth === 'bearer' ? ![401, 413, 415].includes(status) : [200, 429].includes(status);
}
