/** What a notification says of what needs a person, and where it leads. Pure; notifier.ts shows it. */
import type { Evaluation } from '../contract/model';
import type { Need } from '../contract/needs';
import type { CallsFor } from '../contract/settings';
import { visibleLine } from '../contract/visible-text';

export interface Notice {
  /** The setting that switches it off. */
  kind: keyof CallsFor;
  title: string;
  body: string;
  /** A hash of the window's route. */
  to: string;
}

/** Characters of a text that a notification has room for. */
const LONGEST = 200;

/** null for what can wait until a person looks. */
export function noticeOf(need: Need): Notice | null {
  switch (need.kind) {
    case 'approval':
      return {
        kind: 'approvals',
        title: `${text(need.client)} waits for your word`,
        body: `It wants ${text(need.wish)}.`,
        to: '#/home',
      };
    case 'held':
      return {
        kind: 'heldErrors',
        title: `${text(need.name)} is held: ${text(need.condition)}`,
        body: text(need.message),
        to: `#/sessions/${need.session}/debugger`,
      };
    case 'dropped':
      return {
        kind: 'droppedClients',
        title: `${text(need.title)} has dropped Lisp Harbor`,
        body: 'Its configuration has no entry of ours any more.',
        to: '#/clients',
      };
    default:
      return null;
  }
}

const ENDED = {
  ok: 'has finished',
  error: 'ended with an error',
  crashed: 'ended: its image died',
} as const;

/** Of an evaluation that took longer than a call waits; null for one that somebody ended. */
export function finishedNotice({ id, client, code, outcome, durationMs }: Evaluation, softLimitMs: number) {
  if ((durationMs ?? 0) < softLimitMs || !(outcome in ENDED)) return null;
  const ended = ENDED[outcome as keyof typeof ENDED];
  return {
    kind: 'finishedJobs',
    title: `#${id} ${ended}`,
    body: `${text(client)}: ${text(code)}`,
    to: `#/history/${id}`,
  } satisfies Notice;
}

/** In a line, whatever was in it. */
function text(from: string): string {
  return visibleLine(from.trim().replace(/\s+/g, ' ').slice(0, LONGEST));
}

/** Some desktops read what stands in angle brackets as markup, links and pictures among it. */
export function unmarked(body: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'linux') return body;
  return body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
