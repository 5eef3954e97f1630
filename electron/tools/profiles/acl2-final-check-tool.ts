/** The tool `final_check` of the profile `acl2`: what may be told to others as proved. */
import { z } from 'zod';
import { FINAL_CHECK } from '../../contract/final-check';
import type { EvaluateToolOptions } from '../evaluation/evaluation-answer';
import { runTestsTool } from '../evaluation/run-tests-tool';
import type { Tool } from '../tool';
import { session_id } from './acl2-arguments';
import { adaptersOf } from './tool-adapter';

const Checked = z.strictObject({
  claim: z.string().min(1).optional().describe('A theorem’s name; omitted: all theorems'),
  book_path: z.string().min(1).optional().describe('A book of the project; omitted: the session'),
  trust_tags: z.array(z.string()).optional().describe('Those that it may use; usually none'),
  session_id,
});

export function finalCheckTool(options: EvaluateToolOptions): Tool {
  return adaptersOf(runTestsTool(options))<typeof Checked>({
    name: 'final_check',
    description:
      'What a claim rests on when nothing of this session is believed: rebuilds the session, or a book, from its sources in fresh processes with no compiled files, skipped proofs, axioms or trust tags, and answers a report that others can repeat.',
    args: Checked,
    engine: 'acl2',
    toArguments: ({ claim, book_path, trust_tags, session_id: session }) => ({
      framework: FINAL_CHECK,
      ...(claim === undefined ? {} : { test: claim }),
      ...(book_path === undefined ? {} : { path: book_path }),
      ...(trust_tags === undefined ? {} : { trust_tags }),
      ...(session === undefined ? {} : { session }),
    }),
  });
}
