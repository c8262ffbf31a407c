import { z } from 'zod';
import { projectSortKeys } from '../../store/catalogue/project-columns.ts';
import { readProjects } from '../../store/catalogue/read-projects.ts';
import { defineRoute } from '../http/route.ts';
import { FILTER_ALIASES, filtersOf, listFields } from '../catalogue/project-query.ts';
import { aliasCheck } from '../catalogue/query-values.ts';
import { compactProject, fullProject } from '../catalogue/records.ts';
import { sortKeys } from '../catalogue/sort.ts';

const query = z.strictObject(listFields).superRefine(aliasCheck(...FILTER_ALIASES));

const answer = z.object({
  data: z.array(z.union([fullProject, compactProject])),
  meta: z.object({ page: z.int(), limit: z.int(), total: z.int(), totalPages: z.int() }),
});

/** GET /public/projects: all filters that are given must hold. */
export const listProjects = defineRoute({
  method: 'GET',
  path: '/public/projects',
  operationId: 'listProjects',
  summary: 'List projects',
  description: 'Published projects, by title unless `sort` says otherwise.',
  tag: 'Reference data',
  auth: 'bearer',
  query,
  responses: { 200: { description: 'A page of projects', schema: answer } },
  cacheable: true,
  async handle({ query: sent, app }) {
    const { q: term, page, limit, sort, order, simplified: isSimplified = true } = sent;
    const offset = sent.offset ?? (page - 1) * limit;
    const { rows, total } = await readProjects(app.database, {
      ...filtersOf(sent),
      ...{ term, isSimplified, limit, offset },
      sort: sortKeys(sort, order, projectSortKeys, term === undefined ? 'title' : undefined),
    });
    const meta = { page: Math.floor(offset / limit) + 1, limit, total };
    return {
      status: 200,
      body: { data: rows, meta: { ...meta, totalPages: Math.ceil(total / limit) } },
    };
  },
});
