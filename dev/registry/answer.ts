import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendForever, sendJson } from '../http.ts';
import type { Mood } from './fault-mode.ts';

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

export function refusal(code: 'TIB-002' | 'TIB-999', description: string): Record<string, unknown> {
  return { ackMessage: { status: 'FAILURE', errorCode: code, errorDescription: description } };
}

/** Sends `answer`, unless the mood has something else in mind. */
export async function answerInMood(
  response: ServerResponse,
  answer: Answer,
  now: Mood,
): Promise<void> {
  switch (now.mood) {
    case 'hang':
      return;
    case 'oversize':
      return sendForever(response, 'application/json');
    case 'nonsense':
      response.writeHead(200, { 'content-type': 'text/html' });
      return void response.end('<html><body><h1>It works!</h1></body></html>');
    case 'slow':
      await sleep(now.delayMs);
      return sendJson(response, answer.status, answer.body);
    default: {
      const { status, body } = changed(answer, now.mood);
      return sendJson(response, status, body);
    }
  }
}

function changed(answer: Answer, mood: Mood['mood']): Answer {
  switch (mood) {
    case 'fail':
      return { status: 500, body: refusal('TIB-999', 'Technical error') };
    case 'unauthorized':
      return { status: 401, body: { error: 'invalid_token' } };
    case 'failure_ack':
      return { status: 200, body: { ...answer.body, ...refusal('TIB-999', 'Try again later') } };
    case 'wrong_shape':
      return { status: 200, body: { details: { weather: 'sunny' } } };
    case 'unknown_status':
      return { status: 200, body: { ...answer.body, details: unheardOf(answer.body['details']) } };
    default:
      return answer;
  }
}

function unheardOf(details: unknown): unknown {
  if (!Array.isArray(details)) return details;
  return details.map((row: object) => ({ ...row, dncrStatus: 'MAYBE' }));
}
