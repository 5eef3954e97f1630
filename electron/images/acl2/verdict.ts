/** What a form's record comes to. Only the record decides: printed text proves nothing, "Q.E.D." included. */
import type { EventReport, KeyCheckpoint, KeyCheckpoints, ProofFigures, Verdict } from '../../contract/proof';
import { failedEvent, type Printed, rulesIn } from './messages';
import type { FormRecord } from './records';
import { ITSELF, theoremOf } from './suggestions/failure';
import { suggestionsFor } from './suggestions/suggestions';
import { readTerm, sameTerm } from './suggestions/term';

/** Operators of ACL2's that make an event; one that succeeded and changed nothing was redundant or passed over. */
const EVENT_OPERATORS: ReadonlySet<string> = new Set(
  `DEFABBREV DEFATTACH DEFAXIOM DEFCHOOSE DEFCONG DEFCONST DEFEQUIV DEFEVALUATOR DEFEXEC DEFINE-TRUSTED-CLAUSE-PROCESSOR
  DEFLABEL DEFMACRO DEFPKG DEFPROXY DEFREC DEFREFINEMENT DEFSTOBJ DEFABSSTOBJ DEFSTUB DEFTHEORY DEFTHM DEFTHMD DEFTTAG DEFUN
  DEFUN-INLINE DEFUN-NOTINLINE DEFUN-NX DEFUN-SK DEFUND DEFUND-INLINE DEFUND-NX DEFWARRANT ENCAPSULATE IN-ARITHMETIC-THEORY
  IN-THEORY INCLUDE-BOOK LOCAL MUTUAL-RECURSION REGENERATE-TAU-DATABASE SET-BODY TABLE THEORY-INVARIANT VERIFY-GUARDS
  VERIFY-TERMINATION`.split(/\s+/),
);

/** What they submit is told by itself; they tell only that the world is an earlier one. */
const OF_THE_HARBOR = /^HARBOR-(?:UNDO|UNDO-ONE|LOAD|PORTCULLIS|REPLAY|RESTORE|OBSERVE|VERIFY|CHECK-SYNTAX)$/;
const TOLD_OF_THEM: ReadonlySet<Verdict> = new Set(['undone', 'restored']);

const RESTORES = 'HARBOR-RESTORE';

/** What takes a command away and has in its place what it stands for, as ACL2 does it without proofs. */
const REPLACES: ReadonlySet<string> = new Set(['PUFF', 'PUFF*']);

/** The operator that proves without an event. Proofs inside other forms, such as (skip-proofs (thm nil)), are not told. */
const PROVES = 'THM';

export function verdictOf(record: FormRecord): Verdict {
  if (!record.ok) return failure(record);
  if (record.operator === RESTORES) return record.world === 'same' ? 'value' : 'restored';
  if (record.world === 'retracted') return REPLACES.has(record.operator ?? '') ? 'skipped' : 'undone';
  if (record.events.length > 0) return admission(record);
  if (record.operator === PROVES) return record.skipping ? 'skipped' : 'proved';
  if (record.found_again.length > 0) return 'redundant';
  return record.redundant || EVENT_OPERATORS.has(record.operator ?? '') ? 'no-effect' : 'value';
}

/** Whether the prover was told to stop, or the form was unwound. */
export function wasInterrupted({ ok, interrupted, data }: FormRecord): boolean {
  return !ok && (interrupted || (data?.abortCauses.includes('INTERRUPT') ?? false));
}

/** What the report has of the form at place `form`; null where it only had values. */
export function eventReport(record: FormRecord, form: number, printed: Printed): EventReport | null {
  const verdict = verdictOf(record);
  if (OF_THE_HARBOR.test(record.operator ?? '') && !TOLD_OF_THEM.has(verdict)) return null;
  const tried = record.data !== null || record.checkpoints !== null;
  const { operator, command, issues } = record;
  const checkpoints = record.checkpoints && withUnchanged(record.checkpoints, record.form);
  const [events, eventCount] = told(record, verdict);
  const figures = operator === PROVES ? withPrintedRules(record.data, printed.commentary) : record.data;
  const suggestions = verdict === 'failed' ? suggestionsFor(record, printed) : [];
  const failedAt = verdict === 'failed' ? (failedEvent(printed) ?? submitted(record)) : null;
  if (verdict === 'value' || (verdict === 'failed' && !tried && suggestions.length === 0)) return null;
  const place = placeOf(record);
  return {
    form,
    ...(place ? { place } : {}),
    operator,
    verdict,
    command,
    events,
    eventCount,
    figures,
    checkpoints,
    ...(failedAt === null ? {} : { failedAt }),
    ...(suggestions.length > 0 ? { suggestions } : {}),
    issues,
  };
}

/** The operator and the name of the form itself, as of DEFINE, which is no event of ACL2's; null where it has no name. */
function submitted({ form, operator }: FormRecord): string | null {
  const [, name] = /^\(\S+\s+([^\s()"#';:]+)\s/.exec(form) ?? [];
  return name === undefined || operator === null ? null : `${operator} ${name}`;
}

/** The events that it brought, or found in the world already, and how many. */
function told(record: FormRecord, verdict: Verdict): [EventReport['events'], number] {
  const { events, event_count: eventCount, found_again: found } = record;
  return verdict === 'redundant' ? [found, found.length] : [events, eventCount];
}

function placeOf({ part }: FormRecord): EventReport['place'] {
  return part?.file === undefined ? undefined : { file: part.file, line: part.line ?? 1 };
}

/** ACL2 8.5 makes an event of THM and forgets its rules with it, so they are taken from what it printed. */
function withPrintedRules(figures: ProofFigures | null, commentary: string): ProofFigures | null {
  return figures && { ...figures, rules: rulesIn(commentary) };
}

/** Says of goals that they are what was submitted. */
function withUnchanged(checkpoints: KeyCheckpoints, form: string): KeyCheckpoints {
  const theorem = theoremOf({ form: readTerm(form) });
  if (theorem === null) return checkpoints;
  const isUnchanged = (goal: KeyCheckpoint) => {
    const term = readTerm(goal.form);
    return goal.form === ITSELF || (term !== null && sameTerm(term, theorem.conjecture));
  };
  const told = (goals: readonly KeyCheckpoint[]) =>
    goals.map((goal) => (isUnchanged(goal) ? { ...goal, unchanged: true } : goal));
  const { top, induction, reverted } = checkpoints;
  return { ...checkpoints, top: told(top), induction: told(induction), reverted: told(reverted) };
}

function failure(record: FormRecord): Verdict {
  if (!wasInterrupted(record)) return 'failed';
  return record.world === 'same' ? 'interrupted' : 'changed-then-interrupted';
}

/** Events of a certified book are included without their proofs: those were done when it was certified. */
function admission({ axiom, skipped, operator }: FormRecord): Verdict {
  if (axiom) return 'axiom';
  return skipped && operator !== 'INCLUDE-BOOK' ? 'skipped' : 'admitted';
}
