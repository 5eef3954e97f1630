/**
 * The tools of the profile `acl2` that examine a proof: what its rules did, and what instructions leave to
 * prove; and a retry with other hints.
 */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { Evaluation } from '../../contract/model';
import { cut } from '../../history/long-text';
import type { Session } from '../../sessions/session/session';
import { type Code, code, type OneForm } from '../../source/code';
import { formsIn } from '../../source/reader';
import type { EvaluateToolOptions } from '../../tools/evaluation/evaluation-answer';
import type { EvaluationRecord } from '../../tools/evaluation/record';
import type { Tool } from '../../tools/tool';
import { conjectureForm, inSession, oneForm, type ProverAdapter, proverAdapters } from './acl2-adapters';
import { admissionText, isAccepted, isProved, provabilityText } from './acl2-text';

const Observed = z.strictObject({
  code: z.string().min(1).describe('A term, (thm …) or (defthm …)'),
  hints: z.string().optional().describe('For a term, as after :hints'),
  rules: z.array(z.string().min(1)).max(50).optional().describe('Names or runes; default: the costs of all'),
  ...inSession,
});

const OBSERVE: ProverAdapter<typeof Observed> = {
  description:
    'Why a rule did not apply: tries to prove a conjecture as check_theorem does and reports each attempt to apply one of the rules, its target and why it failed (break-rewrite). Without rules: which rules cost the most (accumulated persistence).',
  args: Observed,
  code: ({ code: conjecture, hints, rules = [] }, session) =>
    session.ability('world').observeCode(
      conjectureForm(conjecture, hints),
      rules.map((rule) => oneForm(rule, 'rules')),
    ),
};

const Built = z.strictObject({
  term: z.string().min(1).describe('The conjecture'),
  instructions: z.string().min(1).describe('As after :instructions, such as (:induct :prove)'),
  ...inSession,
});

const BUILD: ProverAdapter<typeof Built> = {
  description:
    'Runs instructions of the proof-builder (as verify would) up to the first that fails, and returns the remaining goals with their hypotheses. The world is not changed; if no goal remains, the result has the defthm to admit.',
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
    'The rules of the world that match a term, as :PL shows them: the result of each, its hypotheses, and whether it is enabled. Use it if a rule should fire, or to find the one that does.',
  args: Matched,
  // For a symbol, :PL shows the symbol's own rules instead.
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

// Condenses the output of :PL for a term from five lines per matching rule to one or two.

/** Maximum number of rules; ACL2 can have hundreds for a common function. */
const MAX_RULES = 30;

/** Maximum characters of the new term, and of the hypotheses. */
const MAX_FIELD_LENGTH = 300;

interface MatchingRule {
  /** The rune of the rule. */
  rule: string;
  enabled: boolean;
  /** By the titles of :PL: New term, Hypotheses, Equiv, Free variable and others. */
  fields: ReadonlyMap<string, string>;
}

/** Lists the enabled rules first, each group in ACL2's order, which is the order of attempts. */
function matchingRulesText(printed: string): string {
  const rules = rulesIn(printed);
  if (rules.length === 0) return 'No rule of this world matches the term.';
  const enabled = rules.filter((each) => each.enabled);
  const ordered = [...enabled, ...rules.filter((each) => !each.enabled)];
  const more = ordered.length - MAX_RULES;
  return [
    `${counted(rules.length)} ${rules.length === 1 ? 'matches' : 'match'}, ${enabled.length} of them enabled, in the order in which ACL2 tries them:`,
    ...ordered.slice(0, MAX_RULES).map(ruleText),
    ...(more > 0 ? [`${more} more: narrow the term, or read :pl with acl2_evaluate.`] : []),
  ].join('\n');
}

function counted(rules: number): string {
  return rules === 1 ? '1 rule' : `${rules} rules`;
}

/**
 * Parses the output: a block for each rule, separated by blank lines. A field may continue over several
 * lines.
 */
function rulesIn(printed: string): MatchingRule[] {
  return printed.split(/\n\s*\n/).flatMap((block): MatchingRule[] => {
    const [title = '', ...lines] = block.trim().split(/\n(?= {2}\S)/);
    const rule = /^\(:[\s\S]*?\)/.exec(title)?.[0];
    if (rule === undefined) return [];
    return [{ rule: oneLine(rule), enabled: !title.includes('(disabled)'), fields: fieldsIn(lines) }];
  });
}

function fieldsIn(lines: readonly string[]): Map<string, string> {
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [, name, value] = /^ {2}([A-Z][\w ]*):([\s\S]*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, oneLine(value)]];
    }),
  );
}

/** Fields that are printed separately, and the substitution, which follows from the rest. */
const KNOWN: ReadonlySet<string> = new Set(['New term', 'Hypotheses', 'Equiv', 'Substitution']);

function ruleText({ rule, enabled, fields }: MatchingRule): string {
  const term = fields.get('New term');
  const hypotheses = fields.get('Hypotheses') ?? '<none>';
  const equivalence = fields.get('Equiv') ?? 'EQUAL';
  const others = [...fields].filter(([name]) => !KNOWN.has(name));
  return [
    `${rule}${enabled ? '' : ' (disabled)'}${term === undefined ? '' : ` → ${cut(term, MAX_FIELD_LENGTH)}`}${equivalence === 'EQUAL' ? '' : ` under ${equivalence}`}`,
    ...(hypotheses === '<none>' ? [] : [`  if ${cut(hypotheses.slice(1, -1), MAX_FIELD_LENGTH)}`]),
    ...others.map(([name, value]) => `  ${name.toLowerCase()}: ${cut(value, MAX_FIELD_LENGTH)}`),
  ].join('\n');
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

// The tool `acl2_retry`: submits a failed form again with other hints.

const Retried = z.strictObject({
  hints: z.string().min(1).describe('As after :hints, replacing the previous ones'),
  name: z.string().min(1).optional().describe('Of a theorem; default: the last failure'),
  ...inSession,
});

/** Maximum number of evaluations searched, the newest first. */
const SEARCHED_EVALUATIONS = 100;

/** The number of elements before the keywords, by operator, and the keywords that concern the proof. */
const BEFORE_KEYWORDS: ReadonlyMap<string, number> = new Map([
  ['THM', 2],
  ['DEFTHM', 3],
  ['DEFTHMD', 3],
  ['VERIFY-GUARDS', 2],
]);
const OF_PROOF: ReadonlySet<string> = new Set([':HINTS', ':INSTRUCTIONS']);

export function retryTool(options: EvaluateToolOptions): Tool {
  const isConjecture = ({ report }: EvaluationRecord) => report?.proof?.events.at(-1)?.operator === 'THM';
  return proverAdapters(options)('acl2_retry', {
    description:
      'Retries a theorem, conjecture or VERIFY-GUARDS that failed in this session, with other hints; if proved, it is admitted as it would have been.',
    args: Retried,
    code: async ({ hints, name }, session) => {
      const read = oneForm(hints, 'hints');
      return withHints(await failedForm(session, name, options), read);
    },
    render: (record, ours) => (isConjecture(record) ? provabilityText : admissionText)(record, ours),
    succeeds: (record) => (isConjecture(record) ? isProved(record) : isAccepted(record)),
  });
}

/** @throws HarborError `bad_arguments` if no such form has failed */
async function failedForm(
  session: Session,
  name: string | undefined,
  { history }: EvaluateToolOptions,
): Promise<OneForm> {
  const { rows } = await history.page({ session: session.id, limit: SEARCHED_EVALUATIONS });
  for (const { id } of rows) {
    const row = history.evaluations.find(id);
    const form = row && failedFormsOf(row).findLast((each) => name === undefined || isNamed(each, name));
    if (form) return form;
  }
  const what = name === undefined ? 'No theorem, conjecture or VERIFY-GUARDS' : `No event ${name}`;
  throw new HarborError(
    'bad_arguments',
    `${what} has failed lately in ${session.id}: submit it with its hints.`,
  );
}

/** Returns the failed forms. Forms of a loaded file are not in the code of the evaluation. */
function failedFormsOf({ code: submitted, report }: Evaluation): OneForm[] {
  const forms = formsIn(submitted, 'common-lisp') ?? [];
  return (report?.proof?.events ?? []).flatMap(({ form, operator, verdict, place }) => {
    const isFailed = verdict === 'failed' || verdict === 'interrupted';
    if (!isFailed || place !== undefined || operator === null || !BEFORE_KEYWORDS.has(operator)) return [];
    // The reader sees a keyword command as several forms.
    const text = [forms[form], ...forms.toReversed()].find(
      (each) => each !== undefined && operatorOf(each) === operator,
    );
    return text === undefined ? [] : [oneForm(text, 'code')];
  });
}

function operatorOf(form: string): string | undefined {
  return /^\(\s*(?:acl2::)?([\w-]+)/i.exec(form)?.[1]?.toUpperCase();
}

function isNamed(form: OneForm, name: string): boolean {
  const [, second] = form.elements('code');
  return String(second).toUpperCase() === name.toUpperCase();
}

/** Returns the form with these hints instead of its own. */
function withHints(form: OneForm, hints: OneForm): Code {
  const elements = form.elements('code');
  const start = BEFORE_KEYWORDS.get(operatorOf(String(form)) ?? '') ?? elements.length;
  const keywords = elements.slice(start).flatMap((given, index, all) => {
    const keyword = index % 2 === 1 ? all[index - 1] : undefined;
    return keyword === undefined || OF_PROOF.has(String(keyword).toUpperCase()) ? [] : [keyword, given];
  });
  return code`(${[...elements.slice(0, start), ...keywords]} :hints ${hints})`;
}
