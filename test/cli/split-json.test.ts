import fc from 'fast-check';
import { Readable } from 'node:stream';
import { splitJson } from '../../cli/dataset/split-json.ts';
import type { DatasetEvent } from '../../domain/catalogue/dataset/sections.ts';
import { datasetEvents } from '../support/dataset.ts';

function split(texts: readonly string[]): Promise<DatasetEvent[]> {
  return Readable.from(splitJson(Readable.from(texts))).toArray() as Promise<DatasetEvent[]>;
}

function pieces(text: string, size: number): string[] {
  const count = Math.ceil(text.length / size);
  return Array.from({ length: count }, (_, at) => text.slice(at * size, (at + 1) * size));
}

/** Sections that are no lists come at the end. */
const listsFirst = (events: Iterable<DatasetEvent>) => {
  const isOther = (event: DatasetEvent) => event.kind === 'section' && !event.isList;
  const all = [...events];
  return [...all.filter((event) => !isOther(event)), ...all.filter(isOther)];
};

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const dataset = fc.dictionary(
  fc.oneof(fc.string(), fc.constantFrom('listings', 'a\\', 'b"]', 'c:[')),
  fc.oneof({ weight: 4, arbitrary: fc.array(fc.jsonValue()) }, fc.jsonValue()),
);
const size = fc.integer({ min: 1, max: 40 });
const indent = fc.constantFrom(undefined, 2, '\t');

test('a text is split into what JSON.parse finds in it, wherever its pieces end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(dataset, fc.jsonValue()),
      indent,
      size,
      async (value, space, each) => {
        const text = JSON.stringify(value, null, space);
        expect(await split(pieces(text, each))).toEqual(
          listsFirst(datasetEvents(JSON.parse(text))),
        );
      },
    ),
    { numRuns: 500 },
  );
});

test('a text that JSON.parse refuses is refused, and no other', async () => {
  const marks = fc.constantFrom('', ',', '[', ']', '{', '}', '"', '\\', ':', '0', 'x', ' ');
  await fc.assert(
    fc.asyncProperty(dataset, fc.nat(), marks, size, async (value, at, mark, each) => {
      const text = JSON.stringify(value);
      const place = at % text.length;
      const changed = `${text.slice(0, place)}${mark}${text.slice(place + 1)}`;
      const isTaken = await split(pieces(changed, each)).then(
        () => true,
        (error: unknown) => (expect(error).toBeInstanceOf(SyntaxError), false),
      );
      expect([changed, isTaken]).toEqual([changed, isJson(changed)]);
    }),
    { numRuns: 1000 },
  );
});

test('a syntax error within a record names its place', async () => {
  await expect(split(['{"campaigns": [{"name": "A"}, {"name": }]}'])).rejects.toThrow(
    /^campaigns\[1\]: Unexpected token/,
  );
});

test('a record is there before what comes after it is read', async () => {
  let hasReadOn = false;
  async function* texts() {
    yield '{"campaigns": [{"name": "A"}, {"na';
    hasReadOn = true;
    yield 'me": "B"}]}';
  }
  const events = splitJson(texts());
  expect([await events.next(), await events.next()]).toMatchObject([
    { value: { kind: 'section', name: 'campaigns' } },
    { value: { kind: 'record', section: 'campaigns', index: 0, value: { name: 'A' } } },
  ]);
  expect(hasReadOn).toBe(false);
  expect((await events.next()).value).toMatchObject({ index: 1, value: { name: 'B' } });
});
