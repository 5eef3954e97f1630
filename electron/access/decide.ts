/** Who may do what: pure decisions. */
import type { ApprovalAnswer, ApprovalClass, ApprovalRule } from '../contract/approvals';
import type { Client, Scope } from '../contract/model';

/** Each scope is given by name; none includes another. */
export function mayUse(client: Client, scope: Scope): boolean {
  return client.scopes.has(scope);
}

/** What holds where no person has said anything. */
const USUAL: Readonly<Record<ApprovalClass, ApprovalAnswer>> = {
  evaluate: 'allow',
  load: 'allow',
  write: 'allow',
  kill: 'allow',
  network: 'ask',
  attach: 'ask',
};

/** What becomes of an act of this class, and the rule that says so, as a sentence for people. The later of two rules wins. To
 * load is to evaluate what a file holds: where no rule is about loading, one about evaluating is.
 * @param unlessRuled what holds where no rule fits */
export function approvalOf(
  client: string,
  act: ApprovalClass,
  rules: readonly ApprovalRule[],
  unlessRuled: ApprovalAnswer = USUAL[act],
): { answer: ApprovalAnswer; rule: string } {
  const fitting = rules.filter((rule) => rule.class === act);
  const own = fitting.findLast((rule) => rule.client === client);
  const found = own ?? fitting.findLast((rule) => rule.client === null);
  if (!found && act === 'load') return approvalOf(client, 'evaluate', rules, unlessRuled);
  if (!found)
    return { answer: unlessRuled, rule: `${act}: ${unlessRuled}, as long as no rule says otherwise` };
  return { answer: found.answer, rule: `${act}: ${found.answer}, for ${own ? client : 'every client'}` };
}
