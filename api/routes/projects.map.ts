import { z } from 'zod';
import { readPins } from '../../store/catalogue/read-projects.ts';
import { defineRoute } from '../http/route.ts';
import { FILTER_ALIASES, filterFields, projectFilters } from '../catalogue/project-query.ts';
import { aliasCheck } from '../catalogue/query-values.ts';
import { pin } from '../catalogue/records.ts';

const bound = z
  .string()
  .optional()
  .meta({ description: 'Degrees. The answer is empty when any bound is not a finite number.' });

const query = z
  .strictObject({ ...filterFields, north: bound, south: bound, east: bound, west: bound })
  .superRefine(aliasCheck(...FILTER_ALIASES));

/** GET /public/projects/map (Projects in a bounding box); `west` beyond `east` crosses the date line. */
export const mapProjects = defineRoute({
  method: 'GET',
  path: '/public/projects/map',
  operationId: 'mapProjects',
  summary: 'Projects in a bounding box',
  description: 'Pins of the published projects in a viewport. A box may cross the date line.',
  tag: 'Reference data',
  auth: 'bearer',
  query,
  responses: { 200: { description: 'The pins', schema: z.object({ data: z.array(pin) }) } },
  cacheable: true,
  async handle({ query: sent, app }) {
    const box = {
      north: degrees(sent.north),
      south: degrees(sent.south),
      east: degrees(sent.east),
      west: degrees(sent.west),
    };
    const isBox = Object.values(box).every(Number.isFinite);
    const data = isBox
      ? await readPins(app.database, { ...projectFilters(sent), term: sent.q, box })
      : [];
    return { status: 200, body: { data } };
  },
});

/** A blank text would count as 0. */
function degrees(text = ''): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}
