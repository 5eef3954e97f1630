/** What "Attach…" offers, and how what is typed there is read. Pure. */
import type { Mount, ServerKind } from '../../electron/contract/server';
import type { Words } from '../../electron/words/words';
import { engineTitle } from '../parts/format';

/** What a person has to do for each kind, and the port that is usual. */
export const KINDS: Readonly<Record<ServerKind, { port: number; start: string }>> = {
  nrepl: { port: 7888, start: 'lein repl :headless :port 7888' },
  lisply: { port: 9081, start: 'lisp-harbor serve --lisply-port 9081' },
  swank: { port: 4005, start: '(swank:create-server :port 4005 :dont-close t)' },
};

/** What the dialog offers: kinds of servers, and a Lisply backend in a container. */
export type AttachKind = ServerKind | 'container';

export function attachOptions({ sessions }: Words): { value: AttachKind; title: string }[] {
  return [
    ...Object.keys(KINDS).map((name) => ({ value: name as AttachKind, title: engineTitle(name) })),
    { value: 'container', title: sessions.inContainer },
  ];
}

/** What a person has typed. */
export interface Typed {
  host: string;
  port: string;
  image: string;
  mounts: string;
}

export function isPort(typed: string): boolean {
  const port = Number(typed);
  return /^\d+$/.test(typed) && port >= 1 && port <= 65_535;
}

/**
 * Folders for a container, as people write them for Docker: `/here:/there`, which it may read, or `/here:/there:rw`, with
 * commas between. null when the text says something else.
 */
export function mountsOf(text: string): Mount[] | null {
  const written = text.split(',').flatMap((part) => part.trim() || []);
  const mounts = written.flatMap((part) => {
    const [, from, to, mode] = /^(\/[^:]*):(\/[^:]*)(?::(rw|ro))?$/.exec(part) ?? [];
    return from && to ? [{ from, to, write: mode === 'rw' }] : [];
  });
  return mounts.length === written.length ? mounts : null;
}
