import type { QuizAnswer } from '../../client/generated.ts';
import { area, known, oneOf, person, source, visitor } from '../details.ts';
import type { MakeBody, Scene } from '../enquiry.ts';

type Tongue = 'en' | 'ar';

/** A "find your home" quiz whose answers are free text, in English or Arabic. */
export const quiz: MakeBody = (scene) => {
  const tongue: Tongue = scene.who.language === 'ar' ? 'ar' : 'en';
  return {
    ...person(scene),
    ...source(scene, /web|quiz|game/i),
    ...oneOf('eventType', known(scene.catalogue.eventTypes, /gamification|quiz/i), scene),
    ...visitor(scene),
    languages: [scene.who.language],
    integrationRef: 'home-finder',
    quiz: {
      quizKey: scene.catalogue.quizFields[0]?.quizKey ?? 'finder',
      quizName: tongue === 'ar' ? 'اعثر على منزلك' : 'Find your home',
      locale: tongue,
      version: '4',
      answers: [...mapped(scene, tongue), ...others(scene, tongue)],
    },
  };
};

/** Questions that the CRM maps to fields of the lead. */
function mapped(scene: Scene, tongue: Tongue): QuizAnswer[] {
  const { quizFields } = scene.catalogue;
  return quizFields
    .filter(({ quizKey }) => quizKey === quizFields[0]?.quizKey)
    .flatMap(({ questionKey, field }) => {
      const answer = answerFor(field, scene, tongue);
      return answer ? [{ questionKey, questionLabel: field, ...answer }] : [];
    });
}

function answerFor(field: string, scene: Scene, tongue: Tongue): QuizAnswer | null {
  const { dice, catalogue } = scene;
  if (field.startsWith('budget')) return { value: dice.pick(BUDGETS[tongue]) };
  if (field === 'areaOfInterest') return { answerLabel: area(scene).name };
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
function others({ dice }: Scene, tongue: Tongue): QuizAnswer[] {
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
