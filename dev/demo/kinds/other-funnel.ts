import { area, person, source } from '../details.ts';
import type { MakeBody } from '../enquiry.ts';
import { messageIn } from '../messages.ts';

/** Not a purchase: what goes to another pipeline than sales. */
export const otherFunnel: MakeBody = (scene) => {
  const { dice, who } = scene;
  const place = area(scene);
  const [funnel, leadType] = dice.pick(FUNNELS);
  return {
    ...person(scene),
    ...source(scene, /web|walk|call/i),
    funnel,
    ...(leadType && { leadType }),
    areaOfInterest: place.name,
    initialInquiry: messageIn(who.language, place, dice),
    languages: [who.language],
    integrationRef: 'service-desk',
  };
};

/** Funnels by name and by key, as callers spell them. */
const FUNNELS: readonly (readonly [funnel: string, leadType: string | null])[] = [
  ['Leasing', 'Tenant'],
  ['leasing', 'Landlord'],
  ['mortgages', 'Mortgages'],
  ['Property-Management', 'Owner'],
  ['Landlord/Sellers Listings', 'Seller'],
  ['RECRUITMENT', null],
];
