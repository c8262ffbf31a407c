/**
 * What a log may say of an error: its kind, its code and the place. A message may quote what was being
 * worked on, a database's the row at fault, so no message gets out.
 */
export function toLogError(error: unknown): object {
  const { name, stack } = (error ?? {}) as Partial<Error>;
  const places = stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: name ?? typeof error,
    code: errorCode(error),
    stack: places?.slice(0, 12).join('\n'),
  };
}

export function errorCode(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '');
}
