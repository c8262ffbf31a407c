import type { QuizAnswer } from '../../client/lead-client.ts';
import { area, moment, visitor, type EnquiryContext, type MakeBody } from '../details.ts';

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
      const answer = answerFor(field, context, inArabic);
      return answer ? [{ questionKey, questionLabel: field, ...answer }] : [];
    });
}

function answerFor(field: string, context: EnquiryContext, inArabic: boolean): QuizAnswer | null {
  const { dice, catalogue } = context;
  switch (field) {
    case 'budget':
    case 'budgetMin':
    case 'budgetMax':
      return { value: dice.pick(inArabic ? ARABIC_BUDGETS : BUDGETS) };
    case 'areaOfInterest':
      return { answerLabel: area(context).name };
    case 'propertyTypeInterest':
      return { answerLabel: dice.pickAny(catalogue.propertyTypes) };
    case 'leadType':
      return { answerLabel: dice.pick(['Primary', 'Secondary', 'Tenant']) };
    case 'languages':
      return { answerLabel: inArabic ? 'العربية' : 'English' };
    default:
      return null;
  }
}

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
