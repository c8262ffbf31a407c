import type { DatasetEvent } from '../../domain/catalogue/dataset/sections.ts';

/**
 * Keeps one record in memory. At the end it parses the text between records, so that it finds a syntax error there
 * too.
 */
export async function* splitJson(texts: AsyncIterable<string>): AsyncGenerator<DatasetEvent> {
  const splitter = createSplitter();
  for await (const text of texts) yield* splitter.push(text);
  yield* otherSections(JSON.parse(splitter.rest()));
}

/** The sections that are not lists. */
function* otherSections(rest: unknown): Generator<DatasetEvent> {
  if (typeof rest !== 'object' || rest === null || Array.isArray(rest)) {
    yield { kind: 'no dataset' };
    return;
  }
  for (const [name, value] of Object.entries(rest)) {
    if (!Array.isArray(value)) yield { kind: 'section', name, isList: false };
  }
}

const LIST_DEPTH = 2;
const KEY_OF_LIST = /("(?:[^"\\]|\\.)*")\s*:\s*\[$/;

function createSplitter() {
  const marksIn = createMarkFinder();
  let isObject = false;
  let list: { section: string; index: number; record: string } | null = null;
  let outside = '';

  function append(text: string): void {
    if (list) list.record += text;
    else outside += text;
  }

  function* openBracket({ mark, depth }: Mark): Generator<DatasetEvent> {
    append(mark);
    if (depth === 1) isObject = mark === '{';
    else if (isObject && mark === '[') {
      list = { section: findListKey(outside), index: 0, record: '' };
      yield { kind: 'section', name: list.section, isList: true };
    }
  }

  function* endItem({ mark }: Mark): Generator<DatasetEvent> {
    if (list && list.record.trim() !== '') {
      const { section, index, record } = list;
      yield { kind: 'record', section, index, value: parseJson(record, `${section}[${index}]`) };
      outside += '0';
      list.index += 1;
    }
    outside += mark;
    list = list && mark === ',' ? { ...list, record: '' } : null;
  }

  return {
    *push(text: string): Generator<DatasetEvent> {
      let from = 0;
      for (const found of marksIn(text)) {
        append(text.slice(from, found.at));
        from = found.at + 1;
        yield* OPENING.includes(found.mark) ? openBracket(found) : endItem(found);
      }
      append(text.slice(from));
    },
    rest: () => outside + (list?.record ?? ''),
  };
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(`${place}: ${(error as Error).message}`, { cause: error });
  }
}

function findListKey(textBefore: string): string {
  const key = KEY_OF_LIST.exec(textBefore)?.[1];
  if (key === undefined) throw new SyntaxError('A list without a name');
  return String(parseJson(key, key));
}

interface Mark {
  mark: string;
  at: number;
  depth: number;
}

const OPENING = '[{';

function createMarkFinder() {
  const marks = /["\\[\]{},]/g;
  let depth = 0;
  let isInString = false;
  let escapedAt = -1;
  return function* (text: string): Generator<Mark> {
    while (marks.test(text)) {
      const at = marks.lastIndex - 1;
      const mark = text.charAt(at);
      if (at === escapedAt) continue;
      if (mark === '\\') escapedAt = isInString ? at + 1 : -1;
      else if (mark === '"') isInString = !isInString;
      if (isInString || mark === '"' || mark === '\\') continue;
      if (OPENING.includes(mark)) depth += 1;
      if (depth <= LIST_DEPTH) yield { mark, at, depth };
      if (']}'.includes(mark)) depth -= 1;
    }
    escapedAt -= text.length;
  };
}
