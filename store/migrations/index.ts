import { Foundation } from './0001-foundation.ts';
import { FixedLists } from './0002-fixed-lists.ts';
import { Projects } from './0003-projects.ts';
import { Dncr } from './0004-dncr.ts';
import { Webhooks } from './0005-webhooks.ts';
import { Reporting } from './0006-reporting.ts';
import { CampaignNames } from './0007-campaign-names.ts';
import { Reminders } from './0008-reminders.ts';
import { OpenWork } from './0009-open-work.ts';
import { DeliveryGenerations } from './0010-delivery-generations.ts';
import { ContactPoints } from './0011-contact-points.ts';

/** In the order in which they run; a name, once released, is never changed. */
export const migrations = [
  { name: '0001-foundation', class: Foundation },
  { name: '0002-fixed-lists', class: FixedLists },
  { name: '0003-projects', class: Projects },
  { name: '0004-dncr', class: Dncr },
  { name: '0005-webhooks', class: Webhooks },
  { name: '0006-reporting', class: Reporting },
  { name: '0007-campaign-names', class: CampaignNames },
  { name: '0008-reminders', class: Reminders },
  { name: '0009-open-work', class: OpenWork },
  { name: '0010-delivery-generations', class: DeliveryGenerations },
  { name: '0011-contact-points', class: ContactPoints },
];
