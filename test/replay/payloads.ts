/** A history as a reader of the Web UI sees it: payloads are base64 in the file. */
export function readable(json: string): string {
  return JSON.stringify(JSON.parse(json), (key, value: unknown) =>
    key === 'data' && typeof value === 'string'
      ? Buffer.from(value, 'base64').toString('utf8')
      : value,
  );
}
