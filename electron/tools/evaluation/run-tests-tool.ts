/** The tool `run_tests`: loads a system or file and runs its tests. */
import { extname } from 'node:path';
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { FINAL_CHECK } from '../../contract/proof';
import { TestRun } from '../../contract/report';
import { finalCheckOf } from '../../sessions/export/final-check';
import { requireFramework, testedFile, testRequest } from '../../sessions/tests/test-requests';
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
      requireFramework(target.framework, session);
      const file =
        path && testedFile(path, session, options.sessions.librariesOf(session.identity.project), target);
      if (file !== undefined && extname(file) !== '') await requireBalancedFile(file, session, options.files);
      const request =
        target.framework === FINAL_CHECK
          ? await finalCheckOf(session, { claim: target.test, file, trustTags })
          : testRequest(
              { ...target, file, ...(limitMs === undefined ? {} : { seconds: limitMs / 1000 }) },
              session,
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
