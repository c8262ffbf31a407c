import type { LeadCreate } from '../../client/lead-client.ts';
import { budget, moment, visitor, wish, type EnquiryContext, type MakeBody } from '../details.ts';

/** The form of a project's landing page, with everything that its backend knows of the visit. */
export const landingPage: MakeBody = (context) => {
  const { dice, catalogue } = context;
  return {
    ...wish(context, 0.85),
    marketingType: dice.pickAny(catalogue.marketingTypes),
    campaignName: dice.chance(0.3) ? dice.pickAny(catalogue.campaigns) : undefined,
    propertyTypeInterest: dice.pickAny(catalogue.propertyTypes),
    ...(dice.chance(0.5) && budget(context)),
    ...page(context),
    ...clicks(context),
    ...visitor(context),
    submittedAt: moment(context),
    consent: { marketing: dice.chance(0.8), wording: 'v3' },
  };
};

function page({ dice, catalogue, who }: EnquiryContext): LeadCreate {
  const domain = dice.pickAny(catalogue.websites) ?? 'example.com';
  const project = dice.pickAny(catalogue.projects);
  const locale = who.language === 'ar' ? 'ar' : 'en';
  const country = dice.pick(['ae', 'ae', 'sa', 'gb']);
  const developer = catalogue.developers.find(({ slug }) => slug === project?.developer);
  return {
    website: domain,
    pageUrl: `https://${domain}/${locale}/${project?.slug ?? 'homes'}/${country}`,
    pathLocale: `${locale}-${country}`,
    formName: dice.pick(['Register interest', 'Download brochure', 'Book a viewing']),
    referrer: dice.pick(['https://search.example/', 'https://social.example/feed']),
    developerName: dice.chance(0.6) ? developer?.name : undefined,
  };
}

function clicks({ dice, number, seed }: EnquiryContext): LeadCreate {
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
  ...context.dice.pick(defects(context)),
});

const defects = ({ catalogue, dice }: EnquiryContext): LeadCreate[] => [
  { areaOfInterest: 'Palm Jumeira Crescent West' },
  { areaOfInterest: dice.pickAny(catalogue.ambiguousAreas) ?? 'The Old Town by the Lake' },
  { source: dice.pick(['Webiste', 'Billboard E11', 'غير معروف']) },
  { developerName: misspelt(catalogue.developers[0]?.name ?? 'Emaar Properties') },
  { leadType: 'Curious neighbour', currency: 'XYZ' },
  { propertyTypeInterest: 'Treehouse', campaignName: 'Winter in July' },
  { submittedAt: 'yesterday evening', languages: ['Klingon', 'en'] },
  { funnel: 'Time shares', marketSegment: 'Ultra' },
];

/** The second and third letters swapped. */
const misspelt = (name: string) => name.replace(/^(.)(.)(.)/, '$1$3$2');

/** Someone of another agency who asks like a customer: known by name, or by the e-mail's domain. */
export const competingAgent: MakeBody = (context) => ({
  ...landingPage(context),
  ...identity(context),
  leadCompanyName: 'Rival Homes',
  initialInquiry: 'My client would like to view this week. What is your commission split?',
});

function identity({ catalogue, dice, who, number }: EnquiryContext): LeadCreate {
  const domain = dice.pickAny(catalogue.competitorDomains);
  const agent = dice.pickAny(catalogue.knownAgents);
  if (agent && (!domain || dice.chance(0.4))) {
    const points = { leadPhones: null, leadEmails: null };
    return { ...points, [agent.kind === 'phone' ? 'leadPhones' : 'leadEmails']: [agent.value] };
  }
  return domain ? { leadPhones: [who.phone], leadEmails: [`broker${number}@${domain}`] } : {};
}
