import * as z from 'zod';
import { isDistributionType, normaliseDistributionType } from '../leads/distribution-type.ts';

/**
 * Only an allowed value can be claimed: "An unrecognised value ... matches no routing rule"
 * (distributionType, 2).
 */
export const claimSchema = z
  .string()
  .transform(normaliseDistributionType)
  .refine(isDistributionType, 'Not a distribution type');

/** "A rule that claims the value outranks the normal rule order" (distributionType, 3). */
export function claimsLead(claims: readonly string[], distributionType: string | null): boolean {
  if (distributionType === null || !isDistributionType(distributionType)) return false;
  const wanted = normaliseDistributionType(distributionType);
  return claims.some((claim) => normaliseDistributionType(claim) === wanted);
}
