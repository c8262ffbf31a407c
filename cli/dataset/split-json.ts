import { assertNever } from '../../domain/assert-never.ts';
import type { DatasetEvent } from '../../domain/catalogue/dataset/dataset-events.ts';

/**
 * The records of a JSON dataset as its text comes, one in memory at a time. The text between them, with a
 * digit in the place of each, is parsed at the end and tells what is wrong there. Throws a SyntaxError.
 */
export async function* splitJson(texts: AsyncIterable<string>): AsyncGenerator<DatasetEvent> {
  const splitter = createSplitter();
  for await (const text of texts) yield* splitter.push(text);
  yield* otherSections(JSON.parse(splitter.rest()));
}

/** Those that are no lists, which were not split. */
function* otherSections(rest: unknown): Generator<DatasetEvent> {
  if (typeof rest !== 'object' || rest === null || Array.isArray(rest)) {
    yield { kind: 'no dataset' };
    return;
  }
  for (const [name, value] of Object.entries(rest)) {
    if (!Array.isArray(value)) yield { kind: 'section', name, isList: false };
  }
}

const STAND_IN = '0';
const LIST_DEPTH = 2;
const KEY_OF_LIST = /("(?:[^"\\]|\\.)*")\s*:\s*\[$/;

type Event = 'list opens' | 'record ends' | 'list closes';

function createSplitter() {
  const nesting = createNesting();
  let outside = '';
  let record = '';
  let section = '';
  let index = 0;
  let isInList = false;

  function put(text: string): void {
    if (isInList) record += text;
    else outside += text;
  }

  function* endRecord(): Generator<DatasetEvent> {
    if (record.trim() !== '') {
      yield { kind: 'record', section, index, value: parsed(record, `${section}[${index}]`) };
      outside += STAND_IN;
      index += 1;
    }
    record = '';
  }

  function* handle(event: Event): Generator<DatasetEvent> {
    switch (event) {
      case 'list opens':
        section = keyOf(outside);
        index = 0;
        isInList = true;
        yield { kind: 'section', name: section, isList: true };
        return;
      case 'record ends':
        yield* endRecord();
        outside += ',';
        return;
      case 'list closes':
        yield* endRecord();
        isInList = false;
        return;
      default:
        assertNever(event);
    }
  }

  return {
    *push(text: string): Generator<DatasetEvent> {
      let from = 0;
      for (const [event, at] of nesting.eventsIn(text)) {
        put(text.slice(from, event === 'list opens' ? at + 1 : at));
        yield* handle(event);
        from = event === 'list closes' ? at : at + 1;
      }
      put(text.slice(from));
    },
    rest: () => outside + record,
  };
}

function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(`${place}: ${(error as Error).message}`, { cause: error });
  }
}

function keyOf(textBefore: string): string {
  const key = KEY_OF_LIST.exec(textBefore)?.[1];
  if (key === undefined) throw new SyntaxError('A list without a name');
  return String(parsed(key, key));
}

/** Follows the brackets outside of strings, over as many texts as there are. */
function createNesting() {
  let depth = 0;
  let root = '';
  let isInList = false;
  let isInString = false;
  let isEscaped = false;

  function eventOf(mark: string | undefined): Event | null {
    switch (mark) {
      case '{':
      case '[':
        depth += 1;
        if (depth === 1) root = mark;
        if (depth !== LIST_DEPTH || mark !== '[' || root !== '{') return null;
        isInList = true;
        return 'list opens';
      case '}':
      case ']':
        depth -= 1;
        if (!isInList || depth >= LIST_DEPTH) return null;
        isInList = false;
        return 'list closes';
      case ',':
        return isInList && depth === LIST_DEPTH ? 'record ends' : null;
      default:
        return null;
    }
  }

  /** Whether the character is within a string, its quotes included. */
  function isOfString(char: string | undefined): boolean {
    if (!isInString) return (isInString = char === '"');
    if (isEscaped) isEscaped = false;
    else if (char === '\\') isEscaped = true;
    else isInString = char !== '"';
    return true;
  }

  return {
    *eventsIn(text: string): Generator<[Event, at: number]> {
      for (let at = 0; at < text.length; at += 1) {
        if (isOfString(text[at])) continue;
        const event = eventOf(text[at]);
        if (event) yield [event, at];
      }
    },
  };
}
