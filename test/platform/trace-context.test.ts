import { formatTraceparent, parseTraceparent, startSpan } from '../../platform/trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const VALID = `00-${TRACE}-${SPAN}-01`;

describe('a traceparent', () => {
  test.each([
    ['sampled', VALID, '01'],
    ['not sampled', `00-${TRACE}-${SPAN}-00`, '00'],
    ['with flags that have no meaning yet', `00-${TRACE}-${SPAN}-fd`, '01'],
    ['of a later version', `cc-${TRACE}-${SPAN}-01`, '01'],
    ['of a later version with more to it', `cc-${TRACE}-${SPAN}-03-what-is-more`, '03'],
  ])('%s is read', (_case, value, flags) => {
    expect(parseTraceparent(value)).toEqual({ traceId: TRACE, spanId: SPAN, flags });
  });

  test.each([
    ['none', undefined],
    ['an empty one', ''],
    ['version ff', `ff-${TRACE}-${SPAN}-01`],
    ['version 00 with more to it', `${VALID}-more`],
    ['version 00 with a dash more', `${VALID}-`],
    ['a later version with more to it, but for the dash', `cc-${TRACE}-${SPAN}-01.more`],
    ['a version of one digit', `0-${TRACE}-${SPAN}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['capitals', VALID.toUpperCase()],
    ['a short trace id', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['a long span id', `00-${TRACE}-${SPAN}0-01`],
    ['no flags', `00-${TRACE}-${SPAN}`],
    ['flags that are not hexadecimal', `00-${TRACE}-${SPAN}-0x`],
    ['blanks around it', ` ${VALID} `],
    ['two of them', `${VALID}, ${VALID}`],
    ['a line break and a forged line', `${VALID}\n{"level":50}`],
    ['a line break in what follows', `cc-${TRACE}-${SPAN}-01-\n{"level":50}`],
    ['a terminal’s escape', `00-${TRACE}-${SPAN}-\u001b[2J`],
    ['one of a megabyte', `00-${'a'.repeat(1 << 20)}-${SPAN}-01`],
  ])('%s is ignored', (_case, value) => {
    expect(parseTraceparent(value)).toBeNull();
  });

  test('is written as version 00, whichever it came in', () => {
    const trace = parseTraceparent(`cc-${TRACE}-${SPAN}-ff-more`);
    expect(trace && formatTraceparent(trace)).toBe(`00-${TRACE}-${SPAN}-03`);
  });

  test('goes on in spans of its trace, each with an id of its own', () => {
    const trace = { traceId: TRACE, spanId: SPAN, flags: '01' };
    const spans = Array.from({ length: 100 }, () => startSpan(trace));
    for (const span of spans)
      expect(parseTraceparent(formatTraceparent(span))).toEqual({ ...trace, spanId: span.spanId });
    expect(new Set([SPAN, ...spans.map(({ spanId }) => spanId)]).size).toBe(101);
  });
});
