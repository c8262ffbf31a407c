import type { CommandGroup } from './operator.ts';

/** All of leadctl, in the order of its help. A command loads its own group alone. */
const COMMAND_GROUPS: Readonly<Record<string, () => Promise<CommandGroup>>> = {
  status: async () => (await import('./status.ts')).statusCommand,
  client: async () => (await import('./client.ts')).clientCommands,
  token: async () => (await import('./token.ts')).tokenCommands,
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
  completion: async () => (await import('./completion.ts')).completionCommand,
};

/** The group that the first of these words names; all, where it names none: for help, for `completion` and for suggestions. */
export async function loadCommands(words: readonly string[] = []): Promise<CommandGroup[]> {
  const named = words.find((word) => !word.startsWith('-')) ?? '';
  const load = named === 'completion' ? undefined : COMMAND_GROUPS[named];
  return load ? [await load()] : Promise.all(Object.values(COMMAND_GROUPS).map((each) => each()));
}
