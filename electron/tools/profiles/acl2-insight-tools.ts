/** The tools of the profile `acl2` that look into a proof: what its rules did, and what instructions leave to prove. */
import { z } from 'zod';
import { type Code, code } from '../../source/code';
import type { EvaluateToolOptions } from '../evaluation/evaluation-answer';
import type { EvaluationRecord } from '../evaluation/record';
import type { Tool } from '../tool';
import { inSession, type ProverAdapter, proverAdapters } from './acl2-adapters';
import { conjectureForm, oneForm } from './acl2-conjecture';
import { matchingRulesText } from './acl2-matching-rules';

const Observed = z.strictObject({
  code: z.string().min(1).describe('A term, (thm …) or (defthm …)'),
  hints: z.string().optional().describe('Of a term, as they stand after :hints'),
  rules: z.array(z.string().min(1)).max(50).optional().describe('Names or runes; without: the costs of all'),
  ...inSession,
});

const OBSERVE: ProverAdapter<typeof Observed> = {
  description:
    'Why a rule did not apply: tries to prove a conjecture as check_theorem does and tells each attempt to apply one of the rules, its target and why it failed (break-rewrite). Without rules: which rules cost the most (accumulated persistence).',
  args: Observed,
  code: ({ code: conjecture, hints, rules = [] }, session) =>
    session.ability('world').observeCode(
      conjectureForm(conjecture, hints),
      rules.map((rule) => oneForm(rule, 'rules')),
    ),
};

const Built = z.strictObject({
  term: z.string().min(1).describe('What is to be proved'),
  instructions: z.string().min(1).describe('As they stand after :instructions, such as (:induct :prove)'),
  ...inSession,
});

const BUILD: ProverAdapter<typeof Built> = {
  description:
    'Runs instructions of the proof-builder (as verify would) up to the first that fails, and tells the goals that are left with their hypotheses. The world stays as it is; when nothing is left, the answer has the defthm to admit.',
  args: Built,
  code: ({ term, instructions }, session) =>
    session.ability('world').buildCode(oneForm(term, 'term'), listOf(instructions)),
  render: (record, ours, { term, instructions }) =>
    isBuilt(record)
      ? `Nothing is left to prove. To have it in the world, admit:\n(defthm a-name ${term}\n  :instructions ${instructions})\n${ours}`
      : ours,
};

const Matched = z.strictObject({
  term: z.string().min(1).describe('Such as (len (append x y))'),
  ...inSession,
});

const MATCH: ProverAdapter<typeof Matched> = {
  description:
    'The rules of the world that match a term, as :PL has them: what each makes of it, its hypotheses, and whether it is enabled. Use it where a rule should fire, or to find the one that does.',
  args: Matched,
  // What :PL does with a symbol is about the symbol's own rules.
  code: ({ term }) => code`(acl2::pl2-fn '${oneForm(term, 'term')} acl2::nil 'acl2::pl acl2::state)`,
  render: (record, ours) => (record.outcome === 'ok' ? matchingRulesText(record.stdout) : ours),
};

export function insightTools(options: EvaluateToolOptions): Tool[] {
  const prover = proverAdapters(options);
  return [
    prover('acl2_observe_rules', OBSERVE),
    prover('acl2_proof_builder', BUILD),
    prover('acl2_matching_rules', MATCH),
  ];
}

function listOf(instructions: string): Code {
  const list = oneForm(instructions, 'instructions');
  return list.isList ? list : code`(${list})`;
}

function isBuilt({ outcome, report }: EvaluationRecord): boolean {
  return outcome === 'ok' && report?.proof?.builder?.goals.length === 0;
}
