import { sectionNames } from '../../../domain/catalogue/dataset/sections.ts';
import type { Dataset, SectionName } from '../../../domain/catalogue/dataset/sections.ts';
import type { ImportContext } from './import-context.ts';
import { writeAgents } from './sections/agents.ts';
import { writeDevelopers } from './sections/developers.ts';
import { writeFunnels } from './sections/funnels.ts';
import { writeCompetitorDomains, writeKnownAgents, writeQuizFields } from './sections/hygiene.ts';
import { writeList, writeSubSources } from './sections/lists.ts';
import { writeListings } from './sections/listings.ts';
import { writeLocations } from './sections/locations.ts';
import { writeProjects } from './sections/projects.ts';
import { writeRules } from './sections/rules.ts';
import { writeTeams } from './sections/teams.ts';
import type { StagedListings } from './staged-listings.ts';
import { sum } from './upsert.ts';
import type { Counts } from './upsert.ts';

export type SectionCounts = { [Name in SectionName]?: Counts };

/** Every section that the file has, in the order in which records can name each other. */
export async function writeSections(
  dataset: Dataset,
  listings: StagedListings,
  contextOf: (section: SectionName) => ImportContext,
): Promise<SectionCounts> {
  const counts: SectionCounts = {};
  for (const section of sectionNames) {
    if (dataset[section] === undefined) continue;
    counts[section] = await writeSection(section, dataset, listings, contextOf(section));
  }
  return counts;
}

async function writeSection(
  section: SectionName,
  dataset: Dataset,
  listings: StagedListings,
  context: ImportContext,
): Promise<Counts> {
  switch (section) {
    case 'sources':
      return sum([
        await writeList(context, section, dataset.sources ?? []),
        await writeSubSources(context, dataset.sources ?? []),
      ]);
    case 'propertyTypes':
    case 'projectStatuses':
    case 'campaigns':
    case 'marketingTypes':
    case 'eventTypes':
    case 'websites':
    case 'leadTypes':
    case 'languages':
    case 'pools':
      return writeList(context, section, dataset[section] ?? []);
    case 'funnels':
      return writeFunnels(context, dataset.funnels ?? []);
    case 'developers':
      return writeDevelopers(context, dataset.developers ?? []);
    case 'locations':
      return writeLocations(context, dataset.locations ?? []);
    case 'agents':
      return writeAgents(context, dataset.agents ?? []);
    case 'teams':
      return writeTeams(context, dataset.teams ?? []);
    case 'projects':
      return writeProjects(context, dataset.projects ?? []);
    case 'listings':
      return writeListings(context, listings);
    case 'quizFields':
      return writeQuizFields(context, dataset.quizFields ?? []);
    case 'knownAgents':
      return writeKnownAgents(context, dataset.knownAgents ?? []);
    case 'competitorDomains':
      return writeCompetitorDomains(context, dataset.competitorDomains ?? []);
    case 'rules':
      return writeRules(context, context.rules ?? []);
  }
}
