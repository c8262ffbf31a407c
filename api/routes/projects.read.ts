import { z } from 'zod';
import { readProject } from '../../store/catalogue/read-projects.ts';
import { notFound } from '../errors.ts';
import { uuidParam, defineRoute } from '../http/route.ts';
import { simplified } from '../catalogue/project-query.ts';
import { compactProject, fullProject } from '../catalogue/records.ts';

/** GET /public/projects/{id}: an unpublished project is as if it were not there. */
export const readOneProject = defineRoute({
  method: 'GET',
  path: '/public/projects/{id}',
  operationId: 'readProject',
  summary: 'Read one project',
  tag: 'Reference data',
  auth: 'bearer',
  params: uuidParam,
  query: z.strictObject({ simplified }),
  responses: {
    200: { description: 'The project', schema: z.union([fullProject, compactProject]) },
  },
  errors: ['NOT_FOUND'],
  cacheable: true,
  async handle({ params, query, app }) {
    const project = await readProject(app.database, params.id, query.simplified ?? true);
    if (!project) throw notFound('This project');
    return { status: 200, body: project };
  },
});
