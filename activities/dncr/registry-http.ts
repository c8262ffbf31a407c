export const registryErrorKinds = [
  'unreachable', // no connection, or no response in time
  'failure', // a response that reports a failure
  'nonsense', // a response that cannot be read
  'refused', // the credential or the request is wrong: a retry cannot succeed
] as const;
export type RegistryErrorKind = (typeof registryErrorKinds)[number];

/** The registry gave no usable response. The message holds no number and nothing that the registry wrote. */
export class RegistryError extends Error {
  override name = 'RegistryError';
  readonly kind: RegistryErrorKind;

  constructor(kind: RegistryErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface RegistryResponse {
  status: number;
  /** Undefined when the body is not JSON. */
  body: unknown;
}

const MAX_BYTES = 256 * 1024;

/** One request, limited in time and in the size of the response; redirects are not followed. */
export async function post(
  url: string,
  request: { headers: Record<string, string>; body: string | URLSearchParams; signal: AbortSignal },
): Promise<RegistryResponse> {
  try {
    const response = await fetch(url, { method: 'POST', redirect: 'error', ...request });
    return { status: response.status, body: parseJson(await readLimited(response)) };
  } catch (error) {
    if (error instanceof RegistryError) throw error;
    throw new RegistryError('unreachable', describeNetworkError(error, request.signal));
  }
}

function describeNetworkError(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'The registry did not answer in time.';
  const code = (error as { cause?: { code?: unknown } }).cause?.code;
  return `The registry could not be reached${typeof code === 'string' ? ` (${code})` : ''}.`;
}

async function readLimited(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop closes the connection, so the rest is not received.
    if (bytes > MAX_BYTES) {
      throw new RegistryError('nonsense', 'The answer of the registry is too large.');
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
