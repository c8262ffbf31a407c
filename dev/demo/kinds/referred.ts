import type { LeadCreate } from '../../client/generated.ts';
import { area, budget, person, source } from '../details.ts';
import type { MakeBody, Scene } from '../enquiry.ts';
import { messageIn } from '../messages.ts';

/** Enquiries that say who should have them: by name, or by how they are to be distributed. */
export const referred: MakeBody = (scene) => {
  const place = area(scene);
  return {
    ...person(scene),
    ...source(scene, /refer|walk|event|office/i),
    areaOfInterest: place.name,
    ...budget(scene),
    initialInquiry: messageIn(scene.who.language, place, scene.dice),
    languages: [scene.who.language],
    priority: scene.dice.pick(['high', 'VIP', 'normal']),
    integrationRef: 'back-office',
    ...distribution(scene),
  };
};

const TYPES = [
  'Campaign distribution',
  'language',
  'Location distribution',
  'Developer and Area distribution',
  'ROADSHOW',
  'Whoever is free', // matches no rule, and is never refused
];

function distribution({ catalogue, dice }: Scene): LeadCreate {
  const { agents, formerAgents } = catalogue;
  if (agents.length === 0 || dice.chance(0.45)) return { distributionType: dice.pick(TYPES) };
  const left = formerAgents.length > 0 ? formerAgents : ['nobody.now@agency.example'];
  const assignedBy = dice.pick(dice.chance(0.2) ? left : agents);
  return dice.chance(0.7) ? { assignedBy, distributionType: 'Personal' } : { assignedBy };
}
