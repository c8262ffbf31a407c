import { z } from 'zod';

export const secretWish = z.object({
  secret: z.string().min(1),
  path: z.string().startsWith('/').optional(),
});

export interface Secrets {
  set(secret: string, path?: string): void;
  of(path: string): string | undefined;
}

/** One secret per path, and one for the paths that have none of their own. */
export function createSecrets(forAll?: string): Secrets {
  const byPath = new Map<string, string>();
  let fallback = forAll;
  return {
    set(secret, path) {
      if (path === undefined) fallback = secret;
      else byPath.set(path, secret);
    },
    of: (path) => byPath.get(path) ?? fallback,
  };
}
