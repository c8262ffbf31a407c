import * as z from 'zod';
import { flag, name, names, optionalId, optionalName } from '../values.ts';

/** The lists whose records are little more than a name. */

const named = { id: optionalId, name, enabled: flag(true) };

export const namedSchema = z.strictObject(named);

export const projectStatusSchema = z.strictObject({ ...named, color: optionalName });

export const sourceSchema = z.strictObject({ ...named, portal: flag(false), subSources: names });

export const leadTypeSchema = z.strictObject({ ...named, aliases: names });

export const websiteSchema = z.strictObject({
  id: optionalId,
  domain: name.transform((domain) => domain.toLowerCase()),
  name: optionalName,
  enabled: flag(true),
});

export const languageSchema = z.strictObject({
  id: optionalId,
  code: name.transform((code) => code.toLowerCase()),
  name,
  aliases: names,
  enabled: flag(true),
});

/** Without `stages` the funnel keeps those it has. */
export const funnelSchema = z.strictObject({
  id: optionalId,
  key: name.transform((key) => key.toLowerCase()),
  name,
  stages: z.array(name).min(1).nullish(),
});
