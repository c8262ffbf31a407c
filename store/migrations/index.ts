import { Foundation } from './0001-foundation.ts';
import { NearestNames } from './0002-nearest-names.ts';

/** In the order in which they run; a name, once released, is never changed. */
export const migrations = [
  { name: '0001-foundation', class: Foundation },
  { name: '0002-nearest-names', class: NearestNames },
];
