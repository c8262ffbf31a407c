import {
  valueOrigins,
  type NotedChange,
  type SentBody,
} from '../../../domain/people/value-origins.ts';

function sent(kind: SentBody['kind'], hour: number, body: object): SentBody {
  const at = `2026-03-02T${String(hour).padStart(2, '0')}:00:00.000Z`;
  return { submissionId: `${kind}-${hour}`, kind, client: 'Shop', at, body };
}

/** The timeline's note of a change by this request. */
function noted({ kind, client, at }: SentBody, ...fields: string[]): NotedChange {
  return { kind: kind === 'merge' ? 'merged' : 'updated', client, at, fields };
}

function imported(hour: number, ...fields: string[]): NotedChange {
  return { ...noted(sent('update', hour, {}), ...fields), kind: 'resolved', client: null };
}

/** The request that brought a field's value. */
function submissionOf(
  columns: Record<string, unknown>,
  bodies: SentBody[],
  { changes = [], blocks = [] }: { changes?: NotedChange[]; blocks?: SentBody[] } = {},
) {
  const blockSubmissionIds = blocks.map(({ submissionId }) => submissionId);
  const origins = valueOrigins(columns, { sent: bodies, changes, blockSubmissionIds });
  return origins.map(({ field, value, from }) => [field, value, from?.submissionId ?? null]);
}

const BLOCK = { adPlatformLeadId: 'l', adId: 'a', formName: 'Form', adgroupName: 'Group' };

describe('where a value of a lead came from', () => {
  test('is the request that sent it, with its time and its client', () => {
    const created = sent('create', 8, { leadFirstName: 'Sara' });
    const { submissionId, client, at } = created;
    const history = { sent: [created], changes: [], blockSubmissionIds: [] };
    expect(valueOrigins({ lead_first_name: 'Sara' }, history)).toEqual([
      { field: 'leadFirstName', value: 'Sara', from: { submissionId, client, at } },
    ]);
  });

  test('is the last request that changed it by the timeline, else the create', () => {
    const create = sent('create', 8, { priority: 'high', pathLocale: 'en' });
    const merge = sent('merge', 9, { priority: 'urgent', pathLocale: 'ar', gclid: 'g' });
    const update = sent('update', 10, { priority: 'low' });
    const repeated = sent('update', 11, { priority: 'low' });
    const columns = { priority: 'low', path_locale: 'en', gclid: 'g' };
    const changes = [noted(merge, 'gclid'), noted(update, 'priority')];
    expect(submissionOf(columns, [create, merge, update, repeated], { changes })).toEqual([
      ['priority', 'low', 'update-10'],
      ['pathLocale', 'en', 'create-8'],
      ['gclid', 'g', 'merge-9'],
    ]);
  });

  test('is no update whose value did not resolve or whose field only a create may set', () => {
    const create = sent('create', 8, { source: 'Website', funnel: 'Leasing' });
    const update = sent('update', 9, { source: 'Bogus', funnel: 'Recruitment' });
    const flags = { source: 'Bogus' };
    const columns = { source_id: 's', funnel_id: 'f', intake_unresolved: flags };
    expect(submissionOf(columns, [create, update])).toEqual([
      ['sourceId', 's', 'create-8'],
      ['funnelId', 'f', 'create-8'],
      ['intakeUnresolved.source', 'Bogus', 'update-9'],
    ]);
  });

  test('is none for a default in place of what did not resolve', () => {
    const create = sent('create', 8, { funnel: 'Moon', assignedBy: 'nobody@agency.example' });
    const merge = sent('merge', 9, { funnel: 'Moon', assignedBy: 'nobody@agency.example' });
    const flags = { funnel: 'Moon', assignedBy: 'nobody@agency.example' };
    expect(submissionOf({ funnel_id: 'f', intake_unresolved: flags }, [create, merge])).toEqual([
      ['funnelId', 'f', null],
      ['intakeUnresolved.funnel', 'Moon', 'create-8'],
      ['intakeUnresolved.assignedBy', 'nobody@agency.example', 'create-8'],
    ]);
    expect(submissionOf({ intake_unresolved: flags }, [sent('create', 8, {}), merge])).toEqual([
      ['intakeUnresolved.funnel', 'Moon', null],
      ['intakeUnresolved.assignedBy', 'nobody@agency.example', null],
    ]);
  });

  test('is the only request that sent what an import resolved, none of several', () => {
    const create = sent('create', 8, { source: 'Radio' });
    const later = sent('update', 12, { source: 'radio' });
    const changes = [imported(10, 'sourceId')];
    const originOf = (...bodies: SentBody[]) =>
      submissionOf({ source_id: 's' }, bodies, { changes })[0]?.[2];
    expect(originOf(create, later)).toBe('create-8');
    expect(originOf(create, sent('merge', 9, { source: 'Radio' }), later)).toBeNull();
  });

  test('is the first request that sent a phone', () => {
    const create = sent('create', 8, { leadPhones: ['+1', '+2'] });
    const update = sent('update', 9, { leadPhones: ['+1', '+3'] });
    const changes = [noted(update, 'leadPhones')];
    expect(submissionOf({ lead_phones: ['+1', '+3'] }, [create, update], { changes })).toEqual([
      ['leadPhones', '+1', 'create-8'],
      ['leadPhones', '+3', 'update-9'],
    ]);
  });

  test('is that of each unresolved field for itself, of a list by its unresolved entries', () => {
    const create = sent('create', 8, { source: 'Nowhere', subSource: ['Chat', 'Kiosk', 'Fair'] });
    const update = sent('update', 9, { source: 'Nowhere', subSource: null });
    const merge = sent('merge', 10, { source: 'Nowhere', subSource: ['Kiosk', 'Fair'] });
    const columns = { intake_unresolved: { source: 'Nowhere', subSource: ['Kiosk', 'Fair'] } };
    expect(submissionOf(columns, [create]).map(([, , from]) => from)).toEqual(
      Array(2).fill('create-8'),
    );
    expect(submissionOf(columns, [create, update, merge])).toEqual([
      ['intakeUnresolved.source', 'Nowhere', 'update-9'],
      ['intakeUnresolved.subSource', ['Kiosk', 'Fair'], 'merge-10'],
    ]);
  });

  test('is that of an unread quiz answer', () => {
    const quizOf = (value: string | null) => ({
      quiz: { quizKey: 'home', answers: [{ questionKey: 'note', value }, 'no entry'] },
    });
    const create = sent('create', 8, quizOf('x'.repeat(300)));
    const merge = sent('merge', 9, quizOf('x'.repeat(300)));
    const columns = {
      intake_unresolved: { 'quiz.home.note': 'x'.repeat(300), 'quiz.home.#2': 'no entry' },
    };
    expect(submissionOf(columns, [create, merge]).map(([, , from]) => from)).toEqual([
      'create-8',
      'create-8',
    ]);
    const update = sent('update', 10, quizOf('x'.repeat(300)));
    expect(submissionOf(columns, [create, update]).map(([, , from]) => from)).toEqual([
      'update-10',
      'update-10',
    ]);
  });

  test('is the ad platform’s block, also where another field falls back to it', () => {
    const create = sent('create', 8, { adPlatform: BLOCK });
    const columns = { ad_id: 'a', ad_form_name: 'Form', form_name: 'Form', adset_name: 'Group' };
    const blocks = [create];
    expect(submissionOf(columns, [create], { blocks }).map(([, , from]) => from)).toEqual(
      Array(4).fill('create-8'),
    );
  });

  test('is no request whose block the lead did not take; an update’s block overwrites', () => {
    const create = sent('create', 8, { adPlatform: BLOCK });
    const merge = sent('merge', 9, {
      adPlatform: { ...BLOCK, adPlatformLeadId: 'm', adName: 'n' },
    });
    const update = sent('update', 10, { adPlatform: { adPlatformLeadId: 'u', adId: 'a' } });
    const repeated = sent('update', 11, { adPlatform: BLOCK });
    const columns = { ad_id: 'a', ad_form_name: 'Form', ad_name: 'n' };
    const blocks = [create, merge, update];
    expect(submissionOf(columns, [create, merge, update, repeated], { blocks })).toEqual([
      ['adId', 'a', 'update-10'],
      ['adFormName', 'Form', 'create-8'],
      ['adName', 'n', 'merge-9'],
    ]);
  });

  test('is the request that sent the name of a record, and none for what a listing brought', () => {
    const create = sent('create', 8, { developerName: 'Emaar', referenceNo: 'R-1' });
    const update = sent('update', 9, { referenceNo: 'R-2' });
    const columns = { developer_id: 'd', listing_id: 'l', bedrooms: '2' };
    expect(submissionOf(columns, [create])).toEqual([
      ['developerId', 'd', 'create-8'],
      ['listingId', 'l', 'create-8'],
      ['bedrooms', '2', null],
    ]);
    const changes = [noted(update, 'bedrooms', 'developerId', 'listingId')];
    expect(submissionOf(columns, [create, update], { changes })).toEqual([
      ['developerId', 'd', null],
      ['listingId', 'l', 'update-9'],
      ['bedrooms', '2', null],
    ]);
  });

  test('is found in a body whose lists hold null', () => {
    const body = { leadPhones: [null, '0501234567'], leadEmails: [null], languages: [null, 'en'] };
    const columns = { lead_phones: ['0501234567'], language_ids: ['en'] };
    expect(submissionOf(columns, [sent('create', 8, body)])).toEqual([
      ['leadPhones', '0501234567', 'create-8'],
      ['languageIds', ['en'], 'create-8'],
    ]);
  });

  test('is asked of no empty value, and of no body that is not an object', () => {
    const columns = { gclid: null, lead_emails: [], language_ids: [], priority: 'low' };
    expect(submissionOf(columns, [{ ...sent('create', 8, {}), body: null }])).toEqual([
      ['priority', 'low', null],
    ]);
  });
});
