import { area, known, moment, oneOf, person, source } from '../details.ts';
import type { MakeBody, Scene } from '../enquiry.ts';

/** Names of one campaign over time: a rename keeps the leads on it. */
const CAMPAIGNS: readonly { id: string; names: readonly string[] }[] = [
  { id: '120210000000001', names: ['Sea view | leads', 'Sea view | leads | Q4'] },
  { id: '120210000000002', names: ['Off plan | lookalike', 'Off plan | lookalike 3%'] },
  { id: '120210000000003', names: ['فلل عائلية', 'فلل عائلية - المرحلة ٢'] },
];

/** The lead form of an ad platform. */
export const adForm: MakeBody = (scene) => {
  const { who, dice, catalogue } = scene;
  return {
    ...person(scene),
    ...source(scene, /facebook|instagram|meta|tiktok|social|ad/i),
    ...oneOf('eventType', known(catalogue.eventTypes, /form/i), scene),
    ...oneOf('marketingType', known(catalogue.marketingTypes, /paid/i), scene),
    ...(dice.chance(0.6) && { areaOfInterest: area(scene).name }),
    ...(dice.chance(0.3) && oneOf('campaignName', catalogue.campaigns, scene)),
    languages: [who.language],
    fbclid: `demo-${scene.seed}-${scene.number}`,
    integrationRef: 'ad-forms',
    adPlatform: block(scene),
  };
};

function block(scene: Scene) {
  const { dice, number, seed } = scene;
  const campaign = dice.pick(CAMPAIGNS);
  const isRepeated = dice.chance(0.1);
  const adgroup = dice.int(1, 4);
  return {
    adPlatformLeadId: isRepeated ? `${seed}-repeated` : `${seed}-${number}`,
    adPlatformCreatedAt: moment(scene),
    platform: dice.pick(['facebook', 'instagram']),
    adPlatformCampaignId: campaign.id,
    adPlatformCampaignName: dice.pick(campaign.names),
    adgroupId: `23850000000000${adgroup}`,
    adgroupName: `Ad set ${adgroup}`,
    adId: `23860000000000${dice.int(1, 9)}`,
    adName: dice.pick(['Carousel A', 'Video 15s', 'فيديو']),
    formId: '9900001',
    formName: 'Instant form',
    finalPageName: dice.pick(['Homes by the sea', 'عقارات']),
    customFields: {
      'When do you plan to buy?': dice.pick(['Now', 'In 3 months', 'خلال سنة']),
      Area: area(scene).name,
      ...(dice.chance(0.25) && { 'Distribution Type': dice.pick(['campaign', 'language']) }),
    },
  };
}
