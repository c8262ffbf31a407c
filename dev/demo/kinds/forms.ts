import type { QuizAnswer } from '../../client/lead-client.ts';
import {
  area,
  known,
  moment,
  oneOf,
  person,
  source,
  visitor,
  type EnquiryContext,
  type MakeBody,
} from '../details.ts';

/** Names of one campaign over time: a rename keeps the leads on it. */
const CAMPAIGNS: readonly { id: string; names: readonly string[] }[] = [
  { id: '120210000000001', names: ['Sea view | leads', 'Sea view | leads | Q4'] },
  { id: '120210000000002', names: ['Off plan | lookalike', 'Off plan | lookalike 3%'] },
  { id: '120210000000003', names: ['فلل عائلية', 'فلل عائلية - المرحلة ٢'] },
];

/** The lead form of an ad platform. */
export const adForm: MakeBody = (context) => {
  const { who, dice, catalogue } = context;
  return {
    ...person(context),
    ...source(context, /facebook|instagram|meta|tiktok|social|ad/i),
    ...oneOf('eventType', known(catalogue.eventTypes, /form/i), context),
    ...oneOf('marketingType', known(catalogue.marketingTypes, /paid/i), context),
    ...(dice.chance(0.6) && { areaOfInterest: area(context).name }),
    ...(dice.chance(0.3) && oneOf('campaignName', catalogue.campaigns, context)),
    languages: [who.language],
    fbclid: `demo-${context.seed}-${context.number}`,
    integrationRef: 'ad-forms',
    adPlatform: block(context),
  };
};

function block(context: EnquiryContext) {
  const { dice, number, seed } = context;
  const campaign = dice.pick(CAMPAIGNS);
  const isRepeated = dice.chance(0.1);
  const adgroup = dice.int(1, 4);
  return {
    adPlatformLeadId: isRepeated ? `${seed}-repeated` : `${seed}-${number}`,
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

type Tongue = 'en' | 'ar';

/** A "find your home" quiz whose answers are free text, in English or Arabic. */
export const quiz: MakeBody = (context) => {
  const tongue: Tongue = context.who.language === 'ar' ? 'ar' : 'en';
  return {
    ...person(context),
    ...source(context, /web|quiz|game/i),
    ...oneOf('eventType', known(context.catalogue.eventTypes, /gamification|quiz/i), context),
    ...visitor(context),
    languages: [context.who.language],
    integrationRef: 'home-finder',
    quiz: {
      quizKey: context.catalogue.quizFields[0]?.quizKey ?? 'finder',
      quizName: tongue === 'ar' ? 'اعثر على منزلك' : 'Find your home',
      locale: tongue,
      version: '4',
      answers: [...mapped(context, tongue), ...others(context, tongue)],
    },
  };
};

/** Questions that the CRM maps to fields of the lead. */
function mapped(context: EnquiryContext, tongue: Tongue): QuizAnswer[] {
  const { quizFields } = context.catalogue;
  return quizFields
    .filter(({ quizKey }) => quizKey === quizFields[0]?.quizKey)
    .flatMap(({ questionKey, field }) => {
      const answer = answerFor(field, context, tongue);
      return answer ? [{ questionKey, questionLabel: field, ...answer }] : [];
    });
}

function answerFor(field: string, context: EnquiryContext, tongue: Tongue): QuizAnswer | null {
  const { dice, catalogue } = context;
  if (field.startsWith('budget')) return { value: dice.pick(BUDGETS[tongue]) };
  if (field === 'areaOfInterest') return { answerLabel: area(context).name };
  if (field === 'propertyTypeInterest' && catalogue.propertyTypes.length > 0)
    return { answerLabel: dice.pick(catalogue.propertyTypes) };
  if (field === 'leadType') return { answerLabel: dice.pick(['Primary', 'Secondary', 'Tenant']) };
  if (field === 'languages') return { answerLabel: tongue === 'ar' ? 'العربية' : 'English' };
  return null;
}

const BUDGETS: Readonly<Record<Tongue, readonly string[]>> = {
  en: ['1.5 to 2 million AED', 'around 900k', '2,000,000 - 3,500,000', 'depends on the view'],
  ar: ['من مليون إلى ٢ مليون درهم', '٨٠٠ ألف درهم', '١٬٥٠٠٬٠٠٠', 'حسب الموقع'],
};

/** Questions of the marketing team alone. */
function others({ dice }: EnquiryContext, tongue: Tongue): QuizAnswer[] {
  const inArabic = tongue === 'ar';
  return [
    {
      questionKey: 'move_in',
      questionLabel: inArabic ? 'متى تنوي الانتقال؟' : 'When would you like to move in?',
      value: dice.pick(['2027-03-01', '1 March 2027', '03/04/2027', '١ مارس ٢٠٢٧']),
    },
    {
      questionKey: 'mortgage',
      questionLabel: inArabic ? 'هل تحتاج إلى تمويل؟' : 'Do you need a mortgage?',
      value: dice.pick(inArabic ? ['نعم', 'لا'] : ['yes', 'no', 'Yes please']),
    },
    {
      questionKey: 'purpose',
      questionLabel: inArabic ? 'الغرض' : 'Purpose',
      optionKey: dice.pick([['live'], ['invest'], ['live', 'invest']]),
      answerLabel: inArabic ? 'سكن' : 'To live in',
    },
  ];
}
