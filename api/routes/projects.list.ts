import { z } from 'zod';
import { projectSortKeys } from '../../store/catalogue/project-columns.ts';
import { readProjects } from '../../store/catalogue/read-projects.ts';
import { defineRoute } from '../http/route.ts';
import { FILTER_ALIASES, projectFilters, listFields } from '../catalogue/project-query.ts';
import { aliasCheck } from '../catalogue/query-values.ts';
import { compactProject, fullProject } from '../catalogue/records.ts';
import { parseSort } from '../catalogue/list-query.ts';

const query = z.strictObject(listFields).superRefine(aliasCheck(...FILTER_ALIASES));

const page = z.object({
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
  responses: { 200: { description: 'A page of projects', schema: page } },
  cacheable: true,
  async handle({ query: sent, app }) {
    const { q: term, page: pageNumber, limit, sort, order, simplified: isSimplified = true } = sent;
    const offset = sent.offset ?? (pageNumber - 1) * limit;
    const { rows, total } = await readProjects(app.database, {
      ...projectFilters(sent),
      ...{ term, isSimplified, limit, offset },
      sort: parseSort(sort, order, projectSortKeys, term === undefined ? 'title' : undefined),
    });
    const meta = { page: Math.floor(offset / limit) + 1, limit, total };
    return {
      status: 200,
      body: { data: rows, meta: { ...meta, totalPages: Math.ceil(total / limit) } },
    };
  },
});
