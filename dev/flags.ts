import { z } from 'zod';

/** Texts of flags as numbers. */
export const wholeNumber = z.string().regex(/^\d+$/, 'Expected a whole number').transform(Number);
export const decimalNumber = z
  .string()
  .regex(/^\d+(\.\d+)?$/, 'Expected a number')
  .transform(Number);

/** What is wrong with the flags, a line each: `--port: Expected a whole number`. */
export function flagMessages({ issues }: z.ZodError): string {
  return issues
    .map(({ path: [flag], message }) => (flag ? `--${String(flag)}: ${message}` : message))
    .join('\n');
}
