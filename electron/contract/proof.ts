/**
 * Reports of ACL2: events, failed proofs, what a success depends on, certification of books, and final
 * checks. Names and forms are written for package ACL2; `text` is as ACL2 prints it in the session's package.
 */
import { z } from 'zod';
import { TRUST_TAG } from './option-values';
import { AdmittedEvent, LostCommand, WorldChange } from './world';

/**
 * State of a book in a certification. `waiting`: for books that it includes, or for a process. `at-work`:
 * being certified. `unchanged`: its certificate is still valid. `interrupted`: while being certified; `left`:
 * not started, because of a failed book below it or an interrupt.
 */
export const BookState = z.enum([
  'waiting',
  'at-work',
  'certified',
  'unchanged',
  'failed',
  'interrupted',
  'left',
]);
export type BookState = z.infer<typeof BookState>;

export const BookReport = z.object({
  /** Name in the project, without `.lisp`. */
  book: z.string(),
  /** Project books that it includes directly. */
  includes: z.array(z.string()),
  state: BookState,
  /** Start time and duration of its process; absent if it did not start, or has not ended. */
  startedAt: z.number().optional(),
  durationMs: z.number().optional(),
  /** Reason of a failure in one line; for a book that was not started, the book that failed. */
  because: z.string().optional(),
  /** The last goal that the prover printed, while it is being certified. */
  goal: z.string().optional(),
  /** End of the output, if it failed or was interrupted. */
  log: z.string().optional(),
});
export type BookReport = z.infer<typeof BookReport>;

/**
 * `book` is the file without its extension; `certificate` is the certificate file, null if ACL2 wrote none.
 */
export const Certification = z.object({
  book: z.string(),
  certificate: z.string().nullable(),
  /** All books certified with it, each after those that it includes. */
  books: z.array(BookReport).optional(),
});
export type Certification = z.infer<typeof Certification>;

/**
 * Dependency of a success in addition to ACL2's soundness. `outside-book`: a book that is no system book;
 * its certificate is as trustworthy as everybody who can write next to it, and its compiled file is not
 * loaded. `proofs-skipped-now`, `redefinition-allowed`, `raw-mode` and `illegal-state` are states of the
 * session; `program-mode` belongs to the form. `refuted`: theorems that are false for some values, so that anything
 * can be proved. `raw-lisp-allowed`: the user allowed raw Lisp in the session,
 * which could forge any result.
 */
export const TrustIssueKind = z.enum([
  'refuted',
  'skip-proofs',
  'proofs-skipped-now',
  'axiom',
  'trust-tag',
  'redefinition',
  'redefinition-allowed',
  'uncertified-book',
  'book-with-axioms',
  'book-with-skipped-proofs',
  'outside-book',
  'system-books',
  'program-mode',
  'raw-mode',
  'raw-lisp-allowed',
  'illegal-state',
]);
export type TrustIssueKind = z.infer<typeof TrustIssueKind>;

export const TrustTag = z.string().regex(TRUST_TAG);

/** `about` names the axioms, books, trust tags or functions. */
export const TrustIssue = z.object({ kind: TrustIssueKind, about: z.array(z.string()) });
export type TrustIssue = z.infer<typeof TrustIssue>;

/**
 * A goal that the prover could not simplify further. `pushed`: it was proved by induction, or would have
 * been, under these ACL2 names, such as `*1.2`.
 */
export const KeyCheckpoint = z.object({
  goal: z.string(),
  text: z.string(),
  form: z.string(),
  pushed: z.string().nullable(),
  /** It is the conjecture as submitted. */
  unchanged: z.boolean().optional(),
});
export type KeyCheckpoint = z.infer<typeof KeyCheckpoint>;

/**
 * Checkpoints before any induction (`top`) and under one; `reverted` ones were abandoned for an induction.
 */
export const KeyCheckpoints = z.object({
  top: z.array(KeyCheckpoint),
  induction: z.array(KeyCheckpoint),
  reverted: z.array(KeyCheckpoint),
  /** Number of further ones, which only the prover's log contains. */
  untold: z.number().int().optional(),
  /** Why ACL2 abandoned the proof, such as `DO-NOT-INDUCT`; null if it ran to its end. */
  gaveUp: z.string().nullable(),
});
export type KeyCheckpoints = z.infer<typeof KeyCheckpoints>;

/**
 * Result of a top-level form. Only `proved` and `admitted` are successes of the prover. `skipped`: admitted
 * without proof. `redundant`: its events are already in the world. `no-effect`: an event form that ACL2
 * skipped, as a theorem in :PROGRAM mode, or one that claims to be redundant and is not. `restored`: the
 * world of a checkpoint was restored. `changed-then-interrupted`: interrupted after the world had changed.
 * `refuted`: ACL2 accepted it, but it is false for some values.
 */
export const Verdict = z.enum([
  'proved',
  'admitted',
  'redundant',
  'skipped',
  'axiom',
  'no-effect',
  'undone',
  'restored',
  'failed',
  'interrupted',
  'changed-then-interrupted',
  'refuted',
  'value',
]);
export type Verdict = z.infer<typeof Verdict>;

/**
 * ACL2's statistics of an event. Informative only, because code can assign them. A negative count of steps
 * means that a limit was reached.
 */
export const ProofFigures = z.object({
  steps: z.number().int().nullable(),
  milliseconds: z.number().int().nullable(),
  /** For THM, which records no rules, as printed in its summary. */
  rules: z.array(z.string()),
  hintEvents: z.array(z.string()),
  splitterRules: z.array(z.string()),
  warnings: z.array(z.string()),
  abortCauses: z.array(z.string()),
});
export type ProofFigures = z.infer<typeof ProofFigures>;

/** The result of trying a suggestion with ACL2. `lemma-proved`: it holds, but the form still fails after it. */
const SuggestionTrial = z.enum(['proved', 'lemma-proved', 'failed']);
export type SuggestionTrial = z.infer<typeof SuggestionTrial>;

/**
 * A suggestion for a failed proof, derived from its checkpoints. It may be wrong, unless `text` says that it was
 * tried and is proved. A `counterexample` was evaluated: it holds by ACL2's definitions. `goal` is the checkpoint
 * it comes from, `form` a form to submit instead, or before.
 */
export const Suggestion = z.object({
  kind: z.enum([
    'counterexample',
    'hypothesis',
    'lemma',
    'generalize',
    'induction',
    'theory',
    'measure',
    'guard',
    'limit',
  ]),
  text: z.string(),
  goal: z.string().nullable(),
  form: z.string().nullable(),
  trial: SuggestionTrial.optional(),
});
export type Suggestion = z.infer<typeof Suggestion>;

/**
 * Report of a form that is an event or tried a proof. `form` counts the top-level forms of the evaluation
 * from 0; a form that loads a file submits the forms of the file, each from its `place`.
 */
export const EventReport = z.object({
  form: z.number().int(),
  place: z.object({ file: z.string(), line: z.number().int() }).optional(),
  operator: z.string().nullable(),
  verdict: Verdict,
  /** The last command of the world after it, as :PBT and :UBT count. */
  command: z.number().int(),
  events: z.array(AdmittedEvent),
  /**
   * Number of all events that the form added, or found in the world if it is redundant. `events` has the
   * outer ones and the last of the inner ones.
   */
  eventCount: z.number().int(),
  figures: ProofFigures.nullable(),
  checkpoints: KeyCheckpoints.nullable(),
  /**
   * The event that failed according to ACL2's message, such as `DEFTHM APP-NIL` in an ENCAPSULATE; absent for
   * none.
   */
  failedAt: z.string().optional(),
  /** Suggestions, if it failed. */
  suggestions: z.array(Suggestion).optional(),
  issues: z.array(TrustIssue),
});
export type EventReport = z.infer<typeof EventReport>;

export const BuilderGoal = z.object({
  /** `MAIN`, or `(MAIN . 1)` for a goal derived from it. */
  name: z.string(),
  hypotheses: z.array(z.string()),
  conclusion: z.string(),
  /** Position in the conclusion after dive instructions; empty at the top. */
  address: z.array(z.number().int()),
});
export type BuilderGoal = z.infer<typeof BuilderGoal>;

/** Goals after the last successful instruction, the current one first; none if all is proved. */
export const BuilderState = z.object({ goals: z.array(BuilderGoal) });
export type BuilderState = z.infer<typeof BuilderState>;

/** Result of instructions: remaining goals, and why one failed; null if none did. */
export const BuiltProof = BuilderState.extend({ evaluation: z.int(), problem: z.string().nullable() });
export type BuiltProof = z.infer<typeof BuiltProof>;

/** One attempt to apply a monitored rule. */
export const RuleAttempt = z.object({
  rule: z.string(),
  /** The term that the rule matched. */
  target: z.string(),
  substitution: z.array(z.object({ variable: z.string(), term: z.string() })),
  /** The rewritten target; null if the rule was not applied. */
  result: z.string().nullable(),
  /**
   * Why it was not applied, as break-rewrite prints it: ":HYP 1 rewrote to (TRUE-LISTP B)."; null if it was.
   */
  failure: z.string().nullable(),
  /** 1, or more for an attempt while relieving a hypothesis of another. */
  depth: z.number().int(),
});
export type RuleAttempt = z.infer<typeof RuleAttempt>;

/** Cost of a rule according to accumulated persistence; `useful` counts attempts that succeeded. */
export const RuleCost = z.object({
  rule: z.string(),
  frames: z.number().int(),
  usefulFrames: z.number().int(),
  tries: z.number().int(),
  usefulTries: z.number().int(),
});
export type RuleCost = z.infer<typeof RuleCost>;

/**
 * Either attempts of monitored rules, the first ones of `attemptCount`, or costs of all rules, highest first.
 */
export const RuleObservation = z.object({
  attempts: z.array(RuleAttempt),
  attemptCount: z.number().int(),
  costs: z.array(RuleCost),
  /** Monitored rules that are disabled; only hints can enable them. */
  disabled: z.array(z.string()).optional(),
});
export type RuleObservation = z.infer<typeof RuleObservation>;

/** `issues` are those of all successes of the evaluation, and of the world after it. */
export const ProofReport = z.object({
  events: z.array(EventReport),
  issues: z.array(TrustIssue),
  command: z.number().int().nullable(),
  /** Data for rebuilding the world; absent if it has not changed. */
  change: WorldChange.optional(),
  /** Commands that were lost by undoing another one. */
  lost: z.array(LostCommand).optional(),
  certification: Certification.optional(),
  /** Observed rules of a proof. */
  observation: RuleObservation.optional(),
  /** State after proof-builder instructions. */
  builder: BuilderState.optional(),
});
export type ProofReport = z.infer<typeof ProofReport>;

/**
 * Progress of an evaluation. Other members are null if the host Lisp cannot report them, or no proof is
 * running. Steps are counted at each goal; `stack` names the prover's processes, innermost first.
 */
export const ProofProgress = z.object({
  /** The current form, counted from 0. */
  form: z.number().int(),
  /** The last goal that ACL2 printed. */
  goal: z.string().nullable(),
  steps: z.number().int().nullable(),
  stack: z.string().nullable(),
  checkpoints: KeyCheckpoints.nullable(),
  /**
   * Progress of each book during a certification. The other members then belong to the book that started
   * first.
   */
  books: z.array(BookReport).optional(),
});
export type ProofProgress = z.infer<typeof ProofProgress>;

/**
 * `names` are introduced by the event; for a failed one, the place of the failure if ACL2 reports it.
 * `checkpoints` counts key checkpoints.
 */
export const EventSummary = z.object({
  operator: z.string().nullable(),
  verdict: Verdict,
  names: z.array(z.string()),
  steps: z.number().int().nullable(),
  milliseconds: z.number().int().nullable(),
  checkpoints: z.number().int(),
});
export type EventSummary = z.infer<typeof EventSummary>;

/** `events` has the last ones of `total`, because a failure is at the end. */
export const ProofSummary = z.object({
  events: z.array(EventSummary),
  total: z.number().int(),
  issues: z.array(TrustIssue),
});
export type ProofSummary = z.infer<typeof ProofSummary>;

/** Name of the final check as a test framework. */
export const FINAL_CHECK = 'final-check';

/** Type of the condition when a final check fails. */
export const FINAL_CHECK_FAILED = 'Final check';

/** A theorem. `formula` is as ACL2 prints it, `term` its translation; both are read in package ACL2. */
export const CheckedTheorem = z.object({ name: z.string(), formula: z.string(), term: z.string() });
export type CheckedTheorem = z.infer<typeof CheckedTheorem>;

/**
 * A function that theorems mention. `axiom` is its definition, or the constraint of an undefined one; null if
 * ACL2 cannot print it.
 */
export const CheckedFunction = z.object({
  name: z.string(),
  constrained: z.boolean(),
  axiom: z.string().nullable(),
});
export type CheckedFunction = z.infer<typeof CheckedFunction>;

/**
 * Content of a world beyond ACL2 and its system books: the first theorems, the functions that they mention,
 * and all that it depends on. `lisp` is the host Lisp.
 */
const Theorems = z.object({
  theorems: z.array(CheckedTheorem),
  theoremCount: z.number().int(),
  functions: z.array(CheckedFunction),
  functionCount: z.number().int(),
  issues: z.array(TrustIssue),
  acl2: z.string(),
  lisp: z.string(),
});

/**
 * A source file as the harbor read it. `file` is relative to the start folder, or for a system book to the
 * books folder. `text` is set if there is no file.
 */
export const CheckedFile = z.object({
  file: z.string(),
  sha256: z.string(),
  role: z.enum(['book', 'portcullis', 'loaded', 'system']),
  text: z.string().optional(),
});
export type CheckedFile = z.infer<typeof CheckedFile>;

/**
 * Report of a final check, which rebuilds a claim from its sources in new processes. `claim` is the requested
 * theorem, null for all of `book`. `notes`: what the check does not cover.
 */
export const FinalCheck = Theorems.extend({
  claim: z.string().nullable(),
  book: z.string(),
  files: z.array(CheckedFile),
  trustTags: z.array(z.string()),
  checkedAt: z.number(),
  durationMs: z.number(),
  /** Submitted forms in order, each in a process of its own. */
  steps: z.array(z.string()),
  notes: z.array(z.string()),
});
export type FinalCheck = z.infer<typeof FinalCheck>;
