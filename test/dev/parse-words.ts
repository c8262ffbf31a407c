import { type Command, CommanderError } from 'commander';

/** The options that a command line reads from words, or what it prints on standard error. */
export function parseWords(command: Command, words: readonly string[]) {
  let error = '';
  command.exitOverride().configureOutput({ writeErr: (text) => void (error += text) });
  try {
    return { options: command.parse(words, { from: 'user' }).opts() };
  } catch (thrown) {
    if (thrown instanceof CommanderError) return { error };
    throw thrown;
  }
}
