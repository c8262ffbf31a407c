import { decodeHtmlEntities } from '../../domain/written-text.ts';

test.each([
  ['Villas &amp; Townhouses', 'Villas & Townhouses'],
  ['Villas &amp;amp;amp; Townhouses', 'Villas & Townhouses'],
  ['o&#039;brien@x.example', "o'brien@x.example"],
  ['&lt;sara&#x40;x.example&gt;', '<sara@x.example>'],
  ['050&nbsp;840&amp;nbsp;0001', '050\u00a0840\u00a00001'],
  ['C&ocirc;te d&rsquo;Ivoire', 'Côte d’Ivoire'],
  ['&#1583;&#1576;&#1610; &#128512;', 'دبي 😀'],
])('decodes the HTML entities of %s', (text, decoded) => {
  expect(decodeHtmlEntities(text)).toBe(decoded);
});

test.each([
  'R&D',
  'a&b;',
  '&constructor;',
  '&#0;',
  '&#xD800;',
  '&#1114112;',
  'x?a=1&lt=5',
  '& amp;',
])('leaves %s, which is not an entity, as it is', (text) => {
  expect(decodeHtmlEntities(text)).toBe(text);
});
