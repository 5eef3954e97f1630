/** Authorization: pure decisions, and the grant that records one. */
import type { AcceptedCall, ApprovalAnswer, ApprovalClass, ApprovalRule, Grant } from '../contract/approvals';
import type { Client, Scope } from '../contract/model';
import type { TraceContext } from '../contract/trace-context';

/** Returns the grant of a client for acts of that class. Only the gate calls it, once it admitted the call. */
export function grantFor(
  client: string,
  act: ApprovalClass | null,
  call: AcceptedCall | null = null,
  trace?: TraceContext,
): Grant {
  return { client, class: act, call, ...(trace && { trace }) } as Grant;
}

/** Reports whether the grant covers the act. */
export function covers(grant: Grant | null, client: string, act: ApprovalClass): boolean {
  return grant !== null && grant.client === client && grant.class === act;
}

/** Reports whether the client has the scope. Scopes do not include each other. */
export function mayUse(client: Client, scope: Scope): boolean {
  return client.scopes.has(scope);
}

/** The answers without a rule of the user. */
const DEFAULT_ANSWERS: Readonly<Record<ApprovalClass, ApprovalAnswer>> = {
  evaluate: 'allow',
  load: 'allow',
  write: 'allow',
  kill: 'allow',
  network: 'ask',
  attach: 'ask',
};

/**
 * Returns the answer for an act of this class and the rule behind it, as a sentence. A rule for the client
 * takes precedence over one for all clients; of several such rules the last one applies. Loading evaluates a
 * file, so without a rule for loading, one for evaluating applies.
 * @param unlessRuled the answer if no rule applies
 */
export function decideApproval(
  client: string,
  act: ApprovalClass,
  rules: readonly ApprovalRule[],
  unlessRuled: ApprovalAnswer = DEFAULT_ANSWERS[act],
): { answer: ApprovalAnswer; rule: string } {
  const fitting = rules.filter((rule) => rule.class === act);
  const own = fitting.findLast((rule) => rule.client === client);
  const found = own ?? fitting.findLast((rule) => rule.client === null);
  if (!found && act === 'load') return decideApproval(client, 'evaluate', rules, unlessRuled);
  if (!found) return { answer: unlessRuled, rule: `${act}: ${unlessRuled}, unless a rule changes it` };
  return { answer: found.answer, rule: `${act}: ${found.answer}, for ${own ? client : 'every client'}` };
}
