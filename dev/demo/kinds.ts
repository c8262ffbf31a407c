import type { LeadCreate, QuizAnswer } from '../client/lead-client.ts';
import {
  budget,
  moment,
  visitor,
  wish,
  type EnquiryContext,
  type MakeBody,
  area,
} from './details.ts';

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

/** Names of one campaign over time: a rename keeps the leads on it. */
const CAMPAIGNS = [
  { id: '120210000000001', names: ['Sea view | leads', 'Sea view | leads | Q4'] },
  { id: '120210000000002', names: ['Off plan | lookalike', 'Off plan | lookalike 3%'] },
  { id: '120210000000003', names: ['فلل عائلية', 'فلل عائلية - المرحلة ٢'] },
];

/** The lead form of an ad platform. */
export const adForm: MakeBody = (context) => {
  const { dice, catalogue, seed, number } = context;
  return {
    marketingType: dice.pickAny(catalogue.marketingTypes.filter((name) => /paid/i.test(name))),
    areaOfInterest: dice.chance(0.6) ? area(context).name : undefined,
    campaignName: dice.chance(0.3) ? dice.pickAny(catalogue.campaigns) : undefined,
    fbclid: `demo-${seed}-${number}`,
    adPlatform: adPlatform(context),
  };
};

function adPlatform(context: EnquiryContext) {
  const { dice, number, seed } = context;
  const campaign = dice.pick(CAMPAIGNS);
  const adgroup = dice.int(1, 4);
  return {
    adPlatformLeadId: dice.chance(0.1) ? `${seed}-repeated` : `${seed}-${number}`,
    adPlatformCreatedAt: moment(context),
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
      Area: area(context).name,
      ...(dice.chance(0.25) && { 'Distribution Type': dice.pick(['campaign', 'language']) }),
    },
  };
}

/** A "find your home" quiz whose answers are free text, in English or Arabic. */
export const quiz: MakeBody = (context) => {
  const inArabic = context.who.language === 'ar';
  return {
    ...visitor(context),
    quiz: {
      quizKey: context.catalogue.quizFields[0]?.quizKey ?? 'finder',
      quizName: inArabic ? 'اعثر على منزلك' : 'Find your home',
      locale: inArabic ? 'ar' : 'en',
      version: '4',
      answers: [...mappedAnswers(context, inArabic), ...otherAnswers(context, inArabic)],
    },
  };
};

/** To questions that the CRM maps to fields of the lead. */
function mappedAnswers(context: EnquiryContext, inArabic: boolean): QuizAnswer[] {
  const { quizFields } = context.catalogue;
  return quizFields
    .filter(({ quizKey }) => quizKey === quizFields[0]?.quizKey)
    .flatMap(({ questionKey, field }) => {
      const answer = ANSWERS[field]?.(context, inArabic);
      return answer ? [{ questionKey, questionLabel: field, ...answer }] : [];
    });
}

type Answer = (context: EnquiryContext, inArabic: boolean) => QuizAnswer;

const budgetAnswer: Answer = ({ dice }, inArabic) => ({
  value: dice.pick(inArabic ? ARABIC_BUDGETS : BUDGETS),
});

const ANSWERS: Readonly<Record<string, Answer>> = {
  budget: budgetAnswer,
  budgetMin: budgetAnswer,
  budgetMax: budgetAnswer,
  areaOfInterest: (context) => ({ answerLabel: area(context).name }),
  propertyTypeInterest: (context) => ({
    answerLabel: context.dice.pickAny(context.catalogue.propertyTypes),
  }),
  leadType: ({ dice }) => ({ answerLabel: dice.pick(['Primary', 'Secondary', 'Tenant']) }),
  languages: (_, inArabic) => ({ answerLabel: inArabic ? 'العربية' : 'English' }),
};

const BUDGETS = [
  '1.5 to 2 million AED',
  'around 900k',
  '2,000,000 - 3,500,000',
  'depends on the view',
];
const ARABIC_BUDGETS = ['من مليون إلى ٢ مليون درهم', '٨٠٠ ألف درهم', '١٬٥٠٠٬٠٠٠', 'حسب الموقع'];

/** To questions of the marketing team alone. */
function otherAnswers({ dice }: EnquiryContext, inArabic: boolean): QuizAnswer[] {
  return [
    {
      questionKey: 'move_in',
      questionLabel: inArabic ? 'متى تنوي الانتقال؟' : 'When would you like to move in?',
      value: dice.pick(['2027-03-01', '1 March 2027', '03/04/2027', '١ مارس ٢٠٢٧']),
    },
    {
      questionKey: 'mortgage',
      questionLabel: inArabic ? 'هل تحتاج إلى تمويل؟' : 'Do you need a mortgage?',
      value: inArabic ? dice.pick(['نعم', 'لا']) : dice.pick(['yes', 'no', 'Yes please']),
    },
    {
      questionKey: 'purpose',
      questionLabel: inArabic ? 'الغرض' : 'Purpose',
      optionKey: dice.pick([['live'], ['invest'], ['live', 'invest']]),
      answerLabel: inArabic ? 'سكن' : 'To live in',
    },
  ];
}

/** An enquiry about a listing, from a property portal. */
export const portal: MakeBody = (context) => ({
  ...wish(context, 0),
  referenceNo: referenceNo(context),
  budgetMax: context.dice.chance(0.2) ? String(context.dice.int(5, 40) * 100_000) : undefined,
  languages: undefined,
});

function referenceNo({ catalogue, dice }: EnquiryContext): string | undefined {
  const ambiguous = dice.pickAny(catalogue.ambiguousReferenceNos);
  if (ambiguous && dice.chance(0.1)) return ambiguous;
  const found = dice.pickAny(catalogue.referenceNos);
  return found && dice.chance(0.2) ? ` ${found.toLowerCase()} ` : found;
}

/** WhatsApp clicks, calls and direct messages, with the conversation so far. */
export const chatOrCall: MakeBody = (context) => ({
  ...wish(context, 0.6),
  leadPhones: [context.who.phone],
  languages: [context.who.language, ...(context.dice.chance(0.3) ? ['English'] : [])],
  comments: conversation(context),
});

/** Now and then more than the five that one request may carry. */
function conversation(context: EnquiryContext): LeadCreate['comments'] {
  const { seed, number, dice } = context;
  return Array.from({ length: dice.chance(0.1) ? 7 : dice.int(1, 4) }, (_, index) => {
    const direction = index % 2 === 0 ? 'inbound' : 'outbound';
    return {
      date: moment(context, index),
      text: dice.pick(CHAT_LINES[direction]),
      channel: 'whatsapp',
      direction,
      externalId: `wa-${seed}-${number}-${index}`,
    };
  });
}

const CHAT_LINES = {
  inbound: [
    'Hi, is it still available?',
    'هل السعر قابل للتفاوض؟',
    'Could you send the brochure?',
    'Yes, tomorrow at five works.',
  ],
  outbound: ['Good morning! Which area do you have in mind?', 'أهلاً بك، تم إرسال الكتيّب.'],
};

/** Enquiries that say who should have them: by name, or by how they are to be distributed. */
export const referred: MakeBody = (context) => ({
  ...wish(context),
  ...budget(context),
  priority: context.dice.pick(['high', 'VIP', 'normal']),
  ...distribution(context),
});

function distribution({ catalogue, dice }: EnquiryContext): LeadCreate {
  const former = dice.pickAny(catalogue.formerAgents) ?? 'nobody.now@agency.example';
  const agent = dice.pickAny(catalogue.agents);
  if (!agent || dice.chance(0.45)) return { distributionType: dice.pick(DISTRIBUTION_TYPES) };
  const assignedBy = dice.chance(0.2) ? former : agent;
  return { assignedBy, distributionType: dice.chance(0.7) ? 'Personal' : undefined };
}

const DISTRIBUTION_TYPES = [
  'Campaign distribution',
  'language',
  'Location distribution',
  'Developer and Area distribution',
  'ROADSHOW',
  'Whoever is free', // matches no rule, and is never refused
];

/** Not a purchase: what goes to another pipeline than sales. */
export const otherFunnel: MakeBody = (context) => ({
  ...wish(context),
  ...context.dice.pick(FUNNELS),
});

/** Funnels by name and by key, as callers spell them. */
const FUNNELS = [
  { funnel: 'Leasing', leadType: 'Tenant' },
  { funnel: 'leasing', leadType: 'Landlord' },
  { funnel: 'mortgages', leadType: 'Mortgages' },
  { funnel: 'Property-Management', leadType: 'Owner' },
  { funnel: 'Landlord/Sellers Listings', leadType: 'Seller' },
  { funnel: 'RECRUITMENT' },
];
