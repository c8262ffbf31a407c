import { Webhook } from 'standardwebhooks';

export interface Received extends Verification {
  at: string;
  path: string;
  /** The `webhook-id`: the same over all attempts of one event. */
  id: string;
  /** How often this id has arrived at this path by now. */
  attempt: number;
  headers: Record<string, string>;
  /** The body byte for byte. */
  raw: string;
  body: unknown;
  answered: string;
}

/** More than any test or demo sends. */
const MOST_KEPT = 5000;

export function createInbox() {
  let kept: Received[] = [];
  return {
    add(call: Omit<Received, 'attempt'>): Received {
      const earlier = kept.find(({ id, path }) => id === call.id && path === call.path);
      const received = { ...call, attempt: (earlier?.attempt ?? 0) + 1 };
      kept = [received, ...kept].slice(0, MOST_KEPT);
      return received;
    },
    /** Newest first. */
    list: () => [...kept],
    clear: () => void (kept = []),
  };
}

export interface Verification {
  /** `unchecked` when no secret is known for the path. */
  verdict: 'verified' | 'refused' | 'unchecked';
  reason: string | null;
}

/** Verifies a call as an integrator's server would, with the public library. */
export function verify(
  secret: string | undefined,
  body: string,
  headers: Record<string, string>,
): Verification {
  if (secret === undefined) return { verdict: 'unchecked', reason: 'no secret is known' };
  try {
    new Webhook(secret).verify(body, headers);
    return { verdict: 'verified', reason: null };
  } catch (error) {
    return { verdict: 'refused', reason: error instanceof Error ? error.message : String(error) };
  }
}

const MOST_SHOWN = 100;

const STYLE = `
  body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem; color: #222 }
  table { border-collapse: collapse; width: 100% }
  th, td { text-align: left; vertical-align: top; padding: .4rem .8rem; border-bottom: 1px solid #ddd }
  pre { margin: 0; white-space: pre-wrap; max-width: 60rem }
  .verified { color: #17692d } .refused { color: #a3170f } .unchecked { color: #80610a }`;

/** The page at /: the calls, newest first; it reloads itself. */
export function page(received: readonly Received[]): string {
  const rows = received.slice(0, MOST_SHOWN).map(row).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<title>Webhooks received</title><style>${STYLE}</style></head>
<body><h1>Webhooks received: ${received.length}</h1>
<table><tr><th>At</th><th>Path</th><th>Event</th><th>Signature</th><th>Answered</th><th>Body</th></tr>
${rows}</table></body></html>`;
}

function row(call: Received): string {
  const { at, path, id, attempt, verdict, reason, answered, body, raw } = call;
  const shown = body === undefined ? raw : JSON.stringify(body, null, 2);
  const signature = `<span class="${verdict}">${verdict}</span><br>${escaped(reason ?? '')}`;
  return `<tr><td>${at}</td><td>${escaped(path)}</td><td>${escaped(id)}<br>try ${attempt}</td>
<td>${signature}</td><td>${escaped(answered)}</td><td><pre>${escaped(shown)}</pre></td></tr>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
