import { z } from 'zod';
import { readPins } from '../../store/catalogue/read-projects.ts';
import { defineRoute } from '../http/route.ts';
import { withAliases } from '../catalogue/query-values.ts';
import { pin, referenceRead } from '../catalogue/records.ts';
import { FILTER_ALIASES, filterFields, toFilters } from './projects.list.ts';

const bound = z
  .string()
  .optional()
  .meta({ description: 'Degrees. The answer is empty when any bound is not a finite number.' });

const query = withAliases(
  z.strictObject({ ...filterFields, north: bound, south: bound, east: bound, west: bound }),
  FILTER_ALIASES,
);

const pins = z.object({ data: z.array(pin) }).meta({ id: 'ProjectPins' });

/** GET /public/projects/map (Projects in a bounding box); `west` beyond `east` crosses the date line. */
export const mapProjects = defineRoute({
  ...referenceRead,
  path: '/public/projects/map',
  operationId: 'mapProjects',
  summary: 'Projects in a bounding box',
  description: 'Pins of the published projects in a viewport. A box may cross the date line.',
  query,
  response: { description: 'The pins', schema: pins },
  async handle({ query: sent, app }) {
    const box = {
      north: degrees(sent.north),
      south: degrees(sent.south),
      east: degrees(sent.east),
      west: degrees(sent.west),
    };
    const isBox = Object.values(box).every(Number.isFinite);
    if (!isBox) return { data: [] };
    return { data: await readPins(app.catalogue, { ...toFilters(sent), term: sent.q, box }) };
  },
});

/** A blank text would count as 0. */
function degrees(text = ''): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}
