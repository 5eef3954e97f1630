/** Computes the verdict of a form from its record alone. Printed text such as "Q.E.D." proves nothing. */
import type { EventReport, KeyCheckpoint, KeyCheckpoints, ProofFigures, Verdict } from '../../contract/proof';
import { failedEvent, type Printed, rulesIn } from './messages';
import type { FormRecord, TriedClaim } from './records';
import { ITSELF, theoremOf } from './suggestions/failure';
import { suggestionsFor } from './suggestions/suggestions';
import { readTerm, sameTerm } from './terms';

/** Operators of events. A successful event that changed nothing was redundant or skipped. */
const EVENT_OPERATORS: ReadonlySet<string> = new Set(
  `DEFABBREV DEFATTACH DEFAXIOM DEFCHOOSE DEFCONG DEFCONST DEFEQUIV DEFEVALUATOR DEFEXEC DEFINE-TRUSTED-CLAUSE-PROCESSOR
  DEFLABEL DEFMACRO DEFPKG DEFPROXY DEFREC DEFREFINEMENT DEFSTOBJ DEFABSSTOBJ DEFSTUB DEFTHEORY DEFTHM DEFTHMD DEFTTAG DEFUN
  DEFUN-INLINE DEFUN-NOTINLINE DEFUN-NX DEFUN-SK DEFUND DEFUND-INLINE DEFUND-NX DEFWARRANT ENCAPSULATE IN-ARITHMETIC-THEORY
  IN-THEORY INCLUDE-BOOK LOCAL MUTUAL-RECURSION REGENERATE-TAU-DATABASE SET-BODY TABLE THEORY-INVARIANT VERIFY-GUARDS
  VERIFY-TERMINATION`.split(/\s+/),
);

/**
 * Forms of the harbor. The forms that they submit have their own records; of these only a return to an
 * earlier world is reported.
 */
const HARBOR_FORM =
  /^HARBOR-(?:DOC|UNDO|UNDO-ONE|LOAD|LOAD-UNTIL|PROVE|PORTCULLIS|REPLAY|RESTORE|OBSERVE|VERIFY|CHECK-SYNTAX)$/;
const REPORTED_VERDICTS: ReadonlySet<Verdict> = new Set(['undone', 'restored']);

const RESTORES = 'HARBOR-RESTORE';

/** Operators that replace a command with its expansion without proofs. */
const REPLACES: ReadonlySet<string> = new Set(['PUFF', 'PUFF*']);

/**
 * The operator that proves without an event. Proofs inside other forms, such as (skip-proofs (thm nil)), are
 * not reported.
 */
const PROVES = 'THM';

export function verdictOf(record: FormRecord): Verdict {
  const verdict = verdictOfWorld(record);
  return SUCCESSES.has(verdict) && record.claims.some(isWithdrawn) ? 'refuted' : verdict;
}

/** Reports whether ACL2 proved a claim that is false. */
export function isWithdrawn({ verdict, assumed }: TriedClaim): boolean {
  return verdict === 'false' && !assumed;
}

/** Successes that a false claim withdraws. Nothing else says that a claim was proved. */
const SUCCESSES: ReadonlySet<Verdict> = new Set(['proved', 'admitted']);

function verdictOfWorld(record: FormRecord): Verdict {
  if (!record.ok) return failure(record);
  if (record.operator === RESTORES) return record.world === 'same' ? 'value' : 'restored';
  if (record.world === 'retracted') return REPLACES.has(record.operator ?? '') ? 'skipped' : 'undone';
  if (record.events.length > 0) return admission(record);
  if (record.operator === PROVES) return record.skipping ? 'skipped' : 'proved';
  if (record.found_again.length > 0) return 'redundant';
  return record.redundant || EVENT_OPERATORS.has(record.operator ?? '') ? 'no-effect' : 'value';
}

/** Reports whether the prover was stopped or the form was unwound. */
export function wasInterrupted({ ok, interrupted, data }: FormRecord): boolean {
  return !ok && (interrupted || (data?.abortCauses.includes('INTERRUPT') ?? false));
}

/** Returns the report of form number `form`; null if it only returned values. */
export function eventReport(record: FormRecord, form: number, printed: Printed): EventReport | null {
  const verdict = verdictOf(record);
  if (HARBOR_FORM.test(record.operator ?? '') && !REPORTED_VERDICTS.has(verdict)) return null;
  const tried = record.data !== null || record.checkpoints !== null;
  const { operator, command, issues } = record;
  // After a success the prover's record has goals that it abandoned on its way to the proof.
  const checkpoints = record.ok ? null : record.checkpoints && withUnchanged(record.checkpoints, record.form);
  const [events, eventCount] = reportedEvents(record, verdict);
  const figures = figuresOf(record, printed);
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

/**
 * Returns operator and name of the form itself, as for DEFINE, which is not an ACL2 event; null for a form
 * without a name.
 */
function submitted({ form, operator }: FormRecord): string | null {
  const [, name] = /^\(\S+\s+([^\s()"#';:]+)\s/.exec(form) ?? [];
  return name === undefined || operator === null ? null : `${operator} ${name}`;
}

/** Returns the events that the form added or found in the world, and their number. */
function reportedEvents(record: FormRecord, verdict: Verdict): [EventReport['events'], number] {
  const { events, event_count: eventCount, found_again: found } = record;
  return verdict === 'redundant' ? [found, found.length] : [events, eventCount];
}

function placeOf({ part }: FormRecord): EventReport['place'] {
  return part?.file === undefined ? undefined : { file: part.file, line: part.line ?? 1 };
}

/**
 * Takes the rules of THM from the printed summary: ACL2 8.5 turns it into an event and loses its rules. The
 * causes of a success are no reasons: an induction on the original conjecture counts as one.
 */
function figuresOf({ data, operator, ok }: FormRecord, { commentary }: Printed): ProofFigures | null {
  return (
    data && {
      ...data,
      ...(operator === PROVES ? { rules: rulesIn(commentary) } : {}),
      ...(ok ? { abortCauses: [] } : {}),
    }
  );
}

/** Marks goals that are equal to the submitted conjecture. */
function withUnchanged(checkpoints: KeyCheckpoints, form: string): KeyCheckpoints {
  const theorem = theoremOf({ form: readTerm(form) });
  if (theorem === null) return checkpoints;
  const isUnchanged = (goal: KeyCheckpoint) => {
    const term = readTerm(goal.form);
    return goal.form === ITSELF || (term !== null && sameTerm(term, theorem.conjecture));
  };
  const marked = (goals: readonly KeyCheckpoint[]) =>
    goals.map((goal) => (isUnchanged(goal) ? { ...goal, unchanged: true } : goal));
  const { top, induction, reverted } = checkpoints;
  return { ...checkpoints, top: marked(top), induction: marked(induction), reverted: marked(reverted) };
}

function failure(record: FormRecord): Verdict {
  if (!wasInterrupted(record)) return 'failed';
  return record.world === 'same' ? 'interrupted' : 'changed-then-interrupted';
}

/** Events of a certified book count as proved: its certification proved them. */
function admission({ axiom, skipped, operator }: FormRecord): Verdict {
  if (axiom) return 'axiom';
  return skipped && operator !== 'INCLUDE-BOOK' ? 'skipped' : 'admitted';
}
