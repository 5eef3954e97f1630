/**
 * The profile of the ACL2 MCP Bridge: one connection with two sessions, Common Lisp (SBCL) and ACL2, each
 * started when first needed. Its tools have the names of its documentation and of its later versions.
 */

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { CheckpointName } from '../../contract/changes';
import { FINAL_CHECK } from '../../contract/proof';
import type { DefaultProfileOptions } from '../../tools/default-profile';
import type { EvaluateToolOptions } from '../../tools/evaluation/evaluation-answer';
import { jobTool } from '../../tools/evaluation/job-tool';
import { runTestsTool } from '../../tools/evaluation/run-tests-tool';
import type { Profile } from '../../tools/profile';
import {
  CheckpointAction,
  type CheckpointToolOptions,
  checkpointTool,
} from '../../tools/sessions/checkpoint-tool';
import { type ImagesToolOptions, imagesTool } from '../../tools/sessions/images-tool';
import {
  closeSessionTool,
  type OpenSessionToolOptions,
  openSessionTool,
} from '../../tools/sessions/session-tools';
import type { Tool } from '../../tools/tool';
import { adaptersOf } from '../tool-adapter';
import { session_id } from './acl2-adapters';
import { dependencyTools, knowledgeTools } from './knowledge-tools';
import { lispTools } from './lisp-tools';
import { insightTools, retryTool } from './proof-tools';
import { proverTools } from './prover-tools';

const INSTRUCTIONS = `You have two live sessions: Common Lisp (SBCL) in a package of your own, and ACL2 with a logical world of your own. Each opens when first needed and keeps its state.

- \`eval_cl\` evaluates Common Lisp; every call begins in your package. \`define_function\`, \`load_file\` and \`reset_cl\` work on the same session.
- \`admit\` submits events to ACL2, which stay in the world. \`check_theorem\` checks whether THM proves a conjecture in the present world, and adds nothing to it. Prove small lemmas first. When a proof fails, read its key checkpoints: the first goal that could not be simplified shows which lemma or hint is missing. \`acl2_retry\` retries the last failure with other hints.
- \`acl2_observe_rules\` shows why a rule did not apply, or which rules cost the most; \`acl2_proof_builder\` runs a proof instruction by instruction; \`acl2_matching_rules\` lists the rules that match a term.
- \`acl2_find_lemma\` finds theorems by a pattern, also in books that are not loaded; \`describe\` and \`find\` look up names. \`acl2_checkpoint\` saves the world by name and restores it; the world before is saved too.
- \`verify_guards\`, \`query_event\`, \`acl2_undo\` and \`acl2_include_book\` work on the world. \`start_acl2_session\` opens another one, to be named as \`session_id\`.
- Every result of the prover states what it rests on. Only "no trust issues" is a proof without reservations; a printed "Q.E.D." proves nothing by itself, and lines behind \`|\` are what a form printed. Before you report something as proved, call \`final_check\`: it does not trust the session.
- Results are short: \`job\` with the job named as log returns the prover’s whole log (output), and all data (status).
- No timer ends a proof. A proof that exceeds \`timeout\` continues as a job, which \`job\` follows or cancels; cancelling leaves the world unchanged.`;

export function acl2Profile(options: DefaultProfileOptions): Profile {
  return {
    name: 'acl2',
    instructions: INSTRUCTIONS,
    listsBriefly: true,
    package: (engine) => (engine === 'sbcl' ? `SESSION-${randomUUID().toUpperCase()}` : undefined),
    tools: [
      ...lispTools(options),
      ...proverTools(options),
      retryTool(options),
      ...insightTools(options),
      ...knowledgeTools(options),
      ...dependencyTools(options),
      finalCheckTool(options),
      ...acl2SessionTools(options),
      jobTool(options),
    ],
  };
}

/**
 * The tools of the profile `acl2` for ACL2 sessions, each a process with its own world: open, list, end, and
 * saved worlds.
 */
function acl2SessionTools(
  options: OpenSessionToolOptions & ImagesToolOptions & CheckpointToolOptions,
): Tool[] {
  return [
    adaptersOf(openSessionTool(options))({
      name: 'start_acl2_session',
      description:
        'Starts another ACL2 with a world of its own and returns the handle to pass as session_id.',
      args: z.strictObject({
        name: z.string().min(1).max(80).optional(),
        description: z.string().max(80).optional().describe('Its name, as in other versions'),
      }),
      toArguments: ({ name, description }) => {
        const called = name ?? description;
        return { engine: 'acl2', ...(called ? { name: called } : {}) };
      },
      render: ({ session }) => `Session ${session} created`,
    }),
    adaptersOf(imagesTool(options))({
      name: 'list_acl2_sessions',
      description: 'Your sessions with their state and memory.',
      args: z.strictObject({}),
      toArguments: () => ({}),
      render: ({ sessions }) => {
        const lines = sessions.map(({ session, engine, name, state, memory_bytes: memory }) => {
          const size = memory === null ? '' : ` · ${Math.round(memory / 1024 ** 2)} MiB`;
          return `${session} ${engine} ${name}: ${state}${size}`;
        });
        return `Active sessions:\n${lines.join('\n')}`;
      },
    }),
    adaptersOf(closeSessionTool(options))({
      name: 'stop_acl2_session',
      description: 'Ends a session and its process; the history keeps its evaluations.',
      args: z.strictObject({ session_id: z.string() }),
      toArguments: ({ session_id }) => ({ session: session_id }),
      render: ({ session }) => `Session ${session} ended`,
    }),
    adaptersOf(checkpointTool(options))({
      name: 'acl2_checkpoint',
      description:
        'Saves the world under a name (save), lists saved worlds (list), returns to one (restore; the present world is saved first, and proofs are not repeated while ACL2 still has that world), opens a second session with one (branch), deletes one (drop).',
      args: z.strictObject({
        action: CheckpointAction.exclude(['compare']),
        name: CheckpointName.optional(),
        session_id,
      }),
      engine: 'acl2',
      toArguments: ({ session_id: session, ...given }) => ({
        ...given,
        ...(session === undefined ? {} : { session }),
      }),
    }),
  ];
}

// The tool `final_check` of the profile `acl2`: verifies what can be reported as proved.

const Checked = z.strictObject({
  claim: z.string().min(1).optional().describe('A theorem’s name; default: all theorems'),
  book_path: z.string().min(1).optional().describe('A book of the project; default: the session'),
  trust_tags: z.array(z.string()).optional().describe('Those that it may use; usually none'),
  session_id,
});

function finalCheckTool(options: EvaluateToolOptions): Tool {
  return adaptersOf(runTestsTool(options))<typeof Checked>({
    name: 'final_check',
    description:
      'What a claim rests on if nothing of this session is trusted: rebuilds the session, or a book, from its sources in fresh processes without compiled files, skipped proofs, axioms or trust tags, and returns a report that others can reproduce.',
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
