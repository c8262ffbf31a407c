import { z } from 'zod';
import { readProject } from '../../store/catalogue/read-projects.ts';
import { notFound } from '../errors.ts';
import { uuidParam, defineRoute } from '../http/route.ts';
import { projectRecord, referenceRead } from '../catalogue/records.ts';
import { simplified } from './projects.list.ts';

/** GET /public/projects/{id}: an unpublished project is as if it were not there. */
export const readOneProject = defineRoute({
  ...referenceRead,
  path: '/public/projects/{id}',
  operationId: 'readProject',
  summary: 'Read one project',
  params: uuidParam,
  query: z.strictObject({ simplified }),
  response: { description: 'The project', schema: projectRecord },
  async handle({ params, query, app }) {
    const project = await readProject(app.catalogue, params.id, query.simplified ?? true);
    if (!project) throw notFound('This project');
    return project;
  },
});
