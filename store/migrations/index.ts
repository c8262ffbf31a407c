import { Baseline } from './0041-baseline.ts';

/** In the order in which they run; a name, once released, is never changed. */
export const migrations = [{ name: '0041-baseline', class: Baseline }];
