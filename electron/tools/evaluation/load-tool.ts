/** The tool `load`: loads systems and files, and begins a session anew. */
import { extname } from 'node:path';
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { Warning } from '../../contract/model';
import { LoadFailure } from '../../contract/report';
import { bookFile, sourceFile } from '../../sandbox/source-files';
import type { RunningEvaluation } from '../../sessions/session/running-evaluation';
import type { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import { sessionOf } from '../arguments';
import { outdatedNotes } from '../outdated-image';
import type { Caller, Tool } from '../tool';
import { requireBalancedFile } from './balanced-code';
import { answerFor, type EvaluateToolOptions } from './evaluation-answer';
import { beginFetch, type LibraryFetchOptions } from './fetch-libraries';
import { BriefRecord } from './record';

const LoadArguments = z.strictObject({
  system: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('An ASDF system; in ACL2 a community book; in Clojure a namespace, or project'),
  path: z
    .string()
    .min(1)
    .max(4000)
    .optional()
    .describe('A file, relative to the project; in ACL2 without .lisp: a book'),
  session: z.string().optional(),
  fresh: z.boolean().optional().describe('In a new process that holds nothing else'),
  fetch: z
    .boolean()
    .optional()
    .describe(
      'Only fetches missing libraries: those of `system`, in Clojure of the project. A person is asked',
    ),
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
  | { file: string; isBook?: boolean };

/** What becomes of a system that is loaded already: what has changed in it is loaded, or all of it, or all is compiled as well. */
export type Loading = 'changed' | 'anew' | 'compiled';

export function loadTool(
  options: LoadToolOptions,
  loading: Loading = 'changed',
): Tool<typeof LoadArguments, typeof LoadResult> {
  return {
    name: 'load',
    title: 'Load a system or file',
    description:
      'Compiles and loads an ASDF system, a Clojure namespace with what it needs (`project`: all that was edited) or a file; answers warnings and failures with their places. With neither it resets the session: a fresh process with the same systems, or none when `fresh`.',
    scope: 'evaluate',
    approval: 'load',
    args: LoadArguments,
    result: LoadResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
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

/** Its files may be allowed by now, and not be there for an image that began before. */
function olderThanList(session: Session, { outdated }: Sessions): string[] {
  return outdated.includes(session)
    ? [
        'This image began before the allow-list was changed and does not see what was added. A person restarts it, with its state: in the window, under Sandbox.',
      ]
    : [];
}

/** No system, namespace or book is called so. */
function isFile(name: string): boolean {
  return /\.(?:asd|clj[cs]?)$/.test(name) || (name.includes('/') && name.endsWith('.lisp'));
}

/** null: nothing is named.
 * @throws HarborError `bad_arguments` */
function targetOf({ system, path }: LoadArguments, loading: Loading): Target | null {
  if (system !== undefined && path !== undefined)
    throw new HarborError('bad_arguments', 'Name a system or a path, not both.');
  if (system !== undefined)
    return loading === 'changed' ? { systems: [system] } : { anew: system, compile: loading === 'compiled' };
  return path === undefined ? null : { file: path };
}

/** A book of ACL2's may be named by its file. @throws HarborError `bad_arguments` */
function checkSystem(system: string | undefined, { loader }: Session): void {
  if (system === undefined || !isFile(system) || loader.bookCode !== undefined) return;
  throw new HarborError('bad_arguments', `${system} is called like a file: give it as path, not as system.`);
}

/** @throws HarborError `bad_arguments` */
function fetchedSystem({ system, path, fresh }: LoadArguments): string | undefined {
  if (path === undefined && !fresh) return system;
  throw new HarborError('bad_arguments', 'With fetch: true, name nothing but a system: nothing is loaded.');
}

function begin(
  session: Session,
  { client, signal }: Caller,
  target: Target | null,
  fresh: boolean,
): Promise<RunningEvaluation> | RunningEvaluation {
  const { loader, identity } = session;
  if ((target === null || fresh) && identity.server)
    throw new HarborError(
      'not_supported',
      'This session cannot begin anew: its server was started by somebody else and is not restarted. Load by system or path.',
    );
  const kept = fresh ? [] : session.systems;
  const code = loadCode(loader, target ?? { systems: kept });
  const request = { client: client.key, kind: 'load', code } as const;
  return target === null || fresh ? session.reset(request, kept, signal) : session.evaluate(request);
}

/** With the real path of a file; a book is named without the `.lisp` of its own.
 * @throws HarborError `file_missing`, `file_not_allowed` */
function inSession(target: Target, { loader, identity }: Session, sessions: Sessions): Target {
  if (!('file' in target)) return target;
  const isBook = loader.bookCode !== undefined && extname(target.file) === '';
  const find = isBook ? bookFile : sourceFile;
  return { file: find(target.file, identity.project, sessions.librariesOf(identity.project)), isBook };
}

function loadCode(loader: Session['loader'], target: Target): string {
  if ('anew' in target)
    return loader.anewCode?.(target.anew, target.compile) ?? loader.loadCode({ systems: [target.anew] });
  if ('file' in target && target.isBook && loader.bookCode)
    return loader.bookCode(target.file.replace(/\.lisp$/, ''));
  return loader.loadCode(target);
}
