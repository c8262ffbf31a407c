import { getSystemErrorMessage } from 'node:util';
import { OperatorError } from './operator.ts';

/** Why a file cannot be used, in the system's words. */
export function fileFault(file: string, what: 'read' | 'written', error: unknown): OperatorError {
  const { errno, message } = error as NodeJS.ErrnoException;
  const why = errno === undefined ? message : getSystemErrorMessage(errno);
  return new OperatorError(`${file} cannot be ${what}: ${why}.`);
}
