import { readRulesetVersions } from '../../store/routing/ruleset-versions.ts';
import type { RulesetVersion } from '../../store/routing/ruleset-versions.ts';
import type { Operator } from '../operator.ts';
import { tableText, timeText } from '../text.ts';

export async function listVersions(operator: Operator): Promise<void> {
  operator.show(await readRulesetVersions(await operator.database()), versionsText);
}

const HASH_SHOWN = 12;

function versionsText(versions: readonly RulesetVersion[]): string {
  return tableText(
    ['version', '', 'rules', 'made by', 'made', 'last activated', 'by', 'hash'],
    versions.map((each) => [
      each.version,
      each.isActive ? 'active' : '',
      each.rules,
      each.author,
      timeText(each.createdAt),
      timeText(each.activatedAt),
      each.activatedBy,
      each.contentHash.slice(0, HASH_SHOWN),
    ]),
  );
}
