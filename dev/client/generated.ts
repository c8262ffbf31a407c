// Made from the OpenAPI document by dev/client/main.ts: run it again, do not edit.

export type LeadCreate = {
  /** E.164 is recommended for reliable matching. */
  leadPhones?: string[] | null;
  leadEmails?: string[] | null;
  leadFirstName?: string | null;
  leadMiddleName?: string | null;
  /** Used when no middle name is given. */
  leadSecondName?: string | null;
  leadLastName?: string | null;
  leadCompanyName?: string | null;
  /** Derived from the listing when omitted on a listing enquiry. */
  leadType?: string | null;
  /** Omit it for the main sales pipeline. */
  funnel?: string | null;
  priority?: string | null;
  /** Standard, Luxury or Super Luxury. */
  marketSegment?: string | null;
  /** A, B, C or D. */
  agentCategory?: string | null;
  /** The leaf name of a location. */
  areaOfInterest?: string | null;
  /** A regular plural matches too. */
  propertyTypeInterest?: string | null;
  budgetMin?: string | number | null;
  budgetMax?: string | number | null;
  /** ISO 4217 code. */
  currency?: string | null;
  initialInquiry?: string | null;
  /** By code or name; entries that are not recognised are ignored. */
  languages?: string[] | null;
  /** Wins over referenceNo when both are sent. */
  listingId?: string | null;
  /** Used when listingId is absent. */
  referenceNo?: string | null;
  source?: string | null;
  /** Kept where linked to the resolved source. */
  subSource?: string[] | null;
  marketingType?: string | null;
  eventType?: string | null;
  /** The CRM's own campaign; drives routing. */
  campaignName?: string | null;
  /** Created on first sight. Omit it when sending adPlatform. */
  advertisingCampaign?: string | null;
  /** Matches name or slug. */
  developerName?: string | null;
  /** Wins over developerName. A value that is no uuid is treated as a name. */
  developerId?: string | null;
  /** Name or domain; the domain is preferred. */
  website?: string | null;
  pageUrl?: string | null;
  pathLocale?: string | null;
  gclid?: string | null;
  fbclid?: string | null;
  utmSource?: string | null;
  utmMedium?: string | null;
  utmCampaign?: string | null;
  utmTerm?: string | null;
  utmContent?: string | null;
  /** Falls back to adPlatform.formName. */
  formName?: string | null;
  /** Falls back to adPlatform.adgroupName. */
  adsetName?: string | null;
  referrer?: string | null;
  ipAddress?: string | null;
  userAgent?: string | null;
  /** An unparseable value is ignored. */
  submittedAt?: string | null;
  /** Inferred from a trailing two-letter segment of pageUrl when omitted. */
  localeCountry?: string | null;
  /** E-mail of an agent to own the lead. */
  assignedBy?: string | null;
  distributionType?: string | null;
  /** Stable handle of the sending automation; stored verbatim, never matched. */
  integrationRef?: string | null;
  adPlatform?: AdPlatform | null;
  quiz?: Quiz | null;
  /** The first five are added; the rest is skipped and counted. */
  comments?: Comment[] | null;
  [name: string]: unknown;
};

export type AdPlatform = {
  /** Without it the block is discarded. */
  adPlatformLeadId: string;
  adPlatformCreatedAt?: string | null;
  platform?: string | null;
  adId?: string | null;
  adName?: string | null;
  adType?: string | null;
  adgroupId?: string | null;
  adgroupName?: string | null;
  adPlatformCampaignId?: string | null;
  adPlatformCampaignName?: string | null;
  formId?: string | null;
  formName?: string | null;
  adAccountId?: string | null;
  businessAccountId?: string | null;
  sourceAction?: string | null;
  finalPageName?: string | null;
  customFields?: { [name: string]: string } | null;
  [name: string]: unknown;
};

export type Quiz = {
  /** Answers supersede earlier ones of the same quiz. */
  quizKey?: string | null;
  quizName?: string | null;
  locale?: string | null;
  version?: string | null;
  answers?: QuizAnswer[];
  [name: string]: unknown;
};

export type QuizAnswer = {
  /** Stable over languages and over time. */
  questionKey?: string | null;
  questionLabel?: string | null;
  /** Another name of questionLabel. */
  label?: string | null;
  /** Stable too; one or several. */
  optionKey?: string | string[] | null;
  /** Another name of optionKey. */
  optionKeys?: string | string[] | null;
  answerLabel?: string | string[] | null;
  /** A number, range, amount, date or yes/no as the person gave it. */
  value?: string | number | null;
  currency?: string | null;
  [name: string]: unknown;
};

export type Comment = {
  /** When it was said; when omitted, now. */
  date?: string | null;
  text: string;
  author?: string | null;
  channel?: string | null;
  direction?: 'inbound' | 'outbound' | null;
  /** One that the lead already has is skipped. */
  externalId?: string | null;
  [name: string]: unknown;
};

export type LeadUpdate = {
  /** E.164 is recommended for reliable matching. */
  leadPhones?: string[] | null;
  leadEmails?: string[] | null;
  leadFirstName?: string | null;
  leadMiddleName?: string | null;
  /** Used when no middle name is given. */
  leadSecondName?: string | null;
  leadLastName?: string | null;
  leadCompanyName?: string | null;
  /** Derived from the listing when omitted on a listing enquiry. */
  leadType?: string | null;
  priority?: string | null;
  /** Standard, Luxury or Super Luxury. */
  marketSegment?: string | null;
  /** A, B, C or D. */
  agentCategory?: string | null;
  /** The leaf name of a location. */
  areaOfInterest?: string | null;
  /** A regular plural matches too. */
  propertyTypeInterest?: string | null;
  budgetMin?: string | number | null;
  budgetMax?: string | number | null;
  /** ISO 4217 code. */
  currency?: string | null;
  initialInquiry?: string | null;
  /** By code or name; entries that are not recognised are ignored. */
  languages?: string[] | null;
  /** Wins over referenceNo when both are sent. */
  listingId?: string | null;
  /** Used when listingId is absent. */
  referenceNo?: string | null;
  source?: string | null;
  /** Kept where linked to the resolved source. */
  subSource?: string[] | null;
  marketingType?: string | null;
  eventType?: string | null;
  /** The CRM's own campaign; drives routing. */
  campaignName?: string | null;
  /** Created on first sight. Omit it when sending adPlatform. */
  advertisingCampaign?: string | null;
  /** Matches name or slug. */
  developerName?: string | null;
  /** Wins over developerName. A value that is no uuid is treated as a name. */
  developerId?: string | null;
  /** Name or domain; the domain is preferred. */
  website?: string | null;
  pageUrl?: string | null;
  pathLocale?: string | null;
  gclid?: string | null;
  fbclid?: string | null;
  utmSource?: string | null;
  utmMedium?: string | null;
  utmCampaign?: string | null;
  utmTerm?: string | null;
  utmContent?: string | null;
  /** Falls back to adPlatform.formName. */
  formName?: string | null;
  /** Falls back to adPlatform.adgroupName. */
  adsetName?: string | null;
  referrer?: string | null;
  ipAddress?: string | null;
  userAgent?: string | null;
  /** An unparseable value is ignored. */
  submittedAt?: string | null;
  /** Inferred from a trailing two-letter segment of pageUrl when omitted. */
  localeCountry?: string | null;
  /** Stable handle of the sending automation; stored verbatim, never matched. */
  integrationRef?: string | null;
  adPlatform?: AdPlatform | null;
  quiz?: Quiz | null;
  /** The first five are added; the rest is skipped and counted. */
  comments?: Comment[] | null;
  [name: string]: unknown;
};

export type LeadCreatedEvent = {
  type: 'lead.created';
  timestamp: string;
  data: {
    leadId: string;
    contactId: string;
    createdAt: string;
    status: 'assigned' | 'pending' | 'unassigned' | 'pool';
    source: Entry | null;
    integrationRef: string | null;
    isRepeatLead: boolean;
    repeatOfLeadId: string | null;
    isAgentEnquiry: boolean;
    needsIntakeReview: boolean;
    assignedTo: Agent | null;
    /** Counts the events of one lead, since they may arrive in another order. */
    sequence: number;
  };
};

export type Entry = { id: string; name: string };

export type Agent = {
  id: string;
  slug: string;
  name: string;
  email: string;
  phone: string | null;
  whatsappPhone: string | null;
  active: boolean;
};

export type LeadAssignedEvent = {
  type: 'lead.assigned';
  timestamp: string;
  data: {
    leadId: string;
    status: 'assigned';
    agent: Agent;
    assignedAt: string;
    previousAgentId: string | null;
    integrationRef: string | null;
    /** Counts the events of one lead, since they may arrive in another order. */
    sequence: number;
  };
};

export type Error = {
  statusCode: number;
  /** Stable; branch on this, not on the message. */
  code:
    | 'BAD_REQUEST'
    | 'DNCR_TOO_MANY_NUMBERS'
    | 'UNAUTHORIZED'
    | 'OAUTH_TOKEN_EXPIRED'
    | 'NOT_FOUND'
    | 'METHOD_NOT_ALLOWED'
    | 'REQUEST_TIMEOUT'
    | 'PAYLOAD_TOO_LARGE'
    | 'UNSUPPORTED_MEDIA_TYPE'
    | 'VALIDATION_ERROR'
    | 'RATE_LIMITED'
    | 'HEADERS_TOO_LARGE'
    | 'INTERNAL_ERROR'
    | 'DNCR_UPSTREAM_ERROR'
    | 'DNCR_NOT_CONFIGURED'
    | 'SERVICE_UNAVAILABLE';
  message: string;
  /** On 422 only: one text per fault, each beginning with its path. */
  errors?: string[];
  details?: { [name: string]: unknown };
  path: string;
  timestamp: string;
};

export type Lead = {
  id: string;
  contactId: string;
  intakeUnresolved: { [name: string]: unknown } | null;
  needsIntakeReview: boolean;
  merged: false;
  isRepeatLead: boolean;
  repeatOfLeadId: string | null;
  isAgentEnquiry: boolean;
  agentEnquiryReason: 'known_agent' | 'prior_lead' | 'competitor_domain' | 'manual' | null;
  createdAt: string;
  updatedAt: string;
  assignedTo: Agent | null;
  status: 'assigned' | 'pending' | 'unassigned' | 'pool';
  stage: { id: string; name: string; funnel: Entry } | null;
  leadPhones: string[];
  leadEmails: string[];
  leadFirstName: string | null;
  leadMiddleName: string | null;
  leadSecondName: string | null;
  leadLastName: string | null;
  leadCompanyName: string | null;
  leadType: Entry | null;
  funnel: Entry | null;
  priority: string | null;
  marketSegment: Entry | null;
  agentCategory: Entry | null;
  areaOfInterest: Entry | null;
  propertyTypeInterest: Entry | null;
  budgetMin: string | null;
  budgetMax: string | null;
  currency: Entry | null;
  initialInquiry: string | null;
  languages: Entry[];
  listingId: Entry | null;
  referenceNo: Entry | null;
  source: Entry | null;
  subSource: Entry[];
  marketingType: Entry | null;
  eventType: Entry | null;
  campaignName: Entry | null;
  advertisingCampaign: Entry | null;
  developerName: Entry | null;
  developerId: Entry | null;
  website: Entry | null;
  pageUrl: string | null;
  pathLocale: string | null;
  gclid: string | null;
  fbclid: string | null;
  utmSource: string | null;
  utmMedium: string | null;
  utmCampaign: string | null;
  utmTerm: string | null;
  utmContent: string | null;
  formName: string | null;
  adsetName: string | null;
  referrer: string | null;
  ipAddress: string | null;
  userAgent: string | null;
  submittedAt: string | null;
  localeCountry: Entry | null;
  assignedBy: Entry | null;
  distributionType: string | null;
  integrationRef: string | null;
  location: Entry | null;
  bedrooms: string | null;
  adPlatform: {
    adPlatformLeadId?: string | null;
    adPlatformCreatedAt?: string | null;
    platform?: string | null;
    adId?: string | null;
    adName?: string | null;
    adType?: string | null;
    adgroupId?: string | null;
    adgroupName?: string | null;
    adPlatformCampaignId?: string | null;
    adPlatformCampaignName?: string | null;
    formId?: string | null;
    formName?: string | null;
    adAccountId?: string | null;
    businessAccountId?: string | null;
    sourceAction?: string | null;
    finalPageName?: string | null;
    [name: string]: unknown;
  } | null;
  quiz: { [name: string]: unknown } | null;
  comments?: { added: number; skipped: number };
};

export type MergedLead = {
  id: string;
  merged: true;
  matchedOn: 'phone' | 'email';
  assignedTo: Agent | null;
  comments?: { added: number; skipped: number };
};

export type Developer = {
  id: string;
  name: string;
  slug: string;
  logoUrl: string | null;
  imageUrl: string | null;
  description: string | null;
  enabled: boolean;
  popular: boolean;
  contactId: string | null;
  createdAt: string;
  updatedAt: string;
};

export type Location = {
  id: string;
  /** The value to send as `areaOfInterest`. */
  name: string;
  level: string;
  /** The full ancestry, root first. */
  path: string;
};

export type FullProject = {
  id: string;
  title: string | null;
  slug: string | null;
  campaignType: string | null;
  propertyTypes: string[];
  startingPrice: string | null;
  deliveryDate: string | null;
  brochure: boolean;
  paymentPlans: string[];
  developer: { id: string; name: string; slug: string; logoUrl: string | null } | null;
  location: { id: string; name: string; path: string };
  image: { url: string | null; alt: string | null };
  status: ProjectStatus;
  description: string | null;
  ownershipType: string | null;
  stockAvailability: string | null;
  latitude: number | null;
  longitude: number | null;
  amenities: string[];
  bedrooms: string[];
  images: { url: string | null; alt: string | null }[];
  createdAt: string;
  updatedAt: string;
};

export type ProjectStatus = { id: string; name: string; color: string | null };

export type Project = {
  id: string;
  title: string | null;
  slug: string | null;
  campaignType: string | null;
  propertyTypes: string[];
  startingPrice: string | null;
  deliveryDate: string | null;
  brochure: boolean;
  paymentPlans: string[];
  developer: { id: string; name: string; slug: string; logoUrl: string | null } | null;
  location: { id: string; name: string; path: string };
  image: { url: string | null; alt: string | null };
  status: ProjectStatus;
};

export type ProjectPin = {
  id: string;
  title: string | null;
  slug: string | null;
  latitude: number;
  longitude: number;
  startingPrice: string | null;
  status: ProjectStatus;
};

export interface Operations {
  /** Issue a bearer token. */
  issueToken: {
    input: {
      body: {
        grant_type: 'client_credentials';
        client_id: string;
        client_secret: string;
        [name: string]: unknown;
      };
    };
    answer: {
      /** Opaque; sent as `Authorization: Bearer`. */
      access_token: string;
      token_type: 'Bearer';
      /** Seconds. */
      expires_in: number;
      scope: string;
    };
  };
  /** Create a lead. */
  createLead: { input: { body: LeadCreate }; answer: Lead | MergedLead };
  /** Update a lead. */
  updateLead: {
    input: { path: { id: string }; body: LeadUpdate };
    answer: {
      id: string;
      updated: boolean;
      /** CRM column names that changed, sorted. */
      updatedFields: string[];
      intakeUnresolved: { [name: string]: unknown } | null;
      needsIntakeReview: boolean;
      rerouted: boolean;
      assignedTo: Agent | null;
      comments?: { added: number; skipped: number };
    };
  };
  /** Update a lead (alias of PUT). */
  patchLead: {
    input: { path: { id: string }; body: LeadUpdate };
    answer: {
      id: string;
      updated: boolean;
      /** CRM column names that changed, sorted. */
      updatedFields: string[];
      intakeUnresolved: { [name: string]: unknown } | null;
      needsIntakeReview: boolean;
      rerouted: boolean;
      assignedTo: Agent | null;
      comments?: { added: number; skipped: number };
    };
  };
  /** Read who a lead was assigned to. */
  readLeadAssignment: {
    input: { path: { id: string } };
    answer: {
      leadId: string;
      status: 'assigned' | 'pending' | 'unassigned' | 'pool';
      agent: Agent | null;
      createdAt: string;
      retryAfterSeconds: number | null;
    };
  };
  /** Record how long the assigned agent took to respond. */
  recordResponseTime: {
    input: {
      path: { id: string };
      body: {
        /** Whole seconds from the customer’s first contact to the agent’s response. */
        seconds: number;
      };
    };
    answer: { leadId: string; agentResponseSeconds: number; agentRespondedAt: string };
  };
  /** Check mobile numbers against the UAE Do Not Call Registry. */
  checkDncr: {
    input: {
      query?: { fresh?: '0' | '1' | 'true' | 'false' };
      body: {
        /** 05XXXXXXXX, 5XXXXXXXX, 9715XXXXXXXX, +9715XXXXXXXX or 009715XXXXXXXX. */
        phones: string[];
        /** Asks the registry again. */
        fresh?: boolean;
      };
    };
    answer: {
      data: {
        /** The number exactly as sent. */
        input: string;
        /** Local form. */
        phone: string | null;
        e164: string | null;
        /** `not_found` is not a clearance. */
        status: 'registered' | 'not_registered' | 'not_found' | 'invalid' | 'unavailable';
        onDncr: boolean | null;
        /** The raw status of the registry. */
        dncrStatus: string | null;
        /** The registry’s text, verbatim. */
        registryStatus: string | null;
        checkedAt: string | null;
        source: 'cache' | 'fresh' | null;
        error: string | null;
      }[];
      meta: {
        requested: number;
        unique: number;
        invalid: number;
        fromCache: number;
        fromRegistry: number;
        fresh: boolean;
        cacheTtlDays: number;
        maxNumbersPerRequest: number;
        transactionId: string | null;
      };
    };
  };
  /** List developers. */
  listDevelopers: {
    input: {
      query?: {
        limit?: number;
        offset?: number;
        search?: string;
        q?: string;
        query?: string;
        term?: string;
        keyword?: string;
        sort?: string;
        order?: 'asc' | 'desc';
        popular?: boolean;
      };
    };
    answer: { data: Developer[]; meta: { limit: number; offset: number; total: number } };
  };
  /** Search developers. */
  searchDevelopers: {
    input: {
      query?: {
        limit?: number;
        offset?: number;
        search?: string;
        q?: string;
        query?: string;
        term?: string;
        keyword?: string;
        sort?: string;
        order?: 'asc' | 'desc';
        popular?: boolean;
      };
    };
    answer: { data: Developer[]; meta: { limit: number; offset: number; total: number } };
  };
  /** Read one developer. */
  readDeveloper: { input: { path: { id: string } }; answer: Developer };
  /** List communities and areas. */
  listLocations: {
    input: {
      query?: {
        limit?: number;
        offset?: number;
        search?: string;
        q?: string;
        query?: string;
        term?: string;
        keyword?: string;
        level?: string;
      };
    };
    answer: { data: Location[]; meta: { limit: number; offset: number; total: number } };
  };
  /** Search communities and areas. */
  searchLocations: {
    input: {
      query?: {
        limit?: number;
        offset?: number;
        search?: string;
        q?: string;
        query?: string;
        term?: string;
        keyword?: string;
        level?: string;
      };
    };
    answer: { data: Location[]; meta: { limit: number; offset: number; total: number } };
  };
  /** Read one location. */
  readLocation: { input: { path: { id: string } }; answer: Location };
  /** List projects. */
  listProjects: {
    input: {
      query?: {
        q?: string;
        developerIds?: string;
        developerId?: string;
        locationIds?: string;
        locationId?: string;
        statusIds?: string;
        statusId?: string;
        propertyTypes?: string;
        propertyType?: string;
        minPrice?: string;
        maxPrice?: string;
        deliveryFrom?: string;
        deliveryTo?: string;
        ownershipType?: string;
        campaignType?: string;
        stockAvailability?: string;
        simplified?: boolean;
        page?: number;
        limit?: number;
        offset?: number;
        sort?: string;
        order?: 'asc' | 'desc';
      };
    };
    answer: {
      data: (FullProject | Project)[];
      meta: { page: number; limit: number; total: number; totalPages: number };
    };
  };
  /** All look-up lists in one call. */
  readProjectFilters: {
    input: Record<string, never>;
    answer: {
      filters: {
        developer: { displayName: string; values: { id: string; name: string }[] };
        location: { displayName: string; values: { id: string; name: string; fullName: string }[] };
        propertyType: { displayName: string; values: { id: string; name: string }[] };
        status: { displayName: string; values: ProjectStatus[] };
      };
    };
  };
  /** Projects in a bounding box. */
  mapProjects: {
    input: {
      query?: {
        q?: string;
        developerIds?: string;
        developerId?: string;
        locationIds?: string;
        locationId?: string;
        statusIds?: string;
        statusId?: string;
        propertyTypes?: string;
        propertyType?: string;
        minPrice?: string;
        maxPrice?: string;
        deliveryFrom?: string;
        deliveryTo?: string;
        ownershipType?: string;
        campaignType?: string;
        stockAvailability?: string;
        north?: string;
        south?: string;
        east?: string;
        west?: string;
      };
    };
    answer: { data: ProjectPin[] };
  };
  /** Read one project. */
  readProject: {
    input: { path: { id: string }; query?: { simplified?: boolean } };
    answer: FullProject | Project;
  };
  /** List project statuses. */
  listProjectStatuses: { input: Record<string, never>; answer: ProjectStatus[] };
}

export const operations = {
  issueToken: { method: 'POST', path: '/oauth2/token' },
  createLead: { method: 'POST', path: '/public/leads' },
  updateLead: { method: 'PUT', path: '/public/leads/{id}' },
  patchLead: { method: 'PATCH', path: '/public/leads/{id}' },
  readLeadAssignment: { method: 'GET', path: '/public/leads/{id}/assignment' },
  recordResponseTime: { method: 'POST', path: '/public/leads/{id}/response-time' },
  checkDncr: { method: 'POST', path: '/public/dncr/check' },
  listDevelopers: { method: 'GET', path: '/public/developers' },
  searchDevelopers: { method: 'GET', path: '/public/developers/search' },
  readDeveloper: { method: 'GET', path: '/public/developers/{id}' },
  listLocations: { method: 'GET', path: '/public/locations' },
  searchLocations: { method: 'GET', path: '/public/locations/search' },
  readLocation: { method: 'GET', path: '/public/locations/{id}' },
  listProjects: { method: 'GET', path: '/public/projects' },
  readProjectFilters: { method: 'GET', path: '/public/projects/filters' },
  mapProjects: { method: 'GET', path: '/public/projects/map' },
  readProject: { method: 'GET', path: '/public/projects/{id}' },
  listProjectStatuses: { method: 'GET', path: '/public/project-statuses' },
} as const;
