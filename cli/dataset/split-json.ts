import { assertNever } from '../../domain/assert-never.ts';
import type { DatasetEvent } from '../../domain/catalogue/dataset/sections.ts';

/**
 * Reads the records of a JSON dataset as its text arrives, one in memory at a time. The text between them,
 * with a digit in place of each record, is parsed at the end, so that a syntax error there is found too.
 * Throws a SyntaxError.
 */
export async function* splitJson(texts: AsyncIterable<string>): AsyncGenerator<DatasetEvent> {
  const splitter = createSplitter();
  for await (const text of texts) yield* splitter.push(text);
  yield* otherSections(JSON.parse(splitter.rest()));
}

/** The sections that are no lists, which were not split. */
function* otherSections(rest: unknown): Generator<DatasetEvent> {
  if (typeof rest !== 'object' || rest === null || Array.isArray(rest)) {
    yield { kind: 'no dataset' };
    return;
  }
  for (const [name, value] of Object.entries(rest)) {
    if (!Array.isArray(value)) yield { kind: 'section', name, isList: false };
  }
}

const PLACEHOLDER = '0';
const LIST_DEPTH = 2;
const KEY_OF_LIST = /("(?:[^"\\]|\\.)*")\s*:\s*\[$/;

type SplitEvent = 'list opens' | 'record ends' | 'list closes';

function createSplitter() {
  const brackets = createBracketTracker();
  let outside = '';
  let record = '';
  let section = '';
  let index = 0;
  let isInList = false;

  function append(text: string): void {
    if (isInList) record += text;
    else outside += text;
  }

  function* endRecord(): Generator<DatasetEvent> {
    if (record.trim() !== '') {
      yield { kind: 'record', section, index, value: parseJson(record, `${section}[${index}]`) };
      outside += PLACEHOLDER;
      index += 1;
    }
    record = '';
  }

  function* handle(event: SplitEvent): Generator<DatasetEvent> {
    switch (event) {
      case 'list opens':
        section = findListKey(outside);
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
      for (const [event, at] of brackets.eventsIn(text)) {
        append(text.slice(from, event === 'list opens' ? at + 1 : at));
        yield* handle(event);
        from = event === 'list closes' ? at : at + 1;
      }
      append(text.slice(from));
    },
    rest: () => outside + record,
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

/** Tracks the brackets outside of strings, over any number of texts. */
function createBracketTracker() {
  let depth = 0;
  let root = '';
  let isInList = false;
  let isInString = false;
  let isEscaped = false;

  function eventAt(mark: string | undefined): SplitEvent | null {
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
  function isInsideString(char: string | undefined): boolean {
    if (!isInString) return (isInString = char === '"');
    if (isEscaped) isEscaped = false;
    else if (char === '\\') isEscaped = true;
    else isInString = char !== '"';
    return true;
  }

  return {
    *eventsIn(text: string): Generator<[SplitEvent, at: number]> {
      for (let at = 0; at < text.length; at += 1) {
        if (isInsideString(text[at])) continue;
        const event = eventAt(text[at]);
        if (event) yield [event, at];
      }
    },
  };
}
