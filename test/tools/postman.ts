import type { TestClient } from '../support/api.ts';

interface Pair {
  key: string;
  value: string;
  disabled?: boolean;
}

interface Item {
  name: string;
  item?: Item[];
  request?: {
    method: string;
    header?: Pair[];
    body?: { raw?: string; urlencoded?: Pair[]; mode?: string };
    url: { path: string[]; query?: Pair[] };
  };
}

interface Target {
  baseUrl: string;
  client: TestClient;
  phone: string;
}

/** Sends each request of a collection as Postman would, with the ids and credentials that a user fills in. */
export async function callCollection(
  collection: { item: Item[] },
  { baseUrl, client, phone }: Target,
): Promise<void> {
  const requests = flatten(collection.item);
  const isCreate = ({ method, url }: Request) => method === 'POST' && url.path.at(-1) === 'leads';
  const ids = new Map<string, string>();
  // The lead and the records of the lists are there before what names them by an id.
  const inOrder = requests.toSorted(
    (one, other) => Number(isCreate(other)) - Number(isCreate(one)),
  );
  const needsId = ({ url }: Request) => url.path.includes(':id');
  for (const request of [...inOrder.filter((one) => !needsId(one)), ...inOrder.filter(needsId)]) {
    const noun = request.url.path[1] ?? '';
    // The filters of the examples may leave no record.
    if (needsId(request) && !ids.has(noun))
      ids.set(noun, await firstId(`${baseUrl}/public/${noun}`, client));
    const where = request.url.path.map((part) => (part === ':id' ? (ids.get(noun) ?? part) : part));
    const pairs = (request.url.query ?? []).filter(
      (pair) => !pair.disabled && pair.key !== 'since',
    );
    const query = new URLSearchParams(
      pairs.map(({ key, value }): [string, string] => [key, value]),
    );
    const response = await fetch(`${baseUrl}/${where.join('/')}?${query}`, {
      method: request.method,
      headers: {
        ...(where[0] === 'oauth2' ? {} : { authorization: `Bearer ${client.token}` }),
        ...(request.body?.raw && { 'content-type': 'application/json' }),
      },
      ...(request.method !== 'GET' && request.body && { body: bodyOf(request, { client, phone }) }),
    });
    const { id, data } = (await response.json()) as { id?: string; data?: { id?: string }[] };
    const found = id ?? data?.[0]?.id;
    if (found && !ids.has(noun)) ids.set(noun, found);
  }
}

async function firstId(list: string, client: TestClient): Promise<string> {
  const headers = { authorization: `Bearer ${client.token}` };
  const { data } = (await (await fetch(list, { headers })).json()) as { data: { id: string }[] };
  return data[0]?.id ?? '';
}

type Request = NonNullable<Item['request']>;

function flatten(items: readonly Item[]): Request[] {
  return items.flatMap(({ item, request }) => (request ? [request] : flatten(item ?? [])));
}

function bodyOf({ body, url }: Request, { client, phone }: { client: TestClient; phone: string }) {
  if (url.path[0] === 'oauth2') {
    const credentials = { client_id: client.clientId, client_secret: client.clientSecret };
    return JSON.stringify({ grant_type: 'client_credentials', ...credentials });
  }
  const sent = JSON.parse(body?.raw || '{}') as object;
  return JSON.stringify('leadPhones' in sent ? { ...sent, leadPhones: [phone] } : sent);
}
