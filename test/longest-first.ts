/** Runs long test files first, so that no worker is left with one at the end. */
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files by decreasing duration, in a run of all. */
const LONG = [
  'acl2-books',
  'sessions-restart',
  'sessions-checkpoints',
  'hostile-servers',
  'acl2-project-certification',
  'agent-system',
  'portable-image',
  'clojure-recovery',
  'acl2-limits',
  'joining',
  'called-files',
  'tool-results',
  'slime',
  'nrepl-link',
  'tools',
  'slime-endings',
  'where-code-is',
  'mcp-acl2-final-check',
  'fetch-clojure',
  's1-own-command',
  's0-repl',
  'swank-port',
  'limits',
  'acl2-final-check',
  'acl2-quoting',
  'sbcl-cases-resources',
  'acl2-compiled-files',
  'sbcl-checkpoints',
  'sessions',
  'acl2-ends',
  'nbb-image',
  'nrepl-attach',
  'nrepl-port',
  's0-lisply',
  'portable-process',
  'clojure-aliases',
  'clojure-outdated',
  'sbcl-cases-stuck',
  'serve',
  'access-requests',
  'sbcl-test-frameworks',
  'agent-tasks',
  'long-work',
  'sbcl-limits',
  'abcl',
];

/** Vitest orders by the durations of the last run, which a fresh clone does not have, and by size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONG.indexOf(path.basename(moduleId, '.test.ts'));
      return index < 0 ? LONG.length : index;
    };
    return bySize.toSorted((a, b) => rank(a) - rank(b));
  }
}
