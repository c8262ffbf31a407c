/** An error that workflow code throws, as the SDK's message of a failed replay quotes it. */
export interface ThrownError {
  text: string;
  stack: string;
}

const THROWN = 'Replay failed due workflow task failure';

/** Null for a failure of another sort. */
export function readThrownError(message: string): ThrownError | null {
  if (!message.startsWith(THROWN)) return null;
  const text = readField(message, 'message');
  const stack = readField(message, 'stack_trace');
  const [, name = 'Error'] = /^(\w*Error): /m.exec(stack) ?? [];
  return { text: `${name}: ${text}`, stack };
}

/** What the SDK says of commands and events that do not fit, without what surrounds it. */
export function readSdkMessage(message: string): string {
  return readField(message, 'message').replace(/^\[TMPRL\d+\] /, '') || message;
}

/** Of a Rust struct as `{:?}` prints it. */
function readField(message: string, field: string): string {
  const [, quoted = ''] = new RegExp(`\\b${field}: "((?:[^"\\\\]|\\\\.)*)"`).exec(message) ?? [];
  return quoted.replaceAll(/\\u\{(\w+)\}|\\(.)/g, (_, code: string | undefined, char: string) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : (ESCAPES[char] ?? char),
  );
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', 0: '\0' };
