/** The tool `run_tests`: loads a system or file and runs its tests. */
import { extname } from 'node:path';
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { FINAL_CHECK } from '../../contract/proof';
import { TestRun } from '../../contract/report';
import { bookFile, sourceFile, sourceFileOrFolder } from '../../sandbox/project-files';
import { finalCheckOf } from '../../sessions/export/final-check';
import type { Session } from '../../sessions/session/session';
import { sessionOf } from '../arguments';
import { outdatedNotes } from '../notes';
import type { Tool } from '../tool';
import { answerFor, type EvaluateToolOptions, requireBalancedFile } from './evaluation-answer';

import { BriefRecord } from './record';
import { shownSources } from './shown-sources';

const RunTestsArguments = z.strictObject({
  system: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('ASDF system, or the one that tests it; Clojure namespace'),
  path: z.string().min(1).max(4000).optional().describe('A test file'),
  test: z.string().min(1).max(500).optional().describe('One test, suite or ACL2 theorem of path'),
  session: z.string().optional(),
  framework: z
    .string()
    .max(100)
    .optional()
    .describe('final-check (ACL2): rebuilds book or session, reports on theorem `test`'),
  limit_ms: z.int().min(1000).max(86_400_000).optional().describe('Of each test; default 60000'),
  trust_tags: z.array(z.string().max(200)).max(50).optional(),
});

const RunTestsResult = BriefRecord.extend({
  report: z.looseObject({ runs: z.array(TestRun) }).optional(),
});

export function runTestsTool(
  options: EvaluateToolOptions,
): Tool<typeof RunTestsArguments, typeof RunTestsResult> {
  return {
    name: 'run_tests',
    title: 'Run tests',
    description:
      'Loads a system or file and runs its tests, or one; returns counts, and each failure with form, expected, actual, reason and place. With neither: all that the session knows, in Clojure and ACL2 the project’s. Supports FiveAM, Fiasco, Parachute, Rove, RT, SB-RT, clojure.test, cljs.test, ACL2 books; else ASDF’s test-op.',
    scope: 'evaluate',
    approval: 'load',
    args: RunTestsArguments,
    result: RunTestsResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    sources: (args, caller) => shownSources(args, caller, options.sessions),
    async run({ path, session: handle, trust_tags: trustTags, limit_ms: limitMs, ...target }, caller) {
      if (path !== undefined && target.system !== undefined)
        throw new HarborError('bad_arguments', 'Name a system or a path, not both.');
      const { session, notes } = await sessionOf(handle, caller, options.sessions);
      const { loader, identity } = session;
      checkFramework(target.framework, session);
      const findBook = target.framework === FINAL_CHECK ? bookFile : bookOrFolder;
      const find = loader.bookCode === undefined ? sourceFile : findBook;
      const file = path && find(path, identity.project, options.sessions.librariesOf(identity.project));
      if (file !== undefined && extname(file) !== '') await requireBalancedFile(file, session, options.files);
      const request =
        target.framework === FINAL_CHECK
          ? await finalCheckOf(session, { claim: target.test, file, trustTags })
          : testRequest(
              { ...target, file, ...(limitMs === undefined ? {} : { seconds: limitMs / 1000 }) },
              loader,
            );
      const evaluation = session.evaluate({
        client: caller.client.key,
        grant: caller.grant,
        kind: 'test',
        ...request,
      });
      const allNotes = [...notes, ...outdatedNotes(session)];
      return answerFor(evaluation, session, caller, options, { notes: allNotes });
    },
  };
}

type Loader = Session['loader'];

/** Returns the evaluation that runs the tests. */
function testRequest(
  target: Parameters<Loader['testCode']>[0],
  loader: Loader,
): { code: string; certify?: string } {
  const books = loader.testedBooks?.(target);
  return { code: loader.testCode(target), ...(books === undefined ? {} : { certify: books }) };
}

/**
 * A folder stands for all its books.
 * @throws HarborError as `sourceFile`
 */
function bookOrFolder(path: string, project: string, libraries: readonly string[]): string {
  try {
    return bookFile(path, project, libraries);
  } catch {
    return sourceFileOrFolder(path, project, libraries);
  }
}

/** @throws HarborError `bad_arguments` */
function checkFramework(framework: string | undefined, { id, loader, identity }: Session): void {
  if (framework === undefined || loader.frameworks.includes(framework)) return;
  throw new HarborError(
    'bad_arguments',
    `${framework} is not a test framework of ${id}, a session of ${identity.engine}. There are: ${loader.frameworks.join(', ')}. Another session may have it: name that one.`,
  );
}
