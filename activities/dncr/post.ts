import { RegistryError } from './registry-error.ts';

const MAX_BYTES = 256 * 1024;

export interface Posted {
  status: number;
  /** Undefined when the body is not JSON. */
  body: unknown;
}

/** One call of the registry, limited in time and in the size of the answer; redirects are not followed. */
export async function post(
  url: string,
  request: { headers: Record<string, string>; body: string | URLSearchParams; signal: AbortSignal },
): Promise<Posted> {
  try {
    const response = await fetch(url, { method: 'POST', redirect: 'error', ...request });
    return { status: response.status, body: parsed(await limitedText(response)) };
  } catch (error) {
    if (error instanceof RegistryError) throw error;
    throw new RegistryError('unreachable', reasonOf(error, request.signal));
  }
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'The registry did not answer in time.';
  const code = (error as { cause?: { code?: unknown } }).cause?.code;
  return `The registry could not be reached${typeof code === 'string' ? ` (${code})` : ''}.`;
}

async function limitedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop ends the connection, so the rest is not taken in.
    if (bytes > MAX_BYTES) {
      throw new RegistryError('nonsense', 'The answer of the registry is too large.');
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
