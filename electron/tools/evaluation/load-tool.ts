/** The tool `load`: loads systems and files, and resets a session. */

import { extname } from 'node:path';
import { z } from 'zod';
import type { Approver } from '../../contract/approvals';
import { HarborError } from '../../contract/errors';
import { Warning } from '../../contract/model';
import { type Note, note } from '../../contract/note';
import { LoadFailure } from '../../contract/report';
import { bookFile, sourceFile } from '../../sandbox/project-files';
import type { LibraryFetches } from '../../sessions/library-fetches';
import type { RunningEvaluation } from '../../sessions/session/pending-evaluations';
import type { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import { sessionOf } from '../arguments';
import { outdatedNotes } from '../notes';
import type { Caller, Tool } from '../tool';
import { answerFor, type EvaluateToolOptions, requireBalancedFile } from './evaluation-answer';
import { BriefRecord } from './record';
import { shownSources } from './shown-sources';

const LoadArguments = z.strictObject({
  system: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('ASDF system; ACL2 community book; Clojure namespace or project'),
  path: z
    .string()
    .min(1)
    .max(4000)
    .optional()
    .describe('Relative to the project; in ACL2 a book without .lisp'),
  until: z.string().max(500).optional().describe('ACL2: last event'),
  session: z.string().optional(),
  fresh: z.boolean().optional().describe('In a new, empty process'),
  fetch: z.boolean().optional().describe('Only fetch missing libraries; the user is asked'),
});
type LoadArguments = z.output<typeof LoadArguments>;

const LoadResult = BriefRecord.extend({
  warnings: z.array(Warning).describe('With severity and place'),
  report: z.looseObject({ loaded: z.array(z.string()), failures: z.array(LoadFailure) }).optional(),
});

export type LoadToolOptions = EvaluateToolOptions & LibraryFetchOptions;

type Target =
  | { systems: readonly string[] }
  | { anew: string; compile: boolean }
  | { file: string; isBook?: boolean; until?: string | undefined };

/** How a loaded system is loaded again: only what has changed, all of it, or all of it compiled anew. */
export type Loading = 'changed' | 'anew' | 'compiled';

export function loadTool(
  options: LoadToolOptions,
  loading: Loading = 'changed',
): Tool<typeof LoadArguments, typeof LoadResult> {
  return {
    name: 'load',
    title: 'Load a system or file',
    description:
      'Compiles and loads an ASDF system, a Clojure namespace with its dependencies (`project`: everything edited) or a file; returns warnings and failures with their places. With neither, resets the session: a new process with the same systems, or none if `fresh`.',
    scope: 'evaluate',
    approval: 'load',
    args: LoadArguments,
    result: LoadResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    sources: (args, caller) => shownSources(args, caller, options.sessions),
    async run(args, caller) {
      const target = targetOf(args, args.fresh ? 'changed' : loading);
      const { session, notes } = await sessionOf(args.session, caller, options.sessions);
      checkSystem(args.system, session);
      if (args.fetch) {
        const fetch = await beginFetch(session, fetchedSystem(args), caller, options);
        return answerFor(fetch, session, caller, options, { notes });
      }
      const found = target && inSession(target, session, options.sessions);
      if (found && 'file' in found) await requireBalancedFile(found.file, session, options.files);
      const isReset = target === null || args.fresh === true;
      const outdated = isReset ? [] : outdatedNotes(session);
      const evaluation = await begin(session, caller, found, args.fresh === true);
      const older = [...olderThanList(session, options.sessions), ...outdated];
      return answerFor(evaluation, session, caller, options, { notes: [...notes, ...older] });
    },
  };
}

/**
 * Returns a hint that the allow-list has changed since the image started, so that the image may not see files
 * allowed since.
 */
function olderThanList(session: Session, sessions: Sessions): Note[] {
  return sessions.isOutdated(session)
    ? [
        note(
          'allow_list_changed',
          'The allow-list has changed since this image started, so the image does not see what was added. The user can restart it with its state: in the window, under Sandbox.',
        ),
      ]
    : [];
}

/** Reports whether a name looks like a file name. No system, namespace or book has such a name. */
function isFile(name: string): boolean {
  return /\.(?:asd|clj[cs]?)$/.test(name) || (name.includes('/') && name.endsWith('.lisp'));
}

/**
 * Returns null if nothing is named.
 * @throws HarborError `bad_arguments`
 */
function targetOf({ system, path, until }: LoadArguments, loading: Loading): Target | null {
  if (system !== undefined && path !== undefined)
    throw new HarborError('bad_arguments', 'Name a system or a path, not both.');
  if (until !== undefined && path === undefined)
    throw new HarborError('bad_arguments', 'until is an event of a file: pass its path.');
  if (system !== undefined)
    return loading === 'changed' ? { systems: [system] } : { anew: system, compile: loading === 'compiled' };
  return path === undefined ? null : { file: path, until };
}

/**
 * A book of ACL2 may be named by its file.
 * @throws HarborError `bad_arguments`
 */
function checkSystem(system: string | undefined, { loader }: Session): void {
  if (system === undefined || !isFile(system) || loader.bookCode !== undefined) return;
  throw new HarborError('bad_arguments', `${system} looks like a file: pass it as path, not as system.`);
}

/** @throws HarborError `bad_arguments` */
function fetchedSystem({ system, path, fresh }: LoadArguments): string | undefined {
  if (path === undefined && !fresh) return system;
  throw new HarborError('bad_arguments', 'With fetch: true, name only a system: nothing is loaded.');
}

function begin(
  session: Session,
  { client, grant, signal }: Caller,
  target: Target | null,
  fresh: boolean,
): Promise<RunningEvaluation> | RunningEvaluation {
  const { loader, identity } = session;
  if ((target === null || fresh) && identity.server)
    throw new HarborError(
      'not_supported',
      'This session cannot be reset, because its server was started outside the harbor. Load by system or path.',
    );
  const systems = fresh ? [] : session.systems;
  const code =
    fresh && target !== null && 'systems' in target && loader.freshCode
      ? loader.freshCode(target.systems)
      : loadCode(loader, target ?? { systems });
  const request = { client: client.key, grant, kind: 'load', code } as const;
  return target === null || fresh ? session.reset(request, systems, signal) : session.evaluate(request);
}

/**
 * Returns the target with the real path of a file; a book is named without its `.lisp`.
 * @throws HarborError `file_missing`, `file_not_allowed`
 */
function inSession(target: Target, { loader, identity }: Session, sessions: Sessions): Target {
  if (!('file' in target)) return target;
  const isBook = loader.bookCode !== undefined && extname(target.file) === '';
  const find = isBook ? bookFile : sourceFile;
  return {
    ...target,
    file: find(target.file, identity.project, sessions.librariesOf(identity.project)),
    isBook,
  };
}

function loadCode(loader: Session['loader'], target: Target): string {
  if ('anew' in target)
    return loader.anewCode?.(target.anew, target.compile) ?? loader.loadCode({ systems: [target.anew] });
  if ('file' in target && target.until !== undefined) {
    if (loader.untilCode) return loader.untilCode(target.file, target.until);
    throw new HarborError('not_supported', 'Only ACL2 loads a file up to a definition. Leave until out.');
  }
  if ('file' in target && target.isBook && loader.bookCode)
    return loader.bookCode(target.file.replace(/\.lisp$/, ''));
  return loader.loadCode(target);
}

/** Options for fetching libraries that a project lacks. The user is asked first and sees what will run. */
interface LibraryFetchOptions {
  fetches: LibraryFetches;
  approver: Approver;
}

/** @throws HarborError `not_approved`, `paused`, `cancelled`, and as `LibraryFetches.plan` does */
async function beginFetch(
  session: Session,
  system: string | undefined,
  { client, grant, tool, signal }: Caller,
  { fetches, approver }: LibraryFetchOptions,
): Promise<RunningEvaluation> {
  const { line, meaning, begin } = await fetches.plan(session, system);
  await approver.require({
    client: client.key,
    class: 'network',
    tool,
    code: line,
    explanation: { wish: 'fetch', meaning },
    signal,
  });
  return begin({ client, grant });
}
