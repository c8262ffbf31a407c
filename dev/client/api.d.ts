export interface paths {
    "/oauth2/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue a bearer token
         * @description Keep the token for `expires_in` seconds and fetch the next about 60 seconds early: token calls count against the quota.
         */
        post: operations["issueToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/leads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a lead */
        post: operations["createLead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/leads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Update a lead
         * @description What is omitted is left alone, null clears, a value overwrites; phones and e-mails are appended. A new enquiry of the customer is a POST.
         */
        put: operations["updateLead"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a lead (alias of PUT)
         * @description What is omitted is left alone, null clears, a value overwrites; phones and e-mails are appended. A new enquiry of the customer is a POST.
         */
        patch: operations["patchLead"];
        trace?: never;
    };
    "/public/leads/{id}/assignment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who a lead was assigned to
         * @description Branch on `status`, not on whether `agent` is set.
         */
        get: operations["readLeadAssignment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/leads/{id}/response-time": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Record how long the assigned agent took to respond */
        post: operations["recordResponseTime"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/dncr/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check mobile numbers against the UAE Do Not Call Registry */
        post: operations["checkDncr"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/developers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List developers
         * @description Enabled developers, by name unless `sort` says otherwise.
         */
        get: operations["listDevelopers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/developers/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search developers
         * @description Matches name, slug, description and id, forgiving small typing errors. An exact name comes first, then names that begin with the term, then the others by similarity.
         */
        get: operations["searchDevelopers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/developers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one developer */
        get: operations["readDeveloper"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List communities and areas
         * @description Pages the location tree; a term searches it.
         */
        get: operations["listLocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/locations/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search communities and areas
         * @description Type-ahead over the whole location tree, by English or Arabic name, forgiving small typing errors. Without a term it pages the tree.
         */
        get: operations["searchLocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/locations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one location */
        get: operations["readLocation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects
         * @description Published projects, by title unless `sort` says otherwise.
         */
        get: operations["listProjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/projects/filters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All look-up lists in one call
         * @description Send `filters.location.values[].name` as `areaOfInterest` and `filters.propertyType.values[].name` as `propertyTypeInterest`.
         */
        get: operations["readProjectFilters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/projects/map": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Projects in a bounding box
         * @description Pins of the published projects in a viewport. A box may cross the date line.
         */
        get: operations["mapProjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one project */
        get: operations["readProject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/project-statuses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List project statuses */
        get: operations["listProjectStatuses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "lead.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A lead was created
         * @description Any 2xx within 15 seconds is success; everything else is tried again.
         */
        post: operations["lead.created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.assigned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A lead was assigned to an agent
         * @description Any 2xx within 15 seconds is success; everything else is tried again.
         */
        post: operations["lead.assigned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        LeadCreate: {
            /** @description E.164 is recommended for reliable matching. */
            leadPhones?: string[] | null;
            leadEmails?: string[] | null;
            leadFirstName?: string | null;
            leadMiddleName?: string | null;
            /** @description Used when no middle name is given. */
            leadSecondName?: string | null;
            leadLastName?: string | null;
            leadCompanyName?: string | null;
            /** @description Derived from the listing when omitted on a listing enquiry. */
            leadType?: string | null;
            /** @description Omit it for the main sales pipeline. */
            funnel?: string | null;
            priority?: string | null;
            /** @description Standard, Luxury or Super Luxury. */
            marketSegment?: string | null;
            /** @description A, B, C or D. */
            agentCategory?: string | null;
            /** @description The leaf name of a location. */
            areaOfInterest?: string | null;
            /** @description A regular plural matches too. */
            propertyTypeInterest?: string | null;
            budgetMin?: (string | number) | null;
            budgetMax?: (string | number) | null;
            /** @description ISO 4217 code. */
            currency?: string | null;
            initialInquiry?: string | null;
            /** @description By code or name; entries that are not recognised are ignored. */
            languages?: string[] | null;
            /** @description Wins over referenceNo when both are sent. */
            listingId?: string | null;
            /** @description Used when listingId is absent. */
            referenceNo?: string | null;
            source?: string | null;
            /** @description Kept where linked to the resolved source. */
            subSource?: string[] | null;
            marketingType?: string | null;
            eventType?: string | null;
            /** @description The CRM's own campaign; drives routing. */
            campaignName?: string | null;
            /** @description Created on first sight. Omit it when sending adPlatform. */
            advertisingCampaign?: string | null;
            /** @description Matches name or slug. */
            developerName?: string | null;
            /** @description Wins over developerName. A value that is no uuid is treated as a name. */
            developerId?: string | null;
            /** @description Name or domain; the domain is preferred. */
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
            /** @description Falls back to adPlatform.formName. */
            formName?: string | null;
            /** @description Falls back to adPlatform.adgroupName. */
            adsetName?: string | null;
            referrer?: string | null;
            ipAddress?: string | null;
            userAgent?: string | null;
            /** @description An unparseable value is ignored. */
            submittedAt?: string | null;
            /** @description Inferred from a trailing two-letter segment of pageUrl when omitted. */
            localeCountry?: string | null;
            /** @description E-mail of an agent to own the lead. */
            assignedBy?: string | null;
            distributionType?: string | null;
            /** @description Stable handle of the sending automation; stored verbatim, never matched. */
            integrationRef?: string | null;
            adPlatform?: components["schemas"]["AdPlatform"] | null;
            quiz?: components["schemas"]["Quiz"] | null;
            /** @description The first five are added; the rest is skipped and counted. */
            comments?: components["schemas"]["Comment"][] | null;
        } & {
            [key: string]: unknown;
        };
        AdPlatform: {
            /** @description Without it the block is discarded. */
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
            customFields?: {
                [key: string]: string;
            } | null;
        } & {
            [key: string]: unknown;
        };
        Quiz: {
            /** @description Answers supersede earlier ones of the same quiz. */
            quizKey?: string | null;
            quizName?: string | null;
            locale?: string | null;
            version?: string | null;
            answers?: components["schemas"]["QuizAnswer"][];
        } & {
            [key: string]: unknown;
        };
        QuizAnswer: {
            /** @description Stable over languages and over time. */
            questionKey?: string | null;
            questionLabel?: string | null;
            /** @description Another name of questionLabel. */
            label?: string | null;
            /** @description Stable too; one or several. */
            optionKey?: (string | string[]) | null;
            /** @description Another name of optionKey. */
            optionKeys?: (string | string[]) | null;
            answerLabel?: (string | string[]) | null;
            /** @description A number, range, amount, date or yes/no as the person gave it. */
            value?: string | number | null;
            currency?: string | null;
        } & {
            [key: string]: unknown;
        };
        Comment: {
            /** @description When it was said; when omitted, now. */
            date?: string | null;
            text: string;
            author?: string | null;
            channel?: string | null;
            direction?: ("inbound" | "outbound") | null;
            /** @description One that the lead already has is skipped. */
            externalId?: string | null;
        } & {
            [key: string]: unknown;
        };
        LeadUpdate: {
            /** @description E.164 is recommended for reliable matching. */
            leadPhones?: string[] | null;
            leadEmails?: string[] | null;
            leadFirstName?: string | null;
            leadMiddleName?: string | null;
            /** @description Used when no middle name is given. */
            leadSecondName?: string | null;
            leadLastName?: string | null;
            leadCompanyName?: string | null;
            /** @description Derived from the listing when omitted on a listing enquiry. */
            leadType?: string | null;
            priority?: string | null;
            /** @description Standard, Luxury or Super Luxury. */
            marketSegment?: string | null;
            /** @description A, B, C or D. */
            agentCategory?: string | null;
            /** @description The leaf name of a location. */
            areaOfInterest?: string | null;
            /** @description A regular plural matches too. */
            propertyTypeInterest?: string | null;
            budgetMin?: (string | number) | null;
            budgetMax?: (string | number) | null;
            /** @description ISO 4217 code. */
            currency?: string | null;
            initialInquiry?: string | null;
            /** @description By code or name; entries that are not recognised are ignored. */
            languages?: string[] | null;
            /** @description Wins over referenceNo when both are sent. */
            listingId?: string | null;
            /** @description Used when listingId is absent. */
            referenceNo?: string | null;
            source?: string | null;
            /** @description Kept where linked to the resolved source. */
            subSource?: string[] | null;
            marketingType?: string | null;
            eventType?: string | null;
            /** @description The CRM's own campaign; drives routing. */
            campaignName?: string | null;
            /** @description Created on first sight. Omit it when sending adPlatform. */
            advertisingCampaign?: string | null;
            /** @description Matches name or slug. */
            developerName?: string | null;
            /** @description Wins over developerName. A value that is no uuid is treated as a name. */
            developerId?: string | null;
            /** @description Name or domain; the domain is preferred. */
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
            /** @description Falls back to adPlatform.formName. */
            formName?: string | null;
            /** @description Falls back to adPlatform.adgroupName. */
            adsetName?: string | null;
            referrer?: string | null;
            ipAddress?: string | null;
            userAgent?: string | null;
            /** @description An unparseable value is ignored. */
            submittedAt?: string | null;
            /** @description Inferred from a trailing two-letter segment of pageUrl when omitted. */
            localeCountry?: string | null;
            /** @description Stable handle of the sending automation; stored verbatim, never matched. */
            integrationRef?: string | null;
            adPlatform?: components["schemas"]["AdPlatform"] | null;
            quiz?: components["schemas"]["Quiz"] | null;
            /** @description The first five are added; the rest is skipped and counted. */
            comments?: components["schemas"]["Comment"][] | null;
        } & {
            [key: string]: unknown;
        };
        LeadCreatedEvent: {
            /** @constant */
            type: "lead.created";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** Format: uuid */
                leadId: string;
                /** Format: uuid */
                contactId: string;
                /** Format: date-time */
                createdAt: string;
                /** @enum {string} */
                status: "assigned" | "pending" | "unassigned" | "pool";
                source: components["schemas"]["Entry"] | null;
                integrationRef: string | null;
                isRepeatLead: boolean;
                repeatOfLeadId: string | null;
                isAgentEnquiry: boolean;
                needsIntakeReview: boolean;
                assignedTo: components["schemas"]["Agent"] | null;
                /** @description Counts the events of one lead, since they may arrive in another order. */
                sequence: number;
            };
        };
        /** @description A record of one of the CRM’s lists; for lists fixed by a standard the id is the code. */
        Entry: {
            id: string;
            name: string;
        };
        Agent: {
            /** Format: uuid */
            id: string;
            slug: string;
            name: string;
            email: string;
            phone: string | null;
            whatsappPhone: string | null;
            active: boolean;
        };
        LeadAssignedEvent: {
            /** @constant */
            type: "lead.assigned";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** Format: uuid */
                leadId: string;
                /** @constant */
                status: "assigned";
                agent: components["schemas"]["Agent"];
                /** Format: date-time */
                assignedAt: string;
                previousAgentId: string | null;
                integrationRef: string | null;
                /** @description Counts the events of one lead, since they may arrive in another order. */
                sequence: number;
            };
        };
        Error: {
            statusCode: number;
            /**
             * @description Stable; branch on this, not on the message.
             * @enum {string}
             */
            code: "BAD_REQUEST" | "DNCR_TOO_MANY_NUMBERS" | "UNAUTHORIZED" | "OAUTH_TOKEN_EXPIRED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "VALIDATION_ERROR" | "RATE_LIMITED" | "HEADERS_TOO_LARGE" | "INTERNAL_ERROR" | "DNCR_UPSTREAM_ERROR" | "DNCR_NOT_CONFIGURED" | "SERVICE_UNAVAILABLE";
            message: string;
            /** @description On 422 only: one text per fault, each beginning with its path. */
            errors?: string[];
            details?: {
                [key: string]: unknown;
            };
            path: string;
            /** Format: date-time */
            timestamp: string;
        };
        Lead: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contactId: string;
            intakeUnresolved: {
                [key: string]: unknown;
            } | null;
            needsIntakeReview: boolean;
            /** @constant */
            merged: false;
            isRepeatLead: boolean;
            repeatOfLeadId: string | null;
            isAgentEnquiry: boolean;
            agentEnquiryReason: ("known_agent" | "prior_lead" | "competitor_domain" | "manual") | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            assignedTo: components["schemas"]["Agent"] | null;
            /** @enum {string} */
            status: "assigned" | "pending" | "unassigned" | "pool";
            stage: {
                id: string;
                name: string;
                funnel: components["schemas"]["Entry"];
            } | null;
            leadPhones: string[];
            leadEmails: string[];
            leadFirstName: string | null;
            leadMiddleName: string | null;
            leadSecondName: string | null;
            leadLastName: string | null;
            leadCompanyName: string | null;
            leadType: components["schemas"]["Entry"] | null;
            funnel: components["schemas"]["Entry"] | null;
            priority: string | null;
            marketSegment: components["schemas"]["Entry"] | null;
            agentCategory: components["schemas"]["Entry"] | null;
            areaOfInterest: components["schemas"]["Entry"] | null;
            propertyTypeInterest: components["schemas"]["Entry"] | null;
            budgetMin: string | null;
            budgetMax: string | null;
            currency: components["schemas"]["Entry"] | null;
            initialInquiry: string | null;
            languages: components["schemas"]["Entry"][];
            listingId: components["schemas"]["Entry"] | null;
            referenceNo: components["schemas"]["Entry"] | null;
            source: components["schemas"]["Entry"] | null;
            subSource: components["schemas"]["Entry"][];
            marketingType: components["schemas"]["Entry"] | null;
            eventType: components["schemas"]["Entry"] | null;
            campaignName: components["schemas"]["Entry"] | null;
            advertisingCampaign: components["schemas"]["Entry"] | null;
            developerName: components["schemas"]["Entry"] | null;
            developerId: components["schemas"]["Entry"] | null;
            website: components["schemas"]["Entry"] | null;
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
            localeCountry: components["schemas"]["Entry"] | null;
            assignedBy: components["schemas"]["Entry"] | null;
            distributionType: string | null;
            integrationRef: string | null;
            location: components["schemas"]["Entry"] | null;
            bedrooms: string | null;
            adPlatform: ({
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
            } & {
                [key: string]: unknown;
            }) | null;
            quiz: {
                [key: string]: unknown;
            } | null;
            comments?: {
                added: number;
                skipped: number;
            };
        };
        MergedLead: {
            /** Format: uuid */
            id: string;
            /** @constant */
            merged: true;
            /** @enum {string} */
            matchedOn: "phone" | "email";
            assignedTo: components["schemas"]["Agent"] | null;
            comments?: {
                added: number;
                skipped: number;
            };
        };
        Developer: {
            /** Format: uuid */
            id: string;
            name: string;
            slug: string;
            logoUrl: string | null;
            imageUrl: string | null;
            description: string | null;
            enabled: boolean;
            popular: boolean;
            contactId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Location: {
            /** Format: uuid */
            id: string;
            /** @description The value to send as `areaOfInterest`. */
            name: string;
            level: string;
            /** @description The full ancestry, root first. */
            path: string;
        };
        FullProject: {
            /** Format: uuid */
            id: string;
            title: string | null;
            slug: string | null;
            campaignType: string | null;
            propertyTypes: string[];
            startingPrice: string | null;
            deliveryDate: string | null;
            brochure: boolean;
            paymentPlans: string[];
            developer: {
                /** Format: uuid */
                id: string;
                name: string;
                slug: string;
                logoUrl: string | null;
            } | null;
            location: {
                /** Format: uuid */
                id: string;
                name: string;
                path: string;
            };
            image: {
                url: string | null;
                alt: string | null;
            };
            status: components["schemas"]["ProjectStatus"];
            description: string | null;
            ownershipType: string | null;
            stockAvailability: string | null;
            latitude: number | null;
            longitude: number | null;
            amenities: string[];
            bedrooms: string[];
            images: {
                url: string | null;
                alt: string | null;
            }[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ProjectStatus: {
            /** Format: uuid */
            id: string;
            name: string;
            color: string | null;
        };
        Project: {
            /** Format: uuid */
            id: string;
            title: string | null;
            slug: string | null;
            campaignType: string | null;
            propertyTypes: string[];
            startingPrice: string | null;
            deliveryDate: string | null;
            brochure: boolean;
            paymentPlans: string[];
            developer: {
                /** Format: uuid */
                id: string;
                name: string;
                slug: string;
                logoUrl: string | null;
            } | null;
            location: {
                /** Format: uuid */
                id: string;
                name: string;
                path: string;
            };
            image: {
                url: string | null;
                alt: string | null;
            };
            status: components["schemas"]["ProjectStatus"];
        };
        ProjectPin: {
            /** Format: uuid */
            id: string;
            title: string | null;
            slug: string | null;
            latitude: number;
            longitude: number;
            startingPrice: string | null;
            status: components["schemas"]["ProjectStatus"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Names the request in our logs; echoed when sent as a short token. */
        "X-Request-Id": string;
        /** @description Requests per UTC day. */
        "X-RateLimit-Limit": number;
        /** @description What is left of them today. */
        "X-RateLimit-Remaining": number;
        /** @description Seconds until the counter resets, at the end of the UTC day. */
        "X-RateLimit-Reset": number;
        /** @description Seconds to wait. */
        "Retry-After": number;
        /** @description Always `Bearer`. */
        "WWW-Authenticate": string;
        /** @description To be sent back as `If-None-Match`. */
        ETag: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    issueToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grant_type": "client_credentials",
                 *       "client_id": "shop-backend",
                 *       "client_secret": "stg_sec_…"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    grant_type: "client_credentials";
                    client_id: string;
                    client_secret: string;
                } & {
                    [key: string]: unknown;
                };
                /**
                 * @example {
                 *       "grant_type": "client_credentials",
                 *       "client_id": "shop-backend",
                 *       "client_secret": "stg_sec_…"
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    /** @constant */
                    grant_type: "client_credentials";
                    client_id: string;
                    client_secret: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description A token */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "stg_tok_kqYV0f3XrQk1n8cJw2mZ5t7uB9dE4hL6pSaGxNyRvTo",
                     *       "token_type": "Bearer",
                     *       "expires_in": 3600,
                     *       "scope": ""
                     *     }
                     */
                    "application/json": {
                        /** @description Opaque; sent as `Authorization: Bearer`. */
                        access_token: string;
                        /** @constant */
                        token_type: "Bearer";
                        /** @description Seconds. */
                        expires_in: number;
                        scope: string;
                    };
                };
            };
            /** @description `BAD_REQUEST`: The request cannot be read, or breaks a rule of the endpoint. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED`: The credentials or the token are missing, unknown, revoked or switched off. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The body is larger than 256 KiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is not JSON in UTF-8, or packed in an unknown encoding. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VALIDATION_ERROR`: A field or parameter is at fault: never send it again unchanged. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED`: Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR`: A fault on our side; retry with backoff. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE`: Not available for the moment: wait for `Retry-After` seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createLead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "leadPhones": [
                 *         "+971501234567"
                 *       ],
                 *       "leadEmails": [
                 *         "buyer@example.com"
                 *       ],
                 *       "leadFirstName": "Aisha",
                 *       "source": "Website",
                 *       "areaOfInterest": "Dubai Marina",
                 *       "initialInquiry": "Two bedrooms with a sea view, please."
                 *     }
                 */
                "application/json": components["schemas"]["LeadCreate"];
            };
        };
        responses: {
            /** @description A new lead, or the existing one that the enquiry was merged into: branch on `merged`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *       "contactId": "3a52b3ee-6a63-4d6b-9a53-0d7f5d1cb7a2",
                     *       "intakeUnresolved": null,
                     *       "needsIntakeReview": false,
                     *       "merged": false,
                     *       "isRepeatLead": false,
                     *       "repeatOfLeadId": null,
                     *       "isAgentEnquiry": false,
                     *       "agentEnquiryReason": null,
                     *       "createdAt": "2026-09-20T08:15:30.000Z",
                     *       "updatedAt": "2026-09-20T08:15:30.000Z",
                     *       "assignedTo": null,
                     *       "status": "assigned",
                     *       "stage": {
                     *         "id": "text",
                     *         "name": "Dubai Marina",
                     *         "funnel": {
                     *           "id": "1d6f3c58-2c0f-4b6c-9a43-0c9e5b7f8a02",
                     *           "name": "Main"
                     *         }
                     *       },
                     *       "leadPhones": [
                     *         "+971501234567"
                     *       ],
                     *       "leadEmails": [
                     *         "buyer@example.com"
                     *       ],
                     *       "leadFirstName": "Aisha",
                     *       "leadMiddleName": null,
                     *       "leadSecondName": null,
                     *       "leadLastName": "Rahman",
                     *       "leadCompanyName": null,
                     *       "leadType": {
                     *         "id": "b6a3f7f0-7a3e-4a5b-8c6e-2f5a1b9d4e10",
                     *         "name": "Primary Buyer"
                     *       },
                     *       "funnel": {
                     *         "id": "1d6f3c58-2c0f-4b6c-9a43-0c9e5b7f8a02",
                     *         "name": "Main"
                     *       },
                     *       "priority": null,
                     *       "marketSegment": null,
                     *       "agentCategory": null,
                     *       "areaOfInterest": {
                     *         "id": "5e0d2f83-0a3e-4f0e-9f0b-6a7c1f1f3c21",
                     *         "name": "Dubai Marina"
                     *       },
                     *       "propertyTypeInterest": null,
                     *       "budgetMin": "1500000",
                     *       "budgetMax": "2500000",
                     *       "currency": {
                     *         "id": "AED",
                     *         "name": "UAE Dirham"
                     *       },
                     *       "initialInquiry": "Two bedrooms with a sea view, please.",
                     *       "languages": [
                     *         {
                     *           "id": "ar",
                     *           "name": "Arabic"
                     *         }
                     *       ],
                     *       "listingId": null,
                     *       "referenceNo": null,
                     *       "source": {
                     *         "id": "c7b8d5a2-94a5-4c4e-8d9b-0f6f6e7a1b11",
                     *         "name": "Website"
                     *       },
                     *       "subSource": [],
                     *       "marketingType": null,
                     *       "eventType": null,
                     *       "campaignName": null,
                     *       "advertisingCampaign": null,
                     *       "developerName": null,
                     *       "developerId": null,
                     *       "website": null,
                     *       "pageUrl": "text",
                     *       "pathLocale": "text",
                     *       "gclid": "text",
                     *       "fbclid": "text",
                     *       "utmSource": "text",
                     *       "utmMedium": "text",
                     *       "utmCampaign": "text",
                     *       "utmTerm": "text",
                     *       "utmContent": "text",
                     *       "formName": "text",
                     *       "adsetName": "text",
                     *       "referrer": "text",
                     *       "ipAddress": "text",
                     *       "userAgent": "text",
                     *       "submittedAt": "text",
                     *       "localeCountry": {
                     *         "id": "AE",
                     *         "name": "United Arab Emirates"
                     *       },
                     *       "assignedBy": null,
                     *       "distributionType": null,
                     *       "integrationRef": "text",
                     *       "location": {
                     *         "id": "text",
                     *         "name": "Dubai Marina"
                     *       },
                     *       "bedrooms": "text",
                     *       "adPlatform": null,
                     *       "quiz": null,
                     *       "comments": {
                     *         "added": 1,
                     *         "skipped": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Lead"] | components["schemas"]["MergedLead"];
                };
            };
            /** @description `BAD_REQUEST`: The request cannot be read, or breaks a rule of the endpoint. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `UNAUTHORIZED`: The credentials or the token are missing, unknown, revoked or switched off.
             *
             *     `OAUTH_TOKEN_EXPIRED`: The token has expired: fetch another and try once more.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The body is larger than 256 KiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is not JSON in UTF-8, or packed in an unknown encoding. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VALIDATION_ERROR`: A field or parameter is at fault: never send it again unchanged. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED`: Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR`: A fault on our side; retry with backoff. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE`: Not available for the moment: wait for `Retry-After` seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateLead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "budgetMax": "2500000",
                 *       "areaOfInterest": "Dubai Marina"
                 *     }
                 */
                "application/json": components["schemas"]["LeadUpdate"];
            };
        };
        responses: {
            /** @description What changed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *       "updated": false,
                     *       "updatedFields": [
                     *         "budgetMax",
                     *         "closingAreaId"
                     *       ],
                     *       "intakeUnresolved": null,
                     *       "needsIntakeReview": false,
                     *       "rerouted": false,
                     *       "assignedTo": null,
                     *       "comments": {
                     *         "added": 1,
                     *         "skipped": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        updated: boolean;
                        /** @description CRM column names that changed, sorted. */
                        updatedFields: string[];
                        intakeUnresolved: {
                            [key: string]: unknown;
                        } | null;
                        needsIntakeReview: boolean;
                        rerouted: boolean;
                        assignedTo: components["schemas"]["Agent"] | null;
                        comments?: {
                            added: number;
                            skipped: number;
                        };
                    };
                };
            };
            /** @description `BAD_REQUEST`: The request cannot be read, or breaks a rule of the endpoint. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `UNAUTHORIZED`: The credentials or the token are missing, unknown, revoked or switched off.
             *
             *     `OAUTH_TOKEN_EXPIRED`: The token has expired: fetch another and try once more.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: There is no such record, or it is not for this client to see. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The body is larger than 256 KiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is not JSON in UTF-8, or packed in an unknown encoding. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VALIDATION_ERROR`: A field or parameter is at fault: never send it again unchanged. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED`: Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR`: A fault on our side; retry with backoff. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE`: Not available for the moment: wait for `Retry-After` seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patchLead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "budgetMax": "2500000",
                 *       "areaOfInterest": "Dubai Marina"
                 *     }
                 */
                "application/json": components["schemas"]["LeadUpdate"];
            };
        };
        responses: {
            /** @description What changed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *       "updated": false,
                     *       "updatedFields": [
                     *         "budgetMax",
                     *         "closingAreaId"
                     *       ],
                     *       "intakeUnresolved": null,
                     *       "needsIntakeReview": false,
                     *       "rerouted": false,
                     *       "assignedTo": null,
                     *       "comments": {
                     *         "added": 1,
                     *         "skipped": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        updated: boolean;
                        /** @description CRM column names that changed, sorted. */
                        updatedFields: string[];
                        intakeUnresolved: {
                            [key: string]: unknown;
                        } | null;
                        needsIntakeReview: boolean;
                        rerouted: boolean;
                        assignedTo: components["schemas"]["Agent"] | null;
                        comments?: {
                            added: number;
                            skipped: number;
                        };
                    };
                };
            };
            /** @description `BAD_REQUEST`: The request cannot be read, or breaks a rule of the endpoint. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `UNAUTHORIZED`: The credentials or the token are missing, unknown, revoked or switched off.
             *
             *     `OAUTH_TOKEN_EXPIRED`: The token has expired: fetch another and try once more.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: There is no such record, or it is not for this client to see. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The body is larger than 256 KiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is not JSON in UTF-8, or packed in an unknown encoding. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VALIDATION_ERROR`: A field or parameter is at fault: never send it again unchanged. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED`: Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR`: A fault on our side; retry with backoff. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE`: Not available for the moment: wait for `Retry-After` seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readLeadAssignment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where the lead stands */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "leadId": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *       "status": "assigned",
                     *       "agent": {
                     *         "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *         "slug": "marina-heights",
                     *         "name": "Dubai Marina",
                     *         "email": "omar@agency.example",
                     *         "phone": "+971500000001",
                     *         "whatsappPhone": null,
                     *         "active": false
                     *       },
                     *       "createdAt": "2026-09-20T08:15:30.000Z",
                     *       "retryAfterSeconds": null
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        leadId: string;
                        /** @enum {string} */
                        status: "assigned" | "pending" | "unassigned" | "pool";
                        agent: components["schemas"]["Agent"] | null;
                        /** Format: date-time */
                        createdAt: string;
                        retryAfterSeconds: number | null;
                    };
                };
            };
            /** @description `BAD_REQUEST`: The request cannot be read, or breaks a rule of the endpoint. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `UNAUTHORIZED`: The credentials or the token are missing, unknown, revoked or switched off.
             *
             *     `OAUTH_TOKEN_EXPIRED`: The token has expired: fetch another and try once more.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: There is no such record, or it is not for this client to see. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VALIDATION_ERROR`: A field or parameter is at fault: never send it again unchanged. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED`: Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR`: A fault on our side; retry with backoff. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE`: Not available for the moment: wait for `Retry-After` seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    recordResponseTime: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "seconds": 420
                 *     }
                 */
                "application/json": {
                    /** @description Whole seconds from the customer’s first contact to the agent’s response. */
                    seconds: number;
                };
            };
        };
        responses: {
            /** @description The recorded response */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "leadId": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *       "agentResponseSeconds": 420,
                     *       "agentRespondedAt": "2026-09-20T08:15:30.000Z"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        leadId: string;
                        agentResponseSeconds: number;
                        /** Format: date-time */
                        agentRespondedAt: string;
                    };
                };
            };
            /** @description `BAD_REQUEST`: The request cannot be read, or breaks a rule of the endpoint. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `UNAUTHORIZED`: The credentials or the token are missing, unknown, revoked or switched off.
             *
             *     `OAUTH_TOKEN_EXPIRED`: The token has expired: fetch another and try once more.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: There is no such record, or it is not for this client to see. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The body is larger than 256 KiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is not JSON in UTF-8, or packed in an unknown encoding. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VALIDATION_ERROR`: A field or parameter is at fault: never send it again unchanged. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED`: Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR`: A fault on our side; retry with backoff. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE`: Not available for the moment: wait for `Retry-After` seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    checkDncr: {
        parameters: {
            query?: {
                /** @description Skips the cache when true; so does the body field. */
                fresh?: "0" | "1" | "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "phones": [
                 *         "050 123 4567",
                 *         "+971-55-765-4321"
                 *       ],
                 *       "fresh": false
                 *     }
                 */
                "application/json": {
                    /** @description 05XXXXXXXX, 5XXXXXXXX, 9715XXXXXXXX, +9715XXXXXXXX or 009715XXXXXXXX. */
                    phones: string[];
                    /**
                     * @description Asks the registry again.
                     * @default false
                     */
                    fresh?: boolean;
                };
            };
        };
        responses: {
            /** @description One row per number, in the order sent */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "input": "050 123 4567",
                     *           "phone": "0501234567",
                     *           "e164": "+971501234567",
                     *           "status": "not_registered",
                     *           "onDncr": false,
                     *           "dncrStatus": "FALSE",
                     *           "registryStatus": null,
                     *           "checkedAt": "2026-09-20T08:15:30.000Z",
                     *           "source": "cache",
                     *           "error": null
                     *         }
                     *       ],
                     *       "meta": {
                     *         "requested": 1,
                     *         "unique": 1,
                     *         "invalid": 0,
                     *         "fromCache": 1,
                     *         "fromRegistry": 0,
                     *         "fresh": false,
                     *         "cacheTtlDays": 180,
                     *         "maxNumbersPerRequest": 20,
                     *         "transactionId": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @description The number exactly as sent. */
                            input: string;
                            /** @description Local form. */
                            phone: string | null;
                            e164: string | null;
                            /**
                             * @description `not_found` is not a clearance.
                             * @enum {string}
                             */
                            status: "registered" | "not_registered" | "not_found" | "invalid" | "unavailable";
                            onDncr: boolean | null;
                            /** @description The raw status of the registry. */
                            dncrStatus: string | null;
                            /** @description The registry’s text, verbatim. */
                            registryStatus: string | null;
                            checkedAt: string | null;
                            source: ("cache" | "fresh") | null;
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
            };
            /**
             * @description `BAD_REQUEST`: The request cannot be read, or breaks a rule of the endpoint.
             *
             *     `DNCR_TOO_MANY_NUMBERS`: More than 20 numbers; nothing was checked.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `UNAUTHORIZED`: The credentials or the token are missing, unknown, revoked or switched off.
             *
             *     `OAUTH_TOKEN_EXPIRED`: The token has expired: fetch another and try once more.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The body is larger than 256 KiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is not JSON in UTF-8, or packed in an unknown encoding. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VALIDATION_ERROR`: A field or parameter is at fault: never send it again unchanged. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED`: Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR`: A fault on our side; retry with backoff. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `DNCR_UPSTREAM_ERROR`: The registry could not be reached; nothing was checked. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `DNCR_NOT_CONFIGURED`: Checks are not enabled on this environment.
             *
             *     `SERVICE_UNAVAILABLE`: Not available for the moment: wait for `Retry-After` seconds.
             */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDevelopers: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description The term to look for. */
                search?: string;
                /** @description Alias for `search`. */
                q?: string;
                /** @description Alias for `search`. */
                query?: string;
                /** @description Alias for `search`. */
                term?: string;
                /** @description Alias for `search`. */
                keyword?: string;
                /** @description Keys separated by commas, such as `popular:desc,name:asc` or `-name`: name, slug, popular, createdAt, updatedAt. */
                sort?: string;
                /** @description The direction of keys that have none of their own. */
                order?: "asc" | "desc";
                /** @description Only popular developers, or only the others. */
                popular?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of developers */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *           "name": "Dubai Marina",
                     *           "slug": "marina-heights",
                     *           "logoUrl": "https://developer.example/logo.png",
                     *           "imageUrl": null,
                     *           "description": null,
                     *           "enabled": false,
                     *           "popular": false,
                     *           "contactId": "3a52b3ee-6a63-4d6b-9a53-0d7f5d1cb7a2",
                     *           "createdAt": "2026-09-20T08:15:30.000Z",
                     *           "updatedAt": "2026-09-20T08:15:30.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "offset": 0,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Developer"][];
                        meta: {
                            limit: number;
                            offset: number;
                            total: number;
                        };
                    };
                };
            };
            /** @description Not changed since that ETag */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `UNAUTHORIZED`: The credentials or the token are missing, unknown, revoked or switched off.
             *
             *     `OAUTH_TOKEN_EXPIRED`: The token has expired: fetch another and try once more.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VALIDATION_ERROR`: A field or parameter is at fault: never send it again unchanged. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED`: Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR`: A fault on our side; retry with backoff. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE`: Not available for the moment: wait for `Retry-After` seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    searchDevelopers: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description The term to look for. */
                search?: string;
                /** @description Alias for `search`. */
                q?: string;
                /** @description Alias for `search`. */
                query?: string;
                /** @description Alias for `search`. */
                term?: string;
                /** @description Alias for `search`. */
                keyword?: string;
                /** @description Keys separated by commas, such as `popular:desc,name:asc` or `-name`: name, slug, popular, createdAt, updatedAt. */
                sort?: string;
                /** @description The direction of keys that have none of their own. */
                order?: "asc" | "desc";
                /** @description Only popular developers, or only the others. */
                popular?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of developers */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *           "name": "Dubai Marina",
                     *           "slug": "marina-heights",
                     *           "logoUrl": "https://developer.example/logo.png",
                     *           "imageUrl": null,
                     *           "description": null,
                     *           "enabled": false,
                     *           "popular": false,
                     *           "contactId": "3a52b3ee-6a63-4d6b-9a53-0d7f5d1cb7a2",
                     *           "createdAt": "2026-09-20T08:15:30.000Z",
                     *           "updatedAt": "2026-09-20T08:15:30.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "offset": 0,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Developer"][];
                        meta: {
                            limit: number;
                            offset: number;
                            total: number;
                        };
                    };
                };
            };
            /** @description Not changed since that ETag */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `UNAUTHORIZED`: The credentials or the token are missing, unknown, revoked or switched off.
             *
             *     `OAUTH_TOKEN_EXPIRED`: The token has expired: fetch another and try once more.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VALIDATION_ERROR`: A field or parameter is at fault: never send it again unchanged. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED`: Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR`: A fault on our side; retry with backoff. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE`: Not available for the moment: wait for `Retry-After` seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readDeveloper: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The developer */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *       "name": "Dubai Marina",
                     *       "slug": "marina-heights",
                     *       "logoUrl": "https://developer.example/logo.png",
                     *       "imageUrl": null,
                     *       "description": null,
                     *       "enabled": false,
                     *       "popular": false,
                     *       "contactId": "3a52b3ee-6a63-4d6b-9a53-0d7f5d1cb7a2",
                     *       "createdAt": "2026-09-20T08:15:30.000Z",
                     *       "updatedAt": "2026-09-20T08:15:30.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Developer"];
                };
            };
            /** @description Not changed since that ETag */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `BAD_REQUEST`: The request cannot be read, or breaks a rule of the endpoint. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `UNAUTHORIZED`: The credentials or the token are missing, unknown, revoked or switched off.
             *
             *     `OAUTH_TOKEN_EXPIRED`: The token has expired: fetch another and try once more.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: There is no such record, or it is not for this client to see. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VALIDATION_ERROR`: A field or parameter is at fault: never send it again unchanged. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED`: Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR`: A fault on our side; retry with backoff. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE`: Not available for the moment: wait for `Retry-After` seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listLocations: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description The term to look for. */
                search?: string;
                /** @description Alias for `search`. */
                q?: string;
                /** @description Alias for `search`. */
                query?: string;
                /** @description Alias for `search`. */
                term?: string;
                /** @description Alias for `search`. */
                keyword?: string;
                /** @description Only locations of this level, such as `community`. */
                level?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of locations */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *           "name": "Dubai Marina",
                     *           "level": "3",
                     *           "path": "United Arab Emirates, Dubai, Dubai Marina"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "offset": 0,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Location"][];
                        meta: {
                            limit: number;
                            offset: number;
                            total: number;
                        };
                    };
                };
            };
            /** @description Not changed since that ETag */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `UNAUTHORIZED`: The credentials or the token are missing, unknown, revoked or switched off.
             *
             *     `OAUTH_TOKEN_EXPIRED`: The token has expired: fetch another and try once more.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VALIDATION_ERROR`: A field or parameter is at fault: never send it again unchanged. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED`: Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR`: A fault on our side; retry with backoff. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE`: Not available for the moment: wait for `Retry-After` seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    searchLocations: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description The term to look for. */
                search?: string;
                /** @description Alias for `search`. */
                q?: string;
                /** @description Alias for `search`. */
                query?: string;
                /** @description Alias for `search`. */
                term?: string;
                /** @description Alias for `search`. */
                keyword?: string;
                /** @description Only locations of this level, such as `community`. */
                level?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of locations */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *           "name": "Dubai Marina",
                     *           "level": "3",
                     *           "path": "United Arab Emirates, Dubai, Dubai Marina"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "offset": 0,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Location"][];
                        meta: {
                            limit: number;
                            offset: number;
                            total: number;
                        };
                    };
                };
            };
            /** @description Not changed since that ETag */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `UNAUTHORIZED`: The credentials or the token are missing, unknown, revoked or switched off.
             *
             *     `OAUTH_TOKEN_EXPIRED`: The token has expired: fetch another and try once more.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VALIDATION_ERROR`: A field or parameter is at fault: never send it again unchanged. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED`: Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR`: A fault on our side; retry with backoff. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE`: Not available for the moment: wait for `Retry-After` seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readLocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The location */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *       "name": "Dubai Marina",
                     *       "level": "3",
                     *       "path": "United Arab Emirates, Dubai, Dubai Marina"
                     *     }
                     */
                    "application/json": components["schemas"]["Location"];
                };
            };
            /** @description Not changed since that ETag */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `BAD_REQUEST`: The request cannot be read, or breaks a rule of the endpoint. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `UNAUTHORIZED`: The credentials or the token are missing, unknown, revoked or switched off.
             *
             *     `OAUTH_TOKEN_EXPIRED`: The token has expired: fetch another and try once more.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: There is no such record, or it is not for this client to see. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VALIDATION_ERROR`: A field or parameter is at fault: never send it again unchanged. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED`: Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR`: A fault on our side; retry with backoff. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE`: Not available for the moment: wait for `Retry-After` seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /** @description Free text. */
                q?: string;
                /** @description Up to 200, separated by commas. */
                developerIds?: string;
                /** @description Alias for `developerIds`. */
                developerId?: string;
                /** @description With everything that lies under them. */
                locationIds?: string;
                /** @description Alias for `locationIds`. */
                locationId?: string;
                statusIds?: string;
                /** @description Alias for `statusIds`. */
                statusId?: string;
                /** @description Uuids of property types. */
                propertyTypes?: string;
                /** @description Alias for `propertyTypes`. */
                propertyType?: string;
                minPrice?: string;
                maxPrice?: string;
                deliveryFrom?: string;
                deliveryTo?: string;
                ownershipType?: string;
                campaignType?: string;
                stockAvailability?: string;
                /** @description False for the full record; true by default. */
                simplified?: boolean;
                page?: number;
                limit?: number;
                /** @description Wins over `page`. */
                offset?: number;
                /** @description Keys separated by commas, such as `startingPrice:desc,title`: title, slug, startingPrice, deliveryDate, developer, location, status, createdAt, updatedAt. */
                sort?: string;
                /** @description The direction of keys that have none of their own. */
                order?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of projects */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *           "title": "Marina Heights",
                     *           "slug": "marina-heights",
                     *           "campaignType": "text",
                     *           "propertyTypes": [
                     *             "text"
                     *           ],
                     *           "startingPrice": "1200000",
                     *           "deliveryDate": "2026-09-20T08:15:30.000Z",
                     *           "brochure": false,
                     *           "paymentPlans": [
                     *             "text"
                     *           ],
                     *           "developer": {
                     *             "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *             "name": "Dubai Marina",
                     *             "slug": "marina-heights",
                     *             "logoUrl": "https://developer.example/logo.png"
                     *           },
                     *           "location": {
                     *             "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *             "name": "Dubai Marina",
                     *             "path": "United Arab Emirates, Dubai, Dubai Marina"
                     *           },
                     *           "image": {
                     *             "url": "https://developer.example/image.jpg",
                     *             "alt": "Marina Heights"
                     *           },
                     *           "status": {
                     *             "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *             "name": "Dubai Marina",
                     *             "color": "#2f855a"
                     *           },
                     *           "description": null,
                     *           "ownershipType": "text",
                     *           "stockAvailability": "text",
                     *           "latitude": 25.0772,
                     *           "longitude": 55.1398,
                     *           "amenities": [
                     *             "text"
                     *           ],
                     *           "bedrooms": [
                     *             "text"
                     *           ],
                     *           "images": [
                     *             {
                     *               "url": "https://developer.example/image.jpg",
                     *               "alt": "Marina Heights"
                     *             }
                     *           ],
                     *           "createdAt": "2026-09-20T08:15:30.000Z",
                     *           "updatedAt": "2026-09-20T08:15:30.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "limit": 50,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: (components["schemas"]["FullProject"] | components["schemas"]["Project"])[];
                        meta: {
                            page: number;
                            limit: number;
                            total: number;
                            totalPages: number;
                        };
                    };
                };
            };
            /** @description Not changed since that ETag */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `UNAUTHORIZED`: The credentials or the token are missing, unknown, revoked or switched off.
             *
             *     `OAUTH_TOKEN_EXPIRED`: The token has expired: fetch another and try once more.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VALIDATION_ERROR`: A field or parameter is at fault: never send it again unchanged. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED`: Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR`: A fault on our side; retry with backoff. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE`: Not available for the moment: wait for `Retry-After` seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readProjectFilters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lists */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "filters": {
                     *         "developer": {
                     *           "displayName": "Location",
                     *           "values": [
                     *             {
                     *               "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *               "name": "Dubai Marina"
                     *             }
                     *           ]
                     *         },
                     *         "location": {
                     *           "displayName": "Location",
                     *           "values": [
                     *             {
                     *               "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *               "name": "Dubai Marina",
                     *               "fullName": "United Arab Emirates, Dubai, Dubai Marina"
                     *             }
                     *           ]
                     *         },
                     *         "propertyType": {
                     *           "displayName": "Location",
                     *           "values": [
                     *             {
                     *               "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *               "name": "Dubai Marina"
                     *             }
                     *           ]
                     *         },
                     *         "status": {
                     *           "displayName": "Location",
                     *           "values": [
                     *             {
                     *               "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *               "name": "Dubai Marina",
                     *               "color": "#2f855a"
                     *             }
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        filters: {
                            developer: {
                                displayName: string;
                                values: {
                                    /** Format: uuid */
                                    id: string;
                                    name: string;
                                }[];
                            };
                            location: {
                                displayName: string;
                                values: {
                                    /** Format: uuid */
                                    id: string;
                                    name: string;
                                    fullName: string;
                                }[];
                            };
                            propertyType: {
                                displayName: string;
                                values: {
                                    /** Format: uuid */
                                    id: string;
                                    name: string;
                                }[];
                            };
                            status: {
                                displayName: string;
                                values: components["schemas"]["ProjectStatus"][];
                            };
                        };
                    };
                };
            };
            /** @description Not changed since that ETag */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `UNAUTHORIZED`: The credentials or the token are missing, unknown, revoked or switched off.
             *
             *     `OAUTH_TOKEN_EXPIRED`: The token has expired: fetch another and try once more.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VALIDATION_ERROR`: A field or parameter is at fault: never send it again unchanged. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED`: Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR`: A fault on our side; retry with backoff. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE`: Not available for the moment: wait for `Retry-After` seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mapProjects: {
        parameters: {
            query?: {
                /** @description Free text. */
                q?: string;
                /** @description Up to 200, separated by commas. */
                developerIds?: string;
                /** @description Alias for `developerIds`. */
                developerId?: string;
                /** @description With everything that lies under them. */
                locationIds?: string;
                /** @description Alias for `locationIds`. */
                locationId?: string;
                statusIds?: string;
                /** @description Alias for `statusIds`. */
                statusId?: string;
                /** @description Uuids of property types. */
                propertyTypes?: string;
                /** @description Alias for `propertyTypes`. */
                propertyType?: string;
                minPrice?: string;
                maxPrice?: string;
                deliveryFrom?: string;
                deliveryTo?: string;
                ownershipType?: string;
                campaignType?: string;
                stockAvailability?: string;
                /** @description Degrees. The answer is empty when any bound is not a finite number. */
                north?: string;
                /** @description Degrees. The answer is empty when any bound is not a finite number. */
                south?: string;
                /** @description Degrees. The answer is empty when any bound is not a finite number. */
                east?: string;
                /** @description Degrees. The answer is empty when any bound is not a finite number. */
                west?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pins */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *           "title": "Marina Heights",
                     *           "slug": "marina-heights",
                     *           "latitude": 25.0772,
                     *           "longitude": 55.1398,
                     *           "startingPrice": "1200000",
                     *           "status": {
                     *             "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *             "name": "Dubai Marina",
                     *             "color": "#2f855a"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ProjectPin"][];
                    };
                };
            };
            /** @description Not changed since that ETag */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `UNAUTHORIZED`: The credentials or the token are missing, unknown, revoked or switched off.
             *
             *     `OAUTH_TOKEN_EXPIRED`: The token has expired: fetch another and try once more.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VALIDATION_ERROR`: A field or parameter is at fault: never send it again unchanged. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED`: Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR`: A fault on our side; retry with backoff. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE`: Not available for the moment: wait for `Retry-After` seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readProject: {
        parameters: {
            query?: {
                /** @description False for the full record; true by default. */
                simplified?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *       "title": "Marina Heights",
                     *       "slug": "marina-heights",
                     *       "campaignType": "text",
                     *       "propertyTypes": [
                     *         "text"
                     *       ],
                     *       "startingPrice": "1200000",
                     *       "deliveryDate": "2026-09-20T08:15:30.000Z",
                     *       "brochure": false,
                     *       "paymentPlans": [
                     *         "text"
                     *       ],
                     *       "developer": {
                     *         "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *         "name": "Dubai Marina",
                     *         "slug": "marina-heights",
                     *         "logoUrl": "https://developer.example/logo.png"
                     *       },
                     *       "location": {
                     *         "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *         "name": "Dubai Marina",
                     *         "path": "United Arab Emirates, Dubai, Dubai Marina"
                     *       },
                     *       "image": {
                     *         "url": "https://developer.example/image.jpg",
                     *         "alt": "Marina Heights"
                     *       },
                     *       "status": {
                     *         "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *         "name": "Dubai Marina",
                     *         "color": "#2f855a"
                     *       },
                     *       "description": null,
                     *       "ownershipType": "text",
                     *       "stockAvailability": "text",
                     *       "latitude": 25.0772,
                     *       "longitude": 55.1398,
                     *       "amenities": [
                     *         "text"
                     *       ],
                     *       "bedrooms": [
                     *         "text"
                     *       ],
                     *       "images": [
                     *         {
                     *           "url": "https://developer.example/image.jpg",
                     *           "alt": "Marina Heights"
                     *         }
                     *       ],
                     *       "createdAt": "2026-09-20T08:15:30.000Z",
                     *       "updatedAt": "2026-09-20T08:15:30.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["FullProject"] | components["schemas"]["Project"];
                };
            };
            /** @description Not changed since that ETag */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `BAD_REQUEST`: The request cannot be read, or breaks a rule of the endpoint. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `UNAUTHORIZED`: The credentials or the token are missing, unknown, revoked or switched off.
             *
             *     `OAUTH_TOKEN_EXPIRED`: The token has expired: fetch another and try once more.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: There is no such record, or it is not for this client to see. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VALIDATION_ERROR`: A field or parameter is at fault: never send it again unchanged. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED`: Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR`: A fault on our side; retry with backoff. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE`: Not available for the moment: wait for `Retry-After` seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listProjectStatuses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All statuses */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                     *         "name": "Dubai Marina",
                     *         "color": "#2f855a"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ProjectStatus"][];
                };
            };
            /** @description Not changed since that ETag */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `UNAUTHORIZED`: The credentials or the token are missing, unknown, revoked or switched off.
             *
             *     `OAUTH_TOKEN_EXPIRED`: The token has expired: fetch another and try once more.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VALIDATION_ERROR`: A field or parameter is at fault: never send it again unchanged. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED`: Too many requests: wait for `Retry-After` seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR`: A fault on our side; retry with backoff. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE`: Not available for the moment: wait for `Retry-After` seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "lead.created": {
        parameters: {
            query?: never;
            header: {
                /** @description The same at every try of one event to one endpoint: tell repeats apart by it. */
                "webhook-id": string;
                /** @description Seconds since 1970, of this try. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "lead.created",
                 *       "timestamp": "2026-09-20T08:15:31.000Z",
                 *       "data": {
                 *         "leadId": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                 *         "contactId": "3a52b3ee-6a63-4d6b-9a53-0d7f5d1cb7a2",
                 *         "createdAt": "2026-09-20T08:15:30.000Z",
                 *         "status": "pending",
                 *         "source": {
                 *           "id": "c7b8d5a2-94a5-4c4e-8d9b-0f6f6e7a1b11",
                 *           "name": "Website"
                 *         },
                 *         "integrationRef": "landing-page-7",
                 *         "isRepeatLead": false,
                 *         "repeatOfLeadId": null,
                 *         "isAgentEnquiry": false,
                 *         "needsIntakeReview": false,
                 *         "assignedTo": null,
                 *         "sequence": 1
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LeadCreatedEvent"];
            };
        };
        responses: {
            /** @description Taken */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "lead.assigned": {
        parameters: {
            query?: never;
            header: {
                /** @description The same at every try of one event to one endpoint: tell repeats apart by it. */
                "webhook-id": string;
                /** @description Seconds since 1970, of this try. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "lead.assigned",
                 *       "timestamp": "2026-09-20T08:15:31.000Z",
                 *       "data": {
                 *         "leadId": "0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01",
                 *         "status": "assigned",
                 *         "agent": {
                 *           "id": "6f9f6ac5-3c4f-4c4a-9d0e-6d6f3f1f2a10",
                 *           "slug": "omar-rahman",
                 *           "name": "Omar Rahman",
                 *           "email": "omar@agency.example",
                 *           "phone": "+971500000001",
                 *           "whatsappPhone": null,
                 *           "active": true
                 *         },
                 *         "assignedAt": "2026-09-20T08:15:31.000Z",
                 *         "previousAgentId": null,
                 *         "integrationRef": "landing-page-7",
                 *         "sequence": 2
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LeadAssignedEvent"];
            };
        };
        responses: {
            /** @description Taken */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
