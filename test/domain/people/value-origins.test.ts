import { describe, expect, test } from '@jest/globals';
import { valueOrigins, type SentBody } from '../../../domain/people/value-origins.ts';

function sent(kind: SentBody['kind'], hour: number, body: object): SentBody {
  const at = `2026-03-02T${String(hour).padStart(2, '0')}:00:00.000Z`;
  return { submissionId: `${kind}-${hour}`, kind, client: 'Shop', at, body };
}

function submissionOf(columns: Record<string, unknown>, ...bodies: SentBody[]) {
  const origins = valueOrigins(columns, bodies);
  return origins.map(({ field, value, from }) => [field, value, from?.submissionId ?? null]);
}

const BLOCK = { adPlatformLeadId: 'l', adId: 'a', formName: 'Form', adgroupName: 'Group' };

describe('where a value of a lead came from', () => {
  test('is the request that sent it, with its time and its client', () => {
    const created = sent('create', 8, { leadFirstName: 'Sara' });
    const { submissionId, client, at } = created;
    expect(valueOrigins({ lead_first_name: 'Sara' }, [created])).toEqual([
      { field: 'leadFirstName', value: 'Sara', from: { submissionId, client, at } },
    ]);
  });

  test('is the newest update with the same value, then the create, then a merged enquiry', () => {
    const create = sent('create', 8, { priority: 'high', pathLocale: 'en' });
    const merge = sent('merge', 9, { priority: 'urgent', gclid: 'g' });
    const updates = [10, 11].map((hour) => sent('update', hour, { priority: 'low' }));
    const bodies = [create, merge, ...updates];
    const columns = { priority: 'low', path_locale: 'en', gclid: 'g' };
    expect(submissionOf(columns, ...bodies)).toEqual([
      ['priority', 'low', 'update-11'],
      ['pathLocale', 'en', 'create-8'],
      ['gclid', 'g', 'merge-9'],
    ]);
    expect(submissionOf({ priority: 'high' }, ...bodies)).toEqual([
      ['priority', 'high', 'create-8'],
    ]);
  });

  test('is that of each phone and of each unresolved field for itself', () => {
    const create = sent('create', 8, { leadPhones: ['+1', '+2'], source: 'Nowhere' });
    const update = sent('update', 9, { leadPhones: ['+3'], funnel: null });
    const columns = { lead_phones: ['+1', '+3'], intake_unresolved: { source: 'Nowhere' } };
    expect(submissionOf(columns, create, update)).toEqual([
      ['leadPhones', '+1', 'create-8'],
      ['leadPhones', '+3', 'update-9'],
      ['intakeUnresolved.source', 'Nowhere', 'create-8'],
    ]);
  });

  test('is the ad platform’s block, also where another field falls back to it', () => {
    const create = sent('create', 8, { adPlatform: BLOCK });
    const columns = { ad_id: 'a', ad_form_name: 'Form', form_name: 'Form', adset_name: 'Group' };
    expect(submissionOf(columns, create).map(([, , from]) => from)).toEqual(
      Array(4).fill('create-8'),
    );
  });

  test('is the request that sent the name of a record, and none for what a listing brought', () => {
    const create = sent('create', 8, { developerName: 'Emaar', referenceNo: 'R-1' });
    const columns = { developer_id: 'd', listing_id: 'l', bedrooms: '2' };
    expect(submissionOf(columns, create)).toEqual([
      ['developerId', 'd', 'create-8'],
      ['listingId', 'l', 'create-8'],
      ['bedrooms', '2', null],
    ]);
  });

  test('is asked of no empty value, and of no body that is not an object', () => {
    const columns = { gclid: null, lead_emails: [], language_ids: [], priority: 'low' };
    expect(submissionOf(columns, { ...sent('create', 8, {}), body: null })).toEqual([
      ['priority', 'low', null],
    ]);
  });
});
