declare module 'inflation' {
  import type { IncomingMessage } from 'node:http';
  import type { Readable } from 'node:stream';
  /** Throws an error with status 415 for an encoding that it does not know. */
  export default function inflate(request: IncomingMessage): Readable;
}
