import { area, budget, known, moment, oneOf, person, source, visitor } from '../details.ts';
import type { MakeBody, Scene } from '../enquiry.ts';
import { messageIn } from '../messages.ts';

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

function page({ dice, catalogue, who }: Scene) {
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

function clicks({ dice, number, seed }: Scene) {
  if (dice.chance(0.35)) return { utmSource: 'newsletter', utmMedium: 'email' };
  return {
    gclid: `demo-${seed}-${number}`,
    utmSource: 'search',
    utmMedium: 'cpc',
    utmCampaign: dice.pick(['sea-view-2026', 'off-plan-q4', 'إطلالة-بحرية']),
    utmTerm: dice.pick(['apartments with sea view', 'شقق للبيع']),
  };
}
