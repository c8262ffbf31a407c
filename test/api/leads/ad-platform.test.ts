import { randomUUID } from 'node:crypto';
import { newPhone, startIntake } from '../../support/api.ts';

const api = await startIntake();
afterAll(() => api.stop());

const block = (more: object = {}) => ({ adPlatformLeadId: randomUUID(), ...more });
const named = (name: string) => ({ id: expect.any(String), name });

describe('adPlatform block', () => {
  test('without its lead id the whole block is discarded', async () => {
    for (const id of [{}, { adPlatformLeadId: null }, { adPlatformLeadId: '  ' }]) {
      const lead = await api.create({
        adPlatform: { ...id, formName: 'F', adPlatformCampaignName: 'Lost', adId: '7' },
      });
      expect(lead).toMatchObject({ adPlatform: null, formName: null, advertisingCampaign: null });
      expect(await api.lead(lead.id)).toMatchObject({ ad_id: null });
    }
  });

  test('1: the block is stored with the lead, unknown members included', async () => {
    const adPlatform = block({
      adPlatformCreatedAt: 'whenever',
      customFields: { 'What is your budget?': '1M', 7: ['odd'], nested: { deep: true } },
      somethingNew: 7,
    });
    const lead = await api.create({ adPlatform });
    expect(lead.adPlatform).toEqual(adPlatform);
    const [stored] = await api.database.query(
      `select block from ad_platform_blocks where lead_id = $1`,
      [lead.id],
    );
    expect(stored?.block).toEqual(adPlatform);
  });

  test('2: the campaign is matched on its id, so a rename keeps leads on one campaign', async () => {
    const adPlatformCampaignId = randomUUID();
    const campaign = (name?: string) =>
      block({ adPlatformCampaignId, ...(name ? { adPlatformCampaignName: name } : {}) });
    const first = await api.create({ adPlatform: campaign('Spring') });
    const renamed = await api.create({ adPlatform: campaign('Spring 2') });
    const nameless = await api.create({ adPlatform: campaign() });
    expect(first.advertisingCampaign).toEqual(named('Spring'));
    expect(renamed.advertisingCampaign).toEqual({
      id: first.advertisingCampaign.id,
      name: 'Spring 2',
    });
    expect(nameless.advertisingCampaign).toEqual(renamed.advertisingCampaign);
  });

  test('2: two campaigns of one name stay two; the block wins over advertisingCampaign', async () => {
    const name = `Same name ${randomUUID()}`;
    const ids = [randomUUID(), randomUUID()];
    const [one, two] = await Promise.all(
      ids.map((adPlatformCampaignId) =>
        api.create({
          advertisingCampaign: 'The field',
          adPlatform: block({ adPlatformCampaignId, adPlatformCampaignName: name }),
        }),
      ),
    );
    expect(one.advertisingCampaign).toEqual(named(name));
    expect(one.advertisingCampaign.id).not.toBe(two.advertisingCampaign.id);
    const byName = await api.create({ advertisingCampaign: name });
    expect(ids).not.toContain(byName.advertisingCampaign.id);
  });

  test('2: a name that one campaign of a platform has is no unknown name, in any case', async () => {
    const name = `Spring ${randomUUID()}`;
    const adPlatform = block({ adPlatformCampaignId: randomUUID(), adPlatformCampaignName: name });
    const { advertisingCampaign } = await api.create({ adPlatform });
    const byName = await api.create({ advertisingCampaign: ` ${name.toUpperCase()} ` });
    expect(byName.advertisingCampaign).toEqual(advertisingCampaign);
  });

  test('2: simultaneous first sights make one campaign', async () => {
    const adPlatformCampaignId = randomUUID();
    const leads = await Promise.all(
      Array.from({ length: 8 }, () => api.create({ adPlatform: block({ adPlatformCampaignId }) })),
    );
    expect(new Set(leads.map((lead) => lead.advertisingCampaign.id)).size).toBe(1);
  });

  test('2: a name is one campaign however it is encoded and spaced, also at once', async () => {
    const id = randomUUID();
    const names = [
      'Villas & Homes',
      'Villas &amp; Homes',
      'VILLAS  & Homes',
      'Villas\u00a0&\u00a0Homes',
    ];
    const leads = await Promise.all(
      names.map((name) => api.create({ advertisingCampaign: `${name} ${id}` })),
    );
    expect(new Set(leads.map((lead) => lead.advertisingCampaign.id)).size).toBe(1);
    expect(leads[0].advertisingCampaign.name).toMatch(/^villas & homes /i);
  });

  test('an id is one id with the kind that the platform writes before it', async () => {
    const digits = newPhone().slice(1);
    const ids = (lead: string, campaign: string, ad: string) => ({
      adPlatformLeadId: `${lead}${digits}`,
      adPlatformCampaignId: `${campaign}${digits}`,
      adId: `${ad}${digits}`,
    });
    const first = await api.create({ adPlatform: ids('l:', 'c:', 'ag:') });
    const again = await api.create({ adPlatform: ids('', '', '') });
    expect(again.adPlatform).toBeNull();
    const other = await api.create({ adPlatform: ids('l:7', '', '') });
    expect(other.advertisingCampaign).toEqual(first.advertisingCampaign);
    expect(first.advertisingCampaign.name).toBe(digits);
    expect(await api.lead(first.id)).toMatchObject({ ad_id: digits });
    const ownId = await api.create({ adPlatform: { adPlatformLeadId: `l:${randomUUID()}` } });
    expect(ownId.adPlatform).not.toBeNull();
  });

  test('3: names and ids become filterable columns', async () => {
    const lead = await api.create({
      adPlatform: block({
        finalPageName: 'Page',
        adId: 'ad-1',
        adName: 'Ad',
        adgroupId: 'set-1',
        adgroupName: 'Set',
        formId: 'form-1',
        formName: 'Form',
      }),
    });
    expect(await api.lead(lead.id)).toMatchObject({
      final_page_name: 'Page',
      ad_id: 'ad-1',
      ad_name: 'Ad',
      adgroup_id: 'set-1',
      adgroup_name: 'Set',
      form_id: 'form-1',
      ad_form_name: 'Form',
    });
  });

  test('formName and adsetName fall back to the block, cut to 255 characters', async () => {
    const long = '🏠'.repeat(300);
    const lead = await api.create({ adPlatform: block({ formName: long, adgroupName: long }) });
    expect(lead).toMatchObject({ formName: '🏠'.repeat(255), adsetName: '🏠'.repeat(255) });
    const sent = await api.create({ formName: 'Mine', adPlatform: block({ formName: 'Theirs' }) });
    expect(sent).toMatchObject({ formName: 'Mine', adsetName: null });
  });

  test('4: a second lead with the same id is created, and the block is not attached again', async () => {
    const customFields = { Distribution: 'Campaign' };
    const adPlatform = block({ formName: 'F', adPlatformCampaignId: randomUUID(), customFields });
    const first = await api.create({ adPlatform });
    expect(first.distributionType).toBe('Campaign distribution');
    const second = await api.create({ adPlatform });
    expect(second.id).not.toBe(first.id);
    expect(second).toMatchObject({
      adPlatform: null,
      formName: null,
      advertisingCampaign: null,
      distributionType: null,
      intakeUnresolved: null,
    });
    const named = await api.create({ adPlatform, advertisingCampaign: 'By name' });
    expect(named.advertisingCampaign.name).toBe('By name');
  });

  test('4: of simultaneous enquiries one gets the block', async () => {
    const adPlatform = block({ adId: '7' });
    const leads = await Promise.all(Array.from({ length: 6 }, () => api.create({ adPlatform })));
    expect(leads.filter((lead) => lead.adPlatform !== null)).toHaveLength(1);
    const rows = await Promise.all(leads.map((lead) => api.lead(lead.id)));
    expect(rows.filter((row) => row.ad_id === '7')).toHaveLength(1);
  });

  test('ids and names of any length are taken', async () => {
    const long = Array.from({ length: 4000 }, () => randomUUID()).join('');
    const adPlatform = {
      adPlatformLeadId: long,
      adPlatformCampaignId: long.slice(1, 60_000),
      adPlatformCampaignName: long.slice(0, 20_000),
    };
    expect((await api.create({ adPlatform })).adPlatform).toEqual(adPlatform);
    expect((await api.create({ adPlatform })).adPlatform).toBeNull();
    const byName = block({ adPlatformCampaignName: long.slice(2, 50_000) });
    expect((await api.create({ adPlatform: byName })).advertisingCampaign.name).toHaveLength(
      49_998,
    );
  });
});
