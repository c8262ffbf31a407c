import type { LeadCreate } from '../../client/generated.ts';
import {
  area,
  budget,
  known,
  messageIn,
  moment,
  oneOf,
  person,
  source,
  visitor,
} from '../details.ts';
import type { EnquiryContext, MakeBody } from '../enquiries.ts';

/** The form of a project's landing page, with everything that its backend knows of the visit. */
export const landingPage: MakeBody = (scene) => {
  const { who, dice, catalogue } = scene;
  const place = area(scene);
  const wantsArea = dice.chance(0.85);
  return {
    ...person(scene),
    ...source(scene, /web|google|landing|seo/i),
    ...oneOf('eventType', known(catalogue.eventTypes, /form/i), scene),
    ...oneOf('marketingType', catalogue.marketingTypes, scene),
    ...(dice.chance(0.3) && oneOf('campaignName', catalogue.campaigns, scene)),
    ...(wantsArea && { areaOfInterest: place.name }),
    ...oneOf('propertyTypeInterest', catalogue.propertyTypes, scene),
    ...(dice.chance(0.5) && budget(scene)),
    initialInquiry: messageIn(who.language, place, dice),
    languages: [who.language],
    ...page(scene),
    ...clicks(scene),
    ...visitor(scene),
    submittedAt: moment(scene),
    integrationRef: 'landing-pages',
    consent: { marketing: dice.chance(0.8), wording: 'v3' },
  };
};

function page({ dice, catalogue, who }: EnquiryContext) {
  const domain = catalogue.websites.length > 0 ? dice.pick(catalogue.websites) : 'example.com';
  const project = catalogue.projects.length > 0 ? dice.pick(catalogue.projects) : null;
  const locale = who.language === 'ar' ? 'ar' : 'en';
  const country = dice.pick(['ae', 'ae', 'sa', 'gb']);
  const developer = catalogue.developers.find(({ slug }) => slug === project?.developer);
  return {
    website: domain,
    pageUrl: `https://${domain}/${locale}/${project?.slug ?? 'homes'}/${country}`,
    pathLocale: `${locale}-${country}`,
    formName: dice.pick(['Register interest', 'Download brochure', 'Book a viewing']),
    referrer: dice.pick(['https://search.example/', 'https://social.example/feed']),
    ...(developer && dice.chance(0.6) && { developerName: developer.name }),
  };
}

function clicks({ dice, number, seed }: EnquiryContext) {
  if (dice.chance(0.35)) return { utmSource: 'newsletter', utmMedium: 'email' };
  return {
    gclid: `demo-${seed}-${number}`,
    utmSource: 'search',
    utmMedium: 'cpc',
    utmCampaign: dice.pick(['sea-view-2026', 'off-plan-q4', 'إطلالة-بحرية']),
    utmTerm: dice.pick(['apartments with sea view', 'شقق للبيع']),
  };
}

/** A form whose texts are not quite those of the CRM: it is taken all the same, and flagged. */
export const brokenLookups: MakeBody = (scene) => ({
  ...landingPage(scene),
  ...scene.dice.pick(faults)(scene),
});

const faults: readonly ((scene: EnquiryContext) => LeadCreate)[] = [
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

/** Someone of another agency who asks like a customer: known by name, or by the e-mail's domain. */
export const competingAgent: MakeBody = (scene) => ({
  ...landingPage(scene),
  ...identity(scene),
  leadCompanyName: 'Rival Homes',
  initialInquiry: 'My client would like to view this week. What is your commission split?',
});

function identity({ catalogue, dice, who, number }: EnquiryContext) {
  const { knownAgents, competitorDomains } = catalogue;
  if (knownAgents.length > 0 && (competitorDomains.length === 0 || dice.chance(0.4))) {
    const { kind, value } = dice.pick(knownAgents);
    return kind === 'phone'
      ? { leadPhones: [value], leadEmails: null }
      : { leadEmails: [value], leadPhones: null };
  }
  if (competitorDomains.length === 0) return {};
  const leadEmails = [`broker${number}@${dice.pick(competitorDomains)}`];
  return { leadPhones: [who.phone], leadEmails };
}
