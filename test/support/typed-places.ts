import { Command, type Argument, type Option } from 'commander';
import type { CommandGroup } from '../../cli/operator.ts';

/** An argument or an option of a command that takes any text. */
export interface TypedPlace {
  /** Such as `lead assign --reason` or `lead show <text>`. */
  name: string;
  path: string[];
  takes: Argument | Option;
  /** The command's arguments up to this one, or all of them for an option. */
  before: Argument[];
  mandatory: Option[];
}

/** Every place of every command where an operator may type any text; choices, numbers and times are none. */
export function typedPlaces(groups: readonly CommandGroup[]): TypedPlace[] {
  const program = new Command('leadctl');
  for (const group of groups) group(program, () => async () => undefined);
  return placesOf(program, []);
}

function placesOf(command: Command, path: string[]): TypedPlace[] {
  const { commands, registeredArguments: given, options } = command;
  if (commands.length > 0)
    return commands.flatMap((each) => placesOf(each, [...path, each.name()]));
  const mandatory = options.filter((each) => each.mandatory);
  const place = (takes: Argument | Option, words: string, before: Argument[]) => ({
    name: `${path.join(' ')} ${words}`,
    path,
    takes,
    before,
    mandatory: mandatory.filter((each) => each !== takes),
  });
  const required = given.filter((each) => each.required);
  return [
    ...given
      .filter(takesAnyText)
      .map((each) => place(each, wordsOf(each), given.slice(0, given.indexOf(each)))),
    ...options
      .filter((each) => (each.required || each.optional) && takesAnyText(each))
      .map((each) => place(each, each.long ?? each.flags, required)),
  ];
}

export const wordsOf = (argument: Argument) =>
  argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;

const ANY_TEXT = ['Layla', 'Layla, 050 123 4567'];

function takesAnyText({ argChoices, parseArg }: Argument | Option): boolean {
  if (argChoices) return false;
  return ANY_TEXT.some((text) => {
    try {
      parseArg?.(text, undefined as never);
      return true;
    } catch {
      return false;
    }
  });
}
