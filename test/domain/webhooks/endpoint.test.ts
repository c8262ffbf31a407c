import { describe, expect, test } from '@jest/globals';
import { endpointUrlError } from '../../../domain/webhooks/endpoint.ts';
import { DEFAULT_EVENT_TYPES, readEventTypes } from '../../../domain/webhooks/event-payloads.ts';

describe('the address of an endpoint', () => {
  test.each([
    ['https://shop.example/hooks', false, true],
    ['https://shop.example:8443/hooks?key=1', false, true],
    ['http://shop.example/hooks', true, true],
    ['http://shop.example/hooks', false, false],
    ['ftp://shop.example/hooks', true, false],
    ['file:///etc/passwd', true, false],
    ['shop.example/hooks', true, false],
    ['', true, false],
    ['https://user:secret@shop.example/hooks', false, false],
    ['https://user@shop.example/hooks', false, false],
  ])('%s, plain http allowed: %s', (url, allowHttp, isGood) => {
    expect(endpointUrlError(url, allowHttp) === null).toBe(isGood);
  });
});

describe('the events that an endpoint wants', () => {
  test('are named once each, in any order, with blanks', () => {
    const { events, unknown } = readEventTypes(' lead.assigned, lead.created,lead.assigned');
    expect(events).toEqual(['lead.created', 'lead.assigned']);
    expect(unknown).toEqual([]);
  });

  test('are those that every receiver knows where none is named', () => {
    expect(DEFAULT_EVENT_TYPES).toEqual(['lead.created', 'lead.assigned']);
  });

  test('must be ones that there are', () => {
    expect(readEventTypes('lead.created,lead.deleted').unknown).toEqual(['lead.deleted']);
  });
});
