import type { LeadCreate } from '../../client/lead-client.ts';
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
  type EnquiryContext,
  type MakeBody,
} from '../details.ts';

/** The form of a project's landing page, with everything that its backend knows of the visit. */
export const landingPage: MakeBody = (context) => {
  const { who, dice, catalogue } = context;
  const place = area(context);
  const wantsArea = dice.chance(0.85);
  return {
    ...person(context),
    ...source(context, /web|google|landing|seo/i),
    ...oneOf('eventType', known(catalogue.eventTypes, /form/i), context),
    ...oneOf('marketingType', catalogue.marketingTypes, context),
    ...(dice.chance(0.3) && oneOf('campaignName', catalogue.campaigns, context)),
    ...(wantsArea && { areaOfInterest: place.name }),
    ...oneOf('propertyTypeInterest', catalogue.propertyTypes, context),
    ...(dice.chance(0.5) && budget(context)),
    initialInquiry: messageIn(who.language, place, dice),
    languages: [who.language],
    ...page(context),
    ...clicks(context),
    ...visitor(context),
    submittedAt: moment(context),
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
export const brokenLookups: MakeBody = (context) => ({
  ...landingPage(context),
  ...context.dice.pick(defects)(context),
});

const defects: readonly ((context: EnquiryContext) => LeadCreate)[] = [
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
export const competingAgent: MakeBody = (context) => ({
  ...landingPage(context),
  ...identity(context),
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
