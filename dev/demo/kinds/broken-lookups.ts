import type { LeadCreate } from '../../client/generated.ts';
import type { MakeBody, Scene } from '../enquiry.ts';
import { landingPage } from './landing-page.ts';

/** A form whose texts are not quite those of the CRM: it is taken all the same, and flagged. */
export const brokenLookups: MakeBody = (scene) => ({
  ...landingPage(scene),
  ...scene.dice.pick(faults)(scene),
});

const faults: readonly ((scene: Scene) => LeadCreate)[] = [
  () => ({ areaOfInterest: 'Palm Jumeira Crescent West' }),
  ({ catalogue, dice }) => ({
    areaOfInterest: dice.pick(orElse(catalogue.ambiguousAreas, 'The Old Town by the Lake')),
  }),
  ({ dice }) => ({ source: dice.pick(['Webiste', 'Billboard E11', 'غير معروف']) }),
  ({ catalogue }) => ({
    developerName: misspelt(catalogue.developers[0]?.name ?? 'Emaar Properties'),
  }),
  () => ({ leadType: 'Curious neighbour', currency: 'XYZ' }),
  () => ({ propertyTypeInterest: 'Treehouse', campaignName: 'Winter in July' }),
  () => ({ submittedAt: 'yesterday evening', languages: ['Klingon', 'en'] }),
  () => ({ funnel: 'Time shares', marketSegment: 'Ultra' }),
];

function orElse(list: readonly string[], otherwise: string): readonly string[] {
  return list.length > 0 ? list : [otherwise];
}

/** The second and third letters swapped. */
function misspelt(name: string): string {
  return name.slice(0, 1) + name.slice(2, 3) + name.slice(1, 2) + name.slice(3);
}
