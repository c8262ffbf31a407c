import fc from 'fast-check';
import { fields } from '../../../domain/leads/fields.ts';
import { newPhone, startIntake } from '../../support/api.ts';
import { fieldValues } from './field-values.ts';

type Body = Record<string, unknown>;

const RUNS = 40;

/** Two blocks of other leads, one of whose campaign has a name that the field has too. */
const BLOCKS = {
  held: { adPlatformLeadId: 'held by another', adPlatformCampaignId: 'c-1' },
  named: {
    adPlatformLeadId: 'held by a third',
    adPlatformCampaignId: 'c-2',
    adPlatformCampaignName: 'Two',
  },
};

const unmatched = (type: string) => (type === 'texts' ? [['XQZ']] : ['XQZ', '']);
const values = fields.map(({ name, type }) => {
  const known = fieldValues(name);
  const others = [null, ...(type === 'decimal' ? [''] : unmatched(type))];
  return [name, fc.constantFrom(...known, ...known, ...others)] as const;
});

const answer = fc.oneof(
  ...[
    ['budget', ['5 million', 'up to 1 million AED', '03/04/2026']],
    ['area', ['Palm Jumeirah', 'Downtown']],
    ['type', ['Villa', 'Castle']],
    ['from', ['Website', 'Social Ads', 'Pigeon']],
    ['listing', ['AG-R-1', 'NONE']],
    ['else', ['???', '2026-04-03', null]],
  ].map(([questionKey, given]) =>
    fc.record({ questionKey: fc.constant(questionKey), value: fc.constantFrom(...(given ?? [])) }),
  ),
);
const quiz = fc.record({
  quizKey: fc.constantFrom('finder', 'finder', 'other', ''),
  answers: fc.array(answer, { maxLength: 4 }),
});

/** A block with ids made from `lead`, which the lead may get itself. */
const blockOf = (lead: string) =>
  fc.oneof(
    fc.constantFrom<object>(BLOCKS.held, BLOCKS.named),
    fc.record(
      {
        adPlatformLeadId: fc.constantFrom(`${lead} 1`, `${lead} 2`),
        adPlatformCampaignId: fc.constantFrom('c-1', 'c-3'),
        adPlatformCampaignName: fc.constantFrom('Two', 'Three'),
        formName: fc.constantFrom('Form', 'Other form'),
        adgroupName: fc.constant('Group'),
        adId: fc.constantFrom('1', '2'),
      },
      { requiredKeys: ['adPlatformLeadId'] },
    ),
  );
const comment = fc.record({
  text: fc.constantFrom('Hi', 'Call me', ''),
  externalId: fc.constantFrom('e-1', 'e-2', 'e-3'),
});

/** Fields that name one record, or hang on each other, are often sent together. */
const together = [
  ['listingId', 'referenceNo'],
  ['developerId', 'developerName', 'referenceNo'],
  ['source', 'subSource'],
  ['advertisingCampaign'],
  ['pageUrl', 'localeCountry'],
];
const fieldsOf = fc.oneof(
  fc.record(Object.fromEntries(values), { requiredKeys: [] }),
  ...together.map((names) =>
    fc.record(Object.fromEntries(values.filter(([name]) => names.includes(name))), {
      requiredKeys: [],
    }),
  ),
);
const updateOf = (lead: string) =>
  fc
    .tuple(
      fieldsOf,
      fc.record(
        {
          quiz,
          adPlatform: fc.oneof(blockOf(lead), fc.constant(null)),
          comments: fc.array(comment, { maxLength: 6 }),
        },
        { requiredKeys: [] },
      ),
    )
    .map((parts): Body => Object.assign({}, ...parts) as Body);
const story = fc
  .uuid()
  .chain((lead) =>
    fc.tuple(
      fc.boolean(),
      fc.array(updateOf(lead), { minLength: 2, maxLength: 5 }),
      fc.constant(lead),
    ),
  );

const PARTS = [
  'ad_platform_blocks',
  'assignments',
  'comments',
  'lead_contact_points',
  'lead_outbox',
  'quiz_answers',
  'timeline_notes',
];

/** Everything about a lead but the bodies that were sent, and what updates register beside it. */
async function stateOf(leadId: string) {
  const lists = [
    ...PARTS.map(
      (name) => `'${name}', (select jsonb_agg(to_jsonb(t) order by t::text)
      from ${name} t where lead_id = l.id)`,
    ),
    `'campaigns', (select jsonb_agg(to_jsonb(t) - 'updated_at' order by id) from advertising_campaigns t)`,
    `'questions', (select jsonb_agg(to_jsonb(t) order by t::text) from quiz_questions t)`,
  ];
  const [row] = await api.database.query<{ state: object }>(
    `select jsonb_build_object('lead', to_jsonb(l), ${lists.join(', ')}) as state
     from leads l where id = $1`,
    [leadId],
  );
  return row?.state;
}

/** Sub-sources of another source, and what only a listing fills where there is none. */
async function contradictionsOf(leadId: string) {
  return api.database.query(
    `select l.id from leads l where id = $1 and (
       exists (select from list_entries s where s.id = any (l.sub_source_ids)
               and s.parent_id is distinct from l.source_id)
       or l.listing_id is null and (l.location_id is not null or l.bedrooms is not null))`,
    [leadId],
  );
}

async function expectRepeatWithoutEffect(leadId: string, body: Body) {
  const first = await api.update(leadId, body);
  const before = await stateOf(leadId);
  const second = await api.update(leadId, body);
  expect(second).toMatchObject({ updated: false, updatedFields: [], rerouted: false });
  expect(second.intakeUnresolved).toEqual(first.intakeUnresolved);
  expect(await stateOf(leadId)).toEqual(before);
  expect(await contradictionsOf(leadId)).toEqual([]);
}

const held = { assignedBy: 'sara@agency.example' };

const api = await startIntake();
for (const adPlatform of [BLOCKS.held, BLOCKS.named]) await api.create({ adPlatform });
afterAll(() => api.stop());

describe('The same update twice', () => {
  test('changes nothing the second time, whatever was updated before', async () => {
    await fc.assert(
      fc.asyncProperty(story, async ([isHeld, bodies]) => {
        const lead = await api.create({ leadPhones: [newPhone()], ...(isHeld ? held : {}) });
        for (const body of bodies) await expectRepeatWithoutEffect(lead.id, body);
        for (const body of bodies) await expectRepeatWithoutEffect(lead.id, body);
      }),
      { numRuns: RUNS },
    );
  });

  // The source of sub-sources is the quiz's, which matches none, also when the quiz itself is a retry.
  test('ignores sub-sources of a source that the quiz names each time', async () => {
    const lead = await api.create({ leadPhones: [newPhone()], source: 'Website' });
    const answers = [{ questionKey: 'from', value: 'Pigeon' }];
    await expectRepeatWithoutEffect(lead.id, {
      subSource: ['Chat'],
      quiz: { quizKey: 'finder', answers },
    });
  });

  test('changes nothing either after updates that ran at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(story, async ([isHeld, bodies]) => {
        const lead = await api.create({ leadPhones: [newPhone()], ...(isHeld ? held : {}) });
        await Promise.all([...bodies, ...bodies].map((body) => api.update(lead.id, body)));
        expect(await contradictionsOf(lead.id)).toEqual([]);
        for (const body of bodies) await expectRepeatWithoutEffect(lead.id, body);
      }),
      { numRuns: RUNS / 2 },
    );
  });
});
