import { newPhone, startIntake } from '../../support/api.ts';

const api = await startIntake();
afterAll(() => api.stop());

async function submissionsOf(leadId: string) {
  return api.database.query(
    `select kind, client_id, body::text as body from submissions where lead_id = $1 order by received_at, kind`,
    [leadId],
  );
}

describe('The body of a request is kept as it came', () => {
  test.each([
    ['unknown fields and their order', '{"zebra": 1, "leadPhones": ["%"], "alpha": {"b": [1, 2]}}'],
    ['white space', '{\n\t"leadPhones" :  [ "%" ]\r\n}'],
    ['constructor', '{"constructor": 1, "leadPhones": ["%"]}'],
    ['duplicate keys', '{"a": 1, "a": 2, "leadPhones": ["%"]}'],
    ['big numbers', '{"n": 12345678901234567890.123456789, "e": 1e400, "leadPhones": ["%"]}'],
    ['NUL escapes', '{"leadFirstName": "a\\u0000b", "k\\u0000": 1, "leadPhones": ["%"]}'],
    ['lone surrogates', '{"leadFirstName": "a\\ud83d", "x\\udc00": [], "leadPhones": ["%"]}'],
    ['Arabic and emoji', '{"leadFirstName": "عائشة 🏠", "leadPhones": ["%"]}'],
    ['__proto__', '{"__proto__": {"leadFirstName": "x"}, "leadPhones": ["%"]}'],
  ])('%s', async (_case, template) => {
    const body = template.replace('%', newPhone());
    const answer = await api.post(body);
    expect(answer.status).toBe(201);
    const merged = await api.post(body);
    expect(merged.body).toMatchObject({ id: answer.body.id, merged: true });
    await api.call('PUT', `/public/leads/${answer.body.id}`, { body });
    const kept = await submissionsOf(answer.body.id);
    expect(kept.map(({ kind }) => kind)).toEqual(['create', 'merge', 'update']);
    for (const submission of kept)
      expect(submission).toMatchObject({ body, client_id: api.client.id });
  });

  test('what the database cannot hold is left out of the columns only', async () => {
    const answer = await api.post(
      `{"leadPhones": ["${newPhone()}"], "leadFirstName": "a\\u0000b", "leadLastName": "c\\ud800"}`,
    );
    expect(answer.body).toMatchObject({ leadFirstName: 'ab', leadLastName: 'c\ufffd' });
  });

  test.each(['', '[]', 'null', '7', '1e400', "{'a': 1}", '{"a": 01}'])(
    '%j is refused with 400',
    async (body) => {
      expect(await api.post(body)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    },
  );
});
