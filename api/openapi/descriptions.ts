import type { createDocument } from 'zod-openapi';
import { endpointEventTypes, leadEventTypes } from '../../domain/webhooks/event-payloads.ts';
import { eventName } from '../responses/events.ts';

export type Document = ReturnType<typeof createDocument>;

interface Described {
  description?: string;
}

interface Operation {
  parameters?: (Described & { name: string; schema?: Described })[];
}

/** Gives a sentence to every property and parameter whose schema has none of its own. */
export function addDescriptions(document: Document): Document {
  const components = (document.components?.schemas ?? {}) as Record<
    string,
    { properties?: Record<string, Described> }
  >;
  for (const [id, { properties = {} }] of Object.entries(components))
    for (const [name, property] of Object.entries(properties)) {
      const text = texts[`${id}.${name}`] ?? texts[name];
      if (text !== undefined) property.description ??= text;
    }
  for (const item of Object.values(document.paths ?? {}))
    for (const { parameters = [] } of Object.values(item) as Operation[])
      for (const parameter of parameters) {
        const text = parameter.schema?.description ?? parameterTexts[parameter.name];
        if (text !== undefined) parameter.description ??= text;
      }
  return document;
}

const KEY_FORM =
  'For an answer of a quiz the name is `quiz.<quizKey>.<questionKey>`, with the keys as they were sent.';

const HELD_BY =
  'Who held the lead when the response was written. Null: nobody, or not decided yet.';

const leadFields = {
  leadEmails: 'One e-mail address an entry. A text without an address is kept and matches nobody.',
  leadFirstName: 'First name of the person.',
  leadMiddleName: 'Middle name of the person.',
  leadLastName: 'Last name of the person.',
  leadCompanyName: 'Company that the person writes for.',
  priority: 'Free text.',
  budgetMin: 'Lower end of the budget, in `currency`.',
  budgetMax: 'Upper end of the budget, in `currency`.',
  initialInquiry: 'The message of the person.',
  source: 'Name of one of the CRM’s sources.',
  marketingType: 'Name of a marketing type of the CRM, such as Organic or Paid.',
  eventType: 'Name of an event type of the CRM, such as Submit Form, Call or Whatsapp Click.',
  pageUrl: 'Address of the page that the enquiry comes from.',
  pathLocale: 'Locale in the path of that page, such as `en`.',
  gclid: 'Click id of a Google ad.',
  fbclid: 'Click id of a Facebook ad.',
  utmSource: '`utm_source` of the page’s address.',
  utmMedium: '`utm_medium` of the page’s address.',
  utmCampaign: '`utm_campaign` of the page’s address.',
  utmTerm: '`utm_term` of the page’s address.',
  utmContent: '`utm_content` of the page’s address.',
  referrer: 'Page from which the person came.',
  ipAddress: 'Address of the person: IPv4, IPv6, or the chain that proxies made.',
  userAgent: 'User agent of the person’s browser.',
  distributionType:
    'A hint how the lead is distributed, such as `Campaign distribution`; the leading word is enough. It counts where a routing rule claims it.',
  adPlatform: 'The lead form of an ad platform.',
  quiz: 'The answers of a quiz or survey.',
};

const adPlatformFields = {
  adPlatformLeadId: 'Id of the lead on the platform. A block is attached once.',
  adPlatformCreatedAt: 'When the lead was made on the platform.',
  platform: 'Name of the platform.',
  adId: 'Id of the ad.',
  adName: 'Name of the ad.',
  adType: 'Kind of the ad.',
  adgroupId: 'Id of the ad group.',
  adgroupName: 'Name of the ad group.',
  adPlatformCampaignId:
    'Id of the campaign on the platform. The advertising campaign is matched by it.',
  adPlatformCampaignName: 'Name of the campaign on the platform.',
  formId: 'Id of the form.',
  formName: 'Name of the form.',
  adAccountId: 'Id of the ad account.',
  businessAccountId: 'Id of the business account.',
  sourceAction: 'What the person did to send the form.',
  finalPageName: 'Name of the page that the form ended on.',
  customFields: 'Further answers of the form, text by name.',
};

const ofComponent = (id: string, fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, text]) => [`${id}.${name}`, text]));

/** The sentences by the property's name, or by `Component.property` where a name means something else there. */
const texts: Readonly<Record<string, string>> = {
  ...ofComponent('LeadCreate', leadFields),
  ...ofComponent('LeadUpdate', leadFields),
  ...ofComponent('AdPlatform', adPlatformFields),
  ...ofComponent('StoredAdPlatform', adPlatformFields),

  // The token endpoint
  grant_type: 'Always `client_credentials`.',
  client_id: 'The id that the operator gave to the client.',
  client_secret: 'The secret that goes with it.',
  token_type: 'Always `Bearer`.',
  scope: 'What the token may do beyond the client’s own leads; may be empty.',

  // Errors
  statusCode: 'The HTTP status.',
  message: 'For a person to read; it may change.',
  details: 'Further facts, where the code has any.',
  path: 'The path of the request; empty where it could not be read.',
  timestamp: 'When it happened.',
  error_description: 'What is wrong, for a person to read.',

  // Leads
  'Lead.id': 'Id of the lead: for updates, its assignment and its response time.',
  'MergedLead.id': 'Id of the lead that the enquiry was merged into.',
  'UpdatedLead.id': 'Id of the lead.',
  leadId: 'Id of the lead.',
  contactId: 'The contact that was matched or made.',
  intakeUnresolved: `The values that matched nothing, by the name of the field that was sent; null: all matched. ${KEY_FORM}`,
  needsIntakeReview: 'Whether `intakeUnresolved` has an entry.',
  isRepeatLead: 'Whether the person had a lead that is older than the merge window.',
  repeatOfLeadId: 'That earlier lead.',
  isAgentEnquiry: 'Whether the person was recognised as a competing agent.',
  agentEnquiryReason: 'By what a competing agent was recognised.',
  createdAt: 'When the record was created.',
  updatedAt: 'When the record last changed.',
  assignedTo: 'The agent of the lead. Null means not decided yet, not nobody.',
  'MergedLead.assignedTo': HELD_BY,
  'UpdatedLead.assignedTo': HELD_BY,
  'Lead.status': 'The state of the assignment.',
  'Assignment.status':
    'The state of the assignment. `pending`: ask again. `pool`: waits for an agent to claim it. `unassigned`: final.',
  'Assignment.agent': 'The agent; only with `status` `assigned`.',
  'Assignment.createdAt': 'When the lead was created.',
  'Lead.createdAt': 'When the lead was created.',
  retryAfterSeconds: 'After how many seconds to ask again; null where the state is not `pending`.',
  stage: 'Where the lead stands in its funnel.',
  'Stage.id': 'Id of the stage.',
  'Stage.name': 'Name of the stage.',
  'Stage.funnel': 'The funnel that it belongs to.',
  'Lead.adPlatform': 'The block of the ad platform, as stored.',
  'Lead.quiz': 'The quiz, as it was sent.',
  'Lead.location': 'The location that the lead has from its listing.',
  'Lead.bedrooms': 'The bedrooms that the lead has from its listing.',
  comments: 'How many comments were added and skipped; only where some were sent.',
  added: 'Comments that were added.',
  skipped:
    'Comments that were skipped: beyond the fifth, without text, with an unreadable date, or known already.',
  matchedOn: 'By what the enquiry matched the lead.',
  updated: 'Whether anything changed. False is no error.',
  rerouted: 'Whether a lead without an agent went through assignment again.',
  agentResponseSeconds: 'The recorded response time, in seconds.',
  agentRespondedAt: 'When it was recorded.',
  'Entry.id': 'Id of the record, or its code.',
  'Entry.name': 'Name of the record.',

  // The quiz and the comments of a lead
  quizName: 'Name of the quiz, to show.',
  locale: 'Language that the quiz was answered in.',
  'Quiz.version': 'Version of the quiz.',
  answers: 'One entry for each question that was answered.',
  questionLabel: 'The question, in the language of the quiz.',
  answerLabel: 'The answer, in the language of the quiz; one or several.',
  'QuizAnswer.currency': 'Currency of an amount, as a code or word.',
  author: 'Who wrote it.',
  channel: 'Where it was written, such as WhatsApp.',
  direction: '`inbound`: by the customer. `outbound`: to the customer.',

  // Agents
  'Agent.id': 'Id of the agent.',
  'Agent.slug': 'Name of the agent in addresses of pages.',
  'Agent.name': 'Name of the agent.',
  'Agent.email': 'E-mail address of the agent.',
  'Agent.phone': 'Phone of the agent.',
  whatsappPhone: 'Number of the agent on WhatsApp.',
  active: 'Whether the agent takes leads.',

  // Events
  type: 'What happened.',
  'EventPage.data': 'The events, in the order that was asked for.',
  'EventPage.meta': 'How to go on.',
  ...Object.fromEntries(
    leadEventTypes.map(eventName).flatMap((name) => [
      [`${name}Event.data`, 'About the lead.'],
      [`${name}Webhook.data`, 'About the lead.'],
      [`${name}Data.status`, 'The state of the assignment when it happened.'],
      [`${name}Data.integrationRef`, 'As it was sent with the lead.'],
    ]),
  ),
  ...Object.fromEntries(
    [...endpointEventTypes, 'webhook.test'].map(eventName).flatMap((name) => [
      [`${name}Event.data`, 'About the endpoint.'],
      [`${name}Webhook.data`, 'About the endpoint.'],
    ]),
  ),
  'LeadCreatedData.createdAt': 'When the lead was created.',
  'LeadCreatedData.source': 'The source that was matched.',
  'LeadUnassignedData.status':
    'Always `unassigned`; with the reason `waiting` the assignment itself is `pending`.',
  'LeadAssignedData.agent': 'The agent of the lead now.',
  'LeadEnquiredData.source': 'The source of this enquiry.',
  enquiredAt: 'When the enquiry was received.',
  hasMessage: 'True if it had an `initialInquiry`.',
  assignedAt: 'When the agent got the lead.',
  previousAgentId:
    'Who held the lead last before, also where a pool or a wait came in between; maybe the same agent. Null for the first one.',
  poolName: 'Name of the pool that the lead waits in.',
  endpointId: 'Id of the endpoint.',
  'EndpointFailingData.url': 'Address of the endpoint.',
  'EndpointDisabledData.url': 'Address of the endpoint.',
  failingSince: 'The first failure since the last success. Silences of over a day move it forward.',
  'WebhookTestData.message': 'Says that it is a test.',

  // The Do Not Call check
  'DncrCheckResult.data': 'One row for each number, in the order sent.',
  'DncrCheckResult.meta': 'About the whole check.',
  e164: 'International form.',
  onDncr: 'True: on the registry. False: checked and clear. Null: neither is known.',
  checkedAt: 'When the registry gave this answer.',
  'DncrRow.source': 'Whether the answer was kept or is new.',
  'DncrRow.error': 'Why there is no answer for the number.',
  requested: 'Numbers that were sent.',
  unique: 'Different UAE mobiles among them.',
  invalid: 'Numbers that are no UAE mobile.',
  fromCache: 'Answers that were kept.',
  fromRegistry: 'Numbers that the registry was asked for.',
  'DncrMeta.fresh': 'Whether the cache was skipped.',
  cacheTtlDays: 'For how many days an answer is kept.',
  maxNumbersPerRequest: 'Numbers that a request may have.',
  transactionId: 'The registry’s id of its answer.',

  // Reference data
  ...Object.fromEntries(
    ['Developer', 'Location', 'Project'].flatMap((name) => [
      [`${name}Page.data`, 'The records of the page.'],
      [`${name}Page.meta`, 'Which page it is.'],
    ]),
  ),
  'ProjectPins.data': 'One pin for each project in the box.',
  id: 'Id of the record.',
  name: 'Name of the record.',
  slug: 'Name of the record in addresses of pages.',
  title: 'Title of the project.',
  logoUrl: 'Address of the logo.',
  imageUrl: 'Address of the picture.',
  description: 'Description of the record.',
  enabled: 'Whether it is in use; lists show no other.',
  popular: 'Whether it is marked as popular.',
  'Developer.contactId': 'The contact of the developer in the CRM.',
  level: 'Level in the tree of locations, such as `emirate` or `community`.',
  limit: 'Records that the page may have.',
  offset: 'Records that were left out before it.',
  page: 'Number of the page, from 1.',
  total: 'Records in all.',
  totalPages: 'Pages in all.',
  campaignType: 'Kind of the campaign.',
  propertyTypes: 'Names of the property types.',
  startingPrice: 'Lowest price, as a decimal number.',
  deliveryDate: 'Handover.',
  brochure: 'Whether there is a brochure.',
  paymentPlans: 'Names of the payment plans.',
  developer: 'Who builds it.',
  location: 'Where it is.',
  image: 'The main picture.',
  status: 'The status of the project.',
  ownershipType: 'Kind of ownership.',
  stockAvailability: 'Whether units are available.',
  latitude: 'Degrees north.',
  longitude: 'Degrees east.',
  amenities: 'Names of the amenities.',
  bedrooms: 'Numbers of bedrooms that there are.',
  images: 'All pictures.',
  'ProjectLocation.path': 'The full ancestry, root first.',
  fullName: 'The full ancestry, root first.',
  url: 'Address of the picture.',
  alt: 'What the picture shows.',
  color: 'Colour of the status, as `#rrggbb`.',
  filters: 'The lists, by what they filter.',
  'FilterGroups.developer': 'All developers.',
  'FilterGroups.location': 'All locations.',
  propertyType: 'All property types.',
  'FilterGroups.status': 'All project statuses.',
  displayName: 'Name of the list, to show.',
  values: 'The entries of the list.',
};

const parameterTexts: Readonly<Record<string, string>> = {
  id: 'Id of the record.',
  limit: 'How many records the page may have.',
  offset: 'How many records to leave out before the page.',
  page: 'Number of the page, from 1.',
  minPrice: 'Only projects whose starting price is this or more.',
  maxPrice: 'Only projects whose starting price is this or less.',
  deliveryFrom: 'Only projects handed over on this day or later; of a date-time the day counts.',
  deliveryTo: 'Only projects handed over on this day or earlier; of a date-time the day counts.',
  ownershipType: 'Only projects of this kind of ownership; several separated by commas.',
  campaignType: 'Only projects of this kind of campaign; several separated by commas.',
  stockAvailability: 'Only projects with this availability; several separated by commas.',
};
