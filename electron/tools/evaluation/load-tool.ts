/** The tool `load`: loads systems and files, and begins a session anew. */
import { extname } from 'node:path';
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { Warning } from '../../contract/model';
import { LoadFailure } from '../../contract/report';
import { sourceFile } from '../../sandbox/source-files';
import type { RunningEvaluation } from '../../sessions/session/running-evaluation';
import type { Session } from '../../sessions/session/session';
import { sessionOf } from '../arguments';
import type { Caller, Tool } from '../tool';
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

type Target = { systems: readonly string[] } | { anew: string; compile: boolean } | { file: string };

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
      if (args.fetch) {
        const fetch = await beginFetch(session, fetchedSystem(args), caller, options);
        return answerFor(fetch, session, caller, options, { notes });
      }
      const evaluation = await begin(
        session,
        caller,
        target,
        args.fresh === true,
        options.sessions.librariesOf(session.identity.project),
      );
      return answerFor(evaluation, session, caller, options, { notes });
    },
  };
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
  if (system !== undefined && isFile(system))
    throw new HarborError(
      'bad_arguments',
      `${system} is called like a file: give it as path, not as system.`,
    );
  if (system !== undefined)
    return loading === 'changed' ? { systems: [system] } : { anew: system, compile: loading === 'compiled' };
  return path === undefined ? null : { file: path };
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
  libraries: readonly string[],
): Promise<RunningEvaluation> | RunningEvaluation {
  const { loader, identity } = session;
  if ((target === null || fresh) && identity.server)
    throw new HarborError(
      'not_supported',
      'This session cannot begin anew: its server was started by somebody else and is not restarted. Load by system or path.',
    );
  const kept = fresh ? [] : session.systems;
  const code = loadCode(loader, target ?? { systems: kept }, [identity.project, libraries]);
  const request = { client: client.key, kind: 'load', code } as const;
  return target === null || fresh ? session.reset(request, kept, signal) : session.evaluate(request);
}

/** @throws HarborError `file_missing`, `file_not_allowed` */
function loadCode(
  loader: Session['loader'],
  target: Target,
  [project, libraries]: [string, readonly string[]],
): string {
  if ('anew' in target)
    return loader.anewCode?.(target.anew, target.compile) ?? loader.loadCode({ systems: [target.anew] });
  if (!('file' in target)) return loader.loadCode(target);
  if (!loader.bookCode || extname(target.file) !== '')
    return loader.loadCode({ file: sourceFile(target.file, project, libraries) });
  return loader.bookCode(sourceFile(`${target.file}.lisp`, project, libraries).replace(/\.lisp$/, ''));
}
