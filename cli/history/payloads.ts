/** Payloads in the JSON of a history: base64 of, as the service writes them, JSON. */

export interface Payload {
  metadata: unknown;
  data: string;
}

export function isPayload(value: unknown): value is Payload {
  const { metadata, data } = Object(value) as Partial<Payload>;
  return typeof data === 'string' && metadata !== undefined;
}

/** The value of a payload; its text where it is not JSON. */
export function decodePayload({ data }: Payload): unknown {
  const text = Buffer.from(data, 'base64').toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Changes the texts in a payload; one that is not JSON stays as it is. */
export function mapPayload(
  payload: Payload,
  change: (key: string, value: unknown) => unknown,
): Payload {
  const text = Buffer.from(payload.data, 'base64').toString('utf8');
  try {
    const changed = JSON.stringify(JSON.parse(text, change));
    return { ...payload, data: Buffer.from(changed).toString('base64') };
  } catch {
    return payload;
  }
}
