import * as z from 'zod';
import { normaliseDistributionType } from '../leads/distribution-type.ts';

/**
 * Only an allowed value can be claimed: "An unrecognised value ... matches no routing rule"
 * (distributionType, 2).
 */
export const claimSchema = z
  .string()
  .transform(normaliseDistributionType)
  .refine(isRecognised, 'Not a distribution type');

/** "A rule that claims the value outranks the normal rule order" (distributionType, 3). */
export function claimsLead(claims: readonly string[], distributionType: string | null): boolean {
  if (distributionType === null || !isRecognised(distributionType)) return false;
  const wanted = normaliseDistributionType(distributionType);
  return claims.some((claim) => normaliseDistributionType(claim) === wanted);
}

/** An unrecognised value comes back exactly as sent, an added space included. */
function isRecognised(value: string): boolean {
  const sent = `${value} `;
  return normaliseDistributionType(sent) !== sent;
}
