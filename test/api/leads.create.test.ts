import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

describe('POST /public/leads', () => {
  test('a first enquiry makes a new lead with the full record', async () => {
    const answer = await api.call('POST', '/public/leads', {
      body: {
        leadPhones: ['+971501234567'],
        leadEmails: ['A@Example.com'],
        leadFirstName: 'عائشة',
        foo: 1,
      },
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      merged: false,
      leadFirstName: 'عائشة',
      leadPhones: ['+971501234567'],
      isRepeatLead: false,
      intakeUnresolved: null,
      status: 'pending',
    });
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('99999');
    expect(api.announced).toContainEqual({ leadId: answer.body.id, event: 'created' });
    const read = await api.call('GET', `/public/leads/${answer.body.id}/assignment`);
    expect(read.body).toMatchObject({ status: 'pending', agent: null, retryAfterSeconds: 2 });
  });

  test('a second enquiry from the same e-mail is merged', async () => {
    const answer = await api.call('POST', '/public/leads', {
      body: { leadEmails: ['a@example.com'], leadPhones: ['0509999999'], source: 'Nowhere' },
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(String),
      merged: true,
      matchedOn: 'email',
      assignedTo: null,
    });
  });

  test('without phone and e-mail it is refused', async () => {
    const answer = await api.call('POST', '/public/leads', { body: { leadPhones: ['  '] } });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      statusCode: 400,
      code: 'BAD_REQUEST',
      path: '/v2/public/leads',
    });
  });

  test('a quiz is read, registered and flagged', async () => {
    const answer = await api.call('POST', '/public/leads', {
      body: {
        leadPhones: ['0501112223'],
        quiz: {
          quizKey: 'finder',
          answers: [
            { questionKey: 'budget', value: '1-2 million AED' },
            { questionKey: 'when', value: '03/04/2026' },
            { questionKey: 'type', optionKey: 'villa', answerLabel: 'Villa' },
          ],
        },
        comments: [{ text: 'hello' }, {}],
      },
    });
    expect(answer.status).toBe(201);
    expect(answer.body.intakeUnresolved).toEqual({ 'quiz.finder.when': '03/04/2026' });
    expect(answer.body.comments).toEqual({ added: 1, skipped: 1 });
  });
});
