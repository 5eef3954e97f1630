/** What a notification says of what needs a person, and where it leads. Pure; notifier.ts shows it. */
import type { Evaluation } from '../contract/model';
import type { Need } from '../contract/needs';
import type { CallsFor } from '../contract/settings';
import { visibleLine } from '../contract/visible-text';
import type { Words } from '../words/words';

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
export function noticeOf(need: Need, { notices, approvals }: Words): Notice | null {
  switch (need.kind) {
    case 'approval':
      return {
        kind: 'approvals',
        title: notices.waits(text(need.client)),
        body: notices.wants(approvals.wish(text(need.tool), need.wish)),
        to: '#/home',
      };
    case 'held':
      return {
        kind: 'heldErrors',
        title: notices.held(text(need.name), text(need.condition)),
        body: text(need.message),
        to: `#/sessions/${need.session}/debugger`,
      };
    case 'dropped':
      return {
        kind: 'droppedClients',
        title: notices.dropped(text(need.title)),
        body: notices.droppedAbout,
        to: '#/clients',
      };
    default:
      return null;
  }
}

/** Of an evaluation that took longer than a call waits; null for one that somebody ended. */
export function finishedNotice(
  { id, client, code, outcome, durationMs }: Evaluation,
  softLimitMs: number,
  { notices: { ended } }: Words,
) {
  if ((durationMs ?? 0) < softLimitMs || !(outcome in ended)) return null;
  return {
    kind: 'finishedJobs',
    title: ended[outcome as keyof typeof ended](id),
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
