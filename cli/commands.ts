import type { Command } from 'commander';
import type { CommandGroup } from './operator.ts';

/** In the order of the help. A command loads only its own group. */
const COMMAND_GROUPS: Readonly<Record<string, () => Promise<CommandGroup>>> = {
  status: async () => (await import('./status.ts')).statusCommand,
  client: async () => (await import('./client.ts')).clientCommands,
  token: async () => (await import('./client.ts')).tokenCommands,
  webhook: async () => (await import('./webhook.ts')).webhookCommands,
  import: async () => (await import('./import.ts')).importCommand,
  export: async () => (await import('./export.ts')).exportCommand,
  rules: async () => (await import('./rules.ts')).rulesCommands,
  agent: async () => (await import('./agent.ts')).agentCommands,
  lead: async () => (await import('./lead.ts')).leadCommands,
  person: async () => (await import('./person.ts')).personCommands,
  report: async () => (await import('./report.ts')).reportCommands,
  history: async () => (await import('./history.ts')).historyCommands,
  dncr: async () => (await import('./dncr.ts')).dncrCommands,
};

/** All groups if the words name none, for help and suggestions. */
export async function loadCommands(words: readonly string[] = []): Promise<CommandGroup[]> {
  const named = words.find((word) => !word.startsWith('-')) ?? '';
  const load = COMMAND_GROUPS[named];
  return load ? [await load()] : Promise.all(Object.values(COMMAND_GROUPS).map((each) => each()));
}

export const examples: Readonly<Record<string, readonly string[]>> = {
  '': [
    'leadctl status                                   whether all runs, and what is wrong',
    'leadctl client create --name "Shop backend"      a client and its secret',
    'leadctl import crm.json                          the CRM’s lists, agents and rules',
    'leadctl lead list --status pool                  what waits to be claimed',
    'leadctl lead explain ID                          why a lead went where it is',
    'leadctl webhook deliveries --status failed       what an integrator did not get',
  ],
  status: [
    'leadctl status --watch                       on a screen in the office',
    'leadctl status --json | jq .problems         empty: all is well',
  ],
  'client create': [
    'leadctl client create --name "Shop backend"',
    'leadctl client create --name "Reports" --client-id reports --scope leads:all --quota 5000',
    'leadctl client create --name "Shop backend" --json | jq -r .clientSecret',
  ],
  'client rotate': [
    'leadctl client rotate shop                 the secret leaked: it and its tokens end now',
    'leadctl client rotate shop --keep-tokens   a change of routine: tokens live out their hour',
  ],
  'client quota': [
    'leadctl client quota shop            what it may ask for, and what it did today',
    'leadctl client quota shop 250000     from the next request on',
    'leadctl client quota shop default    what is configured again',
  ],
  'token revoke': ['leadctl token revoke shop --dry-run', 'leadctl token revoke shop --yes'],
  'webhook add': [
    'leadctl webhook add --client shop --url https://shop.example/hooks/leads',
    'leadctl webhook add --client shop --url https://shop.example/hooks --events lead.assigned',
    'leadctl webhook add --client shop --alerts https://status.example/hooks   is told when the others fail',
  ],
  'webhook edit': ['leadctl webhook edit ENDPOINT --url https://new.shop.example/hooks'],
  'webhook test': [
    'leadctl webhook test ENDPOINT                        an event that says it is a test',
    'leadctl webhook test ENDPOINT --type lead.assigned   a sample, as the service sends it',
  ],
  'webhook disable': ['leadctl webhook disable ENDPOINT --reason "moved to another server"'],
  'webhook resend': [
    'leadctl webhook resend EVENT                  to every endpoint that it went to',
    'leadctl webhook resend --failed --since 12h   after an integrator’s outage',
    'leadctl webhook resend --endpoint ID --since 2d --yes   all of two days, to a new address',
  ],
  import: [
    'leadctl import crm.json --dry-run                    what would change, field by field',
    'leadctl import crm.json                              everything in the file, or nothing',
    'leadctl import agents.csv --section agents           one section, from a spreadsheet',
    'leadctl import crm.json --resolve                    and fill leads that waited for it',
    'leadctl import --schema > dataset.schema.json        for an editor that completes fields',
  ],
  export: [
    'leadctl export crm.json',
    'leadctl export agents.csv --section agents --csv          for a spreadsheet; import reads it again',
    'leadctl export --section agents --template > agents.csv   the columns alone',
    'leadctl export --section rules | jq .rules',
  ],
  'export values': [
    'leadctl export values > values.md                   a page for an integrator',
    'leadctl export values --format json > values.json',
  ],
  'rules activate': ['leadctl rules versions', 'leadctl rules activate 3'],
  'rules diff': ['leadctl rules diff new-rules.json', 'leadctl rules diff 3'],
  'rules lint': ['leadctl rules lint new-rules.json && leadctl import new-rules.json'],
  'rules try': ['leadctl rules try new-rules.json --since 14d'],
  'lead list': [
    'leadctl lead list --status pool',
    'leadctl lead list --waiting 2h',
    'leadctl lead list --agent omar@agency.example',
  ],
  'lead claim': ['leadctl lead claim ID --agent omar@agency.example'],
  'lead assign': [
    'leadctl lead assign ID --agent omar@agency.example --reason "knows the buyer"',
    'leadctl lead assign --agent omar --source Website --since 2d --limit 20 --dry-run',
  ],
  'lead reroute': [
    'leadctl lead reroute ID --reason "wrong language"',
    'leadctl lead reroute --status unassigned --since 2d --yes   once the rules are mended',
  ],
  'lead undo': ['leadctl lead undo ID'],
  'lead respond': ['leadctl lead respond ID', 'leadctl lead respond ID --at 20m    20 minutes ago'],
  'lead note': ['leadctl lead note ID "asked to be called after six"'],
  'lead pool': ['leadctl lead pool ID --pool "Weekend Pool"'],
  'agent release': [
    'leadctl agent release sara@agency.example --reason "she left"      back through the rules',
    'leadctl agent release sara@agency.example --to pool Weekend Pool   for whoever claims them',
    'leadctl agent release sara@agency.example --to agent omar@agency.example --only waiting',
    'leadctl agent release sara@agency.example --responded --dry-run    how many, with those that she answered',
  ],
  'agent absent': [
    'leadctl agent absent omar@agency.example --from 2026-12-20 --to 2026-12-27 --note "annual leave"',
    'leadctl agent absent omar@agency.example --cancel    back early: the absence of now ends',
  ],
  'agent pause': ['leadctl agent pause omar@agency.example'],
  'agent deactivate': [
    'leadctl agent deactivate sara@agency.example --release rules',
    'leadctl agent deactivate sara@agency.example --release pool Weekend Pool',
  ],
  'agent cap': [
    'leadctl agent cap omar@agency.example --daily 20 --open none',
    'leadctl agent cap --team "Marina Sales" --daily 15',
  ],
  'agent hours': [
    'leadctl agent hours omar@agency.example "mon-fri 09:00-18:00, sat 10:00-14:00"',
    'leadctl agent hours --team "Marina Sales" "mon-fri 10:00-15:00" --from 2027-02-08 --to 2027-03-09   Ramadan',
    'leadctl agent hours omar@agency.example any          at all times',
  ],
  'person find': ['leadctl person find "050 123 4567" --personal'],
  'person export': [
    'leadctl person export "050 123 4567" sara.json',
    'leadctl person export sara@mail.example sara.json',
    'leadctl person export 94d8a9fc-41f2-4a4e-9b2c-3f5a1e6d7c80 sara.json',
  ],
  'person erase': [
    'leadctl person erase "050 123 4567"          shows how much it is and asks',
    'leadctl person erase "050 123 4567" --dry-run',
    'leadctl person erase sara@mail.example --yes',
  ],
  'report response': [
    'leadctl report response                             the last 30 days, agent by agent',
    'leadctl report response --by hour --since 7d        at which hours leads wait',
    'leadctl report response --by rule --since 7d',
  ],
  'history save': [
    `leadctl history save --query "WorkflowId = 'lead/ID'" my-case`,
    'leadctl history save --since 2d production-runs               every run that was open since then',
    'leadctl history save --sample 50 production-runs              50 of each workflow and state',
    `leadctl history save --query "LeadStatus = 'pool'" pool-runs`,
  ],
  'dncr purge': ['leadctl dncr purge --older-than 90d'],
};

const GENERAL = `
It works with the stack that "npm start" runs in DATA_DIR (.data unless set), or with the installation
that DATABASE_URL, SECRETS_KEY and TEMPORAL_ADDRESS name; TEMPORAL_PROFILE may stand for the last one.
LEADCTL_AUTHOR is who is written down as having done it; without it, USER.

With --json the answer is JSON on standard output and no question is asked: what cannot be undone then
needs --yes, as it does without a terminal; --dry-run says how much it is. Errors go to standard error. The exit code is 0 when it was done,
1 when it was not, 130 after Ctrl-C, and 2 of "status" where something needs somebody.`;

export function addHelp(program: Command): void {
  addHelpBelow(program, '');
  program.addHelpText('after', GENERAL);
}

function addHelpBelow(command: Command, path: string): void {
  command.showHelpAfterError(`See leadctl ${path} --help.`.replace('  ', ' '));
  const lines = examples[path];
  if (lines) command.addHelpText('after', `\nExamples:\n${lines.map((l) => `  ${l}`).join('\n')}`);
  for (const child of command.commands) addHelpBelow(child, `${path} ${child.name()}`.trim());
}
