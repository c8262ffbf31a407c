import { absentUntil } from '../domain/routing/calendar.ts';
import { readAgents, setPaused, type AgentEntry } from '../store/routing/agents.ts';
import { addChangeCommands } from './agent/change.ts';
import { setAbsence, showAbsences, showCalendar, type AbsenceFlags } from './agent/calendar.ts';
import { absenceText, AGENT_TEXT, findAgent } from './agent/find-agent.ts';
import { addReleaseCommand } from './agent/release.ts';
import { upTo53 } from './arguments.ts';
import type { CommandGroup, Operator } from './operator.ts';
import { tableOf } from './table.ts';
import { timeText } from './text.ts';

export const agentCommands: CommandGroup = (program, run) => {
  const agent = program.command('agent').description('Who is given leads.');
  agent
    .command('list')
    .description('All agents, with what counts against their caps.')
    .action(run(listAgents));
  agent
    .command('pause')
    .description(
      'Let no rule choose an agent; what they hold, and leads that name them, are theirs.',
    )
    .argument('<agent>', AGENT_TEXT)
    .action(run((operator, email: string) => setAgentPaused(operator, email, true)));
  agent
    .command('resume')
    .description('Give a paused agent leads again.')
    .argument('<agent>', AGENT_TEXT)
    .action(run((operator, email: string) => setAgentPaused(operator, email, false)));
  addChangeCommands(agent, run);
  addReleaseCommand(agent, run);
  agent
    .command('absent')
    .description(
      'Let no rule choose an agent for some days; a date is the whole day in their zone.',
    )
    .argument('<agent>', AGENT_TEXT)
    .option('--from <date>', 'the first day, or a time such as 2026-12-20T09:00+04:00')
    .option('--to <date>', 'the last day, or a time')
    .option('--note <text>', 'shown in their calendar')
    .option('--cancel', 'take back the absence of these dates; without dates the one of now')
    .action(
      run(async (operator, email: string, flags: AbsenceFlags) =>
        setAbsence(operator, await findAgent(operator, email), flags),
      ),
    );
  agent.command('absences').description('Who is absent now and later.').action(run(showAbsences));
  agent
    .command('calendar')
    .description(
      'The next weeks of an agent: hours, absences, holidays; and whether they work now.',
    )
    .argument('<agent>', AGENT_TEXT)
    .option('--weeks <number>', 'so many weeks, up to 53', upTo53, 2)
    .action(
      run(async (operator, email: string, { weeks }: { weeks: number }) =>
        showCalendar(operator, await findAgent(operator, email), weeks),
      ),
    );
};

async function listAgents(operator: Operator) {
  const now = operator.now();
  const agents = await readAgents(await operator.database(), now);
  const listed = agents.map((agent) => ({ ...agent, absentUntil: absentUntil(agent, now) }));
  operator.show(listed, agentsText);
}

async function setAgentPaused(operator: Operator, email: string, paused: boolean) {
  const agent = await findAgent(operator, email);
  const at = paused ? operator.now() : null;
  const changed = await setPaused(await operator.database(), agent.id, at);
  operator.show({ ...agent, paused, changed }, ({ name }) => {
    const state = paused ? 'paused' : 'taking leads';
    return changed ? `${name} is ${state}.` : `${name} was ${state} already.`;
  });
}

type ListedAgent = AgentEntry & { absentUntil: string | null };

const agentsText = tableOf<ListedAgent>({
  agent: 'name',
  slug: 'slug',
  'e-mail': 'email',
  state: stateText,
  teams: 'teams',
  languages: 'languages',
  today: ({ assignedToday, dailyCap }) => capText(assignedToday, dailyCap),
  open: ({ openLeads, openCap }) => capText(openLeads, openCap),
  id: 'id',
});

function stateText({ active, pausedAt, absentUntil: until }: ListedAgent): string {
  if (!active) return 'not active';
  if (pausedAt) return `paused since ${timeText(pausedAt)}`;
  return until === null ? 'takes leads' : absenceText(until);
}

function capText(amount: number, cap: number | null): string {
  return cap === null ? String(amount) : `${amount} of ${cap}`;
}
