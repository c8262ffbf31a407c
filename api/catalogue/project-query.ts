import { z } from 'zod';
import { projectSortKeys } from '../../store/catalogue/project-columns.ts';
import type { ProjectFilters } from '../../store/catalogue/project-filters.ts';
import {
  amount,
  day,
  direction,
  flag,
  optionalOffset,
  plainText,
  uuidList,
  valueList,
  whole,
} from './query-values.ts';

/** The filter parameters, which the list and the map share. */
export const filterFields = {
  q: plainText.meta({ description: 'Free text.' }),
  developerIds: uuidList.meta({ description: 'Up to 200, separated by commas.' }),
  developerId: uuidList.meta({ description: 'Alias for `developerIds`.' }),
  locationIds: uuidList.meta({ description: 'With everything that lies under them.' }),
  locationId: uuidList.meta({ description: 'Alias for `locationIds`.' }),
  statusIds: uuidList,
  statusId: uuidList.meta({ description: 'Alias for `statusIds`.' }),
  propertyTypes: uuidList.meta({ description: 'Uuids of property types.' }),
  propertyType: uuidList.meta({ description: 'Alias for `propertyTypes`.' }),
  minPrice: amount,
  maxPrice: amount,
  deliveryFrom: day,
  deliveryTo: day,
  ownershipType: valueList,
  campaignType: valueList,
  stockAvailability: valueList,
};

export const FILTER_ALIASES = [
  ['developerIds', 'developerId'],
  ['locationIds', 'locationId'],
  ['statusIds', 'statusId'],
  ['propertyTypes', 'propertyType'],
] as const;

type FilterQuery = z.output<z.ZodObject<typeof filterFields>>;

export function projectFilters(query: FilterQuery): ProjectFilters {
  return {
    ...query,
    developerIds: query.developerIds ?? query.developerId,
    locationIds: query.locationIds ?? query.locationId,
    statusIds: query.statusIds ?? query.statusId,
    propertyTypes: query.propertyTypes ?? query.propertyType,
  };
}

export const simplified = flag.meta({ description: 'False for the full record; true by default.' });

const MAX_PAGE = 1_000_000;

export const listFields = {
  ...filterFields,
  simplified,
  page: whole({ min: 1, max: MAX_PAGE, byDefault: 1 }),
  limit: whole({ min: 1, max: 100, byDefault: 20 }),
  offset: optionalOffset.meta({ description: 'Wins over `page`.' }),
  sort: plainText.meta({
    description: `Keys separated by commas, such as \`startingPrice:desc,title\`: ${projectSortKeys.join(', ')}.`,
  }),
  order: direction.meta({ description: 'The direction of keys that have none of their own.' }),
};
