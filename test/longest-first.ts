/** Runs long test files first, so that no worker is left with one at the end. */
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files by decreasing duration, in a run of all. */
const LONG = [
  'acl2-books',
  'fetch-clojure',
  'nrepl-link',
  'sessions-restart',
  'acl2-project-certification',
  'sessions-checkpoints',
  'acl2-limits',
  'acl2-ends',
  'sbcl-checkpoints',
  'agent-tasks',
  'nrepl-attach',
  'limits',
  'tool-results',
  'agent-clojure-project',
  'portable-image',
  'real-clients',
  'access-requests',
  'mcp-resources',
  'fetch-quicklisp',
  'connect-states',
  'sbcl-cases-stuck',
  'acl2-compiled-files',
  's1-own-command',
  'tool-commands',
  'help',
  's0-lisply',
  'swank-port',
  'nrepl-port',
  'agent-system',
  'serve',
  'unbalanced-code',
  'acl2-export',
  'sbcl-limits',
  'attached-knowledge',
  'clojure-tools',
  'acl2-words',
  'long-work',
  's4-profile',
  'acl2-lemmas',
  'acl2-corpus',
  'two-projects',
  'killed-harbor',
  'acl2-system-tags',
  'clojure-classpath',
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
