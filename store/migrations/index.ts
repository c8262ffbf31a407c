import { Foundation } from './0001-foundation.ts';
import { NearestNames } from './0002-nearest-names.ts';
import { AnswerHashes } from './0003-answer-hashes.ts';
import { Calendars } from './0004-calendars.ts';
import { HandOvers } from './0005-hand-overs.ts';
import { LeadWaits } from './0006-lead-waits.ts';
import { FindLeads } from './0007-find-leads.ts';
import { ResponseReport } from './0008-response-report.ts';
import { TraceContext } from './0009-trace-context.ts';
import { EventFeed } from './0010-event-feed.ts';
import { Erasures } from './0011-erasures.ts';
import { EndpointEvents } from './0012-endpoint-events.ts';
import { OperatorTexts } from './0013-operator-texts.ts';
import { ContactPoints } from './0014-contact-points.ts';
import { ErasedDeliveries } from './0015-erased-deliveries.ts';
import { RecordNames } from './0016-record-names.ts';
import { HeldDeliveries } from './0017-held-deliveries.ts';
import { WaitingLeads } from './0018-waiting-leads.ts';
import { FairShares } from './0020-fair-shares.ts';
import { FeedFilters } from './0021-feed-filters.ts';
import { DatedHours } from './0026-dated-hours.ts';
import { PlacedLeads } from './0027-placed-leads.ts';

/** In the order in which they run; a name, once released, is never changed. */
export const migrations = [
  { name: '0001-foundation', class: Foundation },
  { name: '0002-nearest-names', class: NearestNames },
  { name: '0003-answer-hashes', class: AnswerHashes },
  { name: '0004-calendars', class: Calendars },
  { name: '0005-hand-overs', class: HandOvers },
  { name: '0006-lead-waits', class: LeadWaits },
  { name: '0007-find-leads', class: FindLeads },
  { name: '0008-response-report', class: ResponseReport },
  { name: '0009-trace-context', class: TraceContext },
  { name: '0010-event-feed', class: EventFeed },
  { name: '0011-erasures', class: Erasures },
  { name: '0012-endpoint-events', class: EndpointEvents },
  { name: '0013-operator-texts', class: OperatorTexts },
  { name: '0014-contact-points', class: ContactPoints },
  { name: '0015-erased-deliveries', class: ErasedDeliveries },
  { name: '0016-record-names', class: RecordNames },
  { name: '0017-held-deliveries', class: HeldDeliveries },
  { name: '0018-waiting-leads', class: WaitingLeads },
  { name: '0020-fair-shares', class: FairShares },
  { name: '0021-feed-filters', class: FeedFilters },
  { name: '0026-dated-hours', class: DatedHours },
  { name: '0027-placed-leads', class: PlacedLeads },
];
