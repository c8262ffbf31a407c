import { Migration } from '@mikro-orm/migrations';
import { agents, assignment } from './foundation/assignment.ts';
import { clients } from './foundation/clients.ts';
import { dncr } from './foundation/dncr.ts';
import { fixedRecords } from './foundation/fixed-records.ts';
import { leads } from './foundation/leads.ts';
import { lists } from './foundation/lists.ts';
import { folding, listings, projects } from './foundation/projects.ts';
import { reporting } from './foundation/reporting.ts';
import { submissions } from './foundation/submissions.ts';
import { webhooks } from './foundation/webhooks.ts';

/** The schema of the first version. It is not taken back: restore a backup instead. */
export class Foundation extends Migration {
  override up(): void {
    const catalogue = [folding, lists, projects, agents, listings];
    const intake = [clients, leads, submissions, assignment, webhooks, dncr];
    for (const statements of [...catalogue, ...intake, reporting, fixedRecords])
      this.addSql(statements);
  }
}
