/** The order of test files: long ones first, so that no worker ends with one while the others have nothing left to do. */
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those that take more than ten seconds, longest first. */
const LONG = [
  'sbcl-cases-stuck',
  'sbcl-checkpoints',
  'agent-system',
  'acl2-ends',
  'fetch-clojure',
  'sessions-slow-machine',
  'sessions-restart',
  'sessions-checkpoints',
  'long-work',
  's1-own-command',
  'sbcl-limits',
  'sbcl-cases-resources',
  'access-requests',
  'swank-port',
  'nrepl-attach',
  'sbcl-checkpoint-refusals',
  'mcp-resources',
  's2-engines',
  'real-clients',
  'acl2-corpus',
  'transports',
  'sessions-interrupt',
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
