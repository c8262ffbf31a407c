/** Where an endpoint may be: what speaks against `text`, or null. */
export function faultOfUrl(text: string, allowHttp: boolean): string | null {
  if (!URL.canParse(text)) return 'It is not a URL.';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'It is not an https address.';
  if (url.protocol === 'http:' && !allowHttp) {
    return 'Plain http is for development only: use https, or say --allow-http.';
  }
  // They would end up in lists and logs; the signature is what tells who is calling.
  if (url.username !== '' || url.password !== '')
    return 'It must not hold a user name or password.';
  return null;
}
