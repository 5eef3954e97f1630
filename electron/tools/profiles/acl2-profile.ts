/**
 * The profile of the ACL2 MCP Bridge: one connection with two sessions, Common Lisp (SBCL) and ACL2, each started when
 * first needed. Its tools have the names of its document, and those of its later versions.
 */
import { randomUUID } from 'node:crypto';
import { jobTool } from '../evaluation/job-tool';
import { dependencyTools } from './acl2-dependency-tools';
import { finalCheckTool } from './acl2-final-check-tool';
import { insightTools } from './acl2-insight-tools';
import { knowledgeTools } from './acl2-knowledge-tools';
import { lispTools } from './acl2-lisp-tools';
import { proverTools } from './acl2-prover-tools';
import { retryTool } from './acl2-retry-tool';
import { acl2SessionTools } from './acl2-session-tools';
import type { DefaultProfileOptions } from './default-profile';
import type { Profile } from './profile';

const INSTRUCTIONS = `You have two live sessions: Common Lisp (SBCL) in a package of your own, and ACL2 with a logical world of your own. Each opens when first needed and keeps its state.

- \`eval_cl\` evaluates Common Lisp; every call begins in your package. \`define_function\`, \`load_file\` and \`reset_cl\` work on the same session.
- \`admit\` submits events to ACL2, which stay in the world. \`check_theorem\` asks whether THM proves a conjecture in the present world, and adds nothing to it. Prove small lemmas first. When a proof fails, read its key checkpoints: the first goal that could not be simplified shows which lemma or hint is missing. \`acl2_retry\` tries what failed again with other hints.
- \`acl2_observe_rules\` says why a rule did not apply, or which rules cost the most; \`acl2_proof_builder\` runs a proof instruction by instruction; \`acl2_matching_rules\` lists the rules that match a term.
- \`acl2_find_lemma\` finds theorems by a pattern, also in books that are not loaded; \`describe\` and \`find\` tell names. \`acl2_checkpoint\` keeps the world by name, goes back to it and away again; nothing is lost by that.
- \`verify_guards\`, \`query_event\`, \`acl2_undo\` and \`acl2_include_book\` work on the world. \`start_acl2_session\` opens another one, to be named as \`session_id\`.
- Every answer of the prover tells what it rests on. Only "no trust issues" is a proof without reservations; a printed "Q.E.D." proves nothing by itself, and lines behind \`|\` are what a form printed. Before you tell others that something is proved, call \`final_check\`: it believes nothing of the session.
- Answers are short: \`job\` with the job named as log answers the prover’s whole log (output), and all data (status).
- No timer ends a proof. What outlives \`timeout\` goes on as a job, which \`job\` follows or cancels; cancelling leaves the world as it was.`;

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
