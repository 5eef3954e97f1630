/** The order of test files: long ones first, so that no worker ends with one while the others have nothing left to do. */
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those that take more than half a minute, longest first. */
const LONG = [
  'acl2-books',
  'fetch-clojure',
  'sbcl-checkpoints',
  'acl2-ends',
  'sessions-checkpoints',
  'sessions-restart',
  'portable-image',
  'nrepl-link',
  'acl2-project-certification',
  'connect-states',
  'acl2-lemmas',
  'acl2-corpus',
  'long-work',
  'agent-system',
  'two-projects',
  'access-requests',
  'acl2-system-tags',
  'help',
  'acl2-limits',
  'acl2-compiled-files',
  'unbalanced-code',
  'mcp-resources',
  'killed-harbor',
  'sbcl-branches',
  'swank-port',
  'serve',
  'acl2-words',
  'sbcl-cases-stuck',
  'agent-tasks',
  'real-clients',
  'nrepl-attach',
  's1-own-command',
  's4-profile',
  'fetch-quicklisp',
  'acl2-export',
  'clojure-classpath',
];

/** Vitest's own order goes by how long each file took the last time, which a fresh clone does not know, and by size. */
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
