/**
 * What evaluating in ACL2 tells beside values: what became of each event, why a proof failed, and what a success rests
 * on. Names and forms are written as they are read in package ACL2; `text` is as ACL2 prints it in the session's package.
 */
import { z } from 'zod';
import { BookReport, Certification } from './certification';
import { TRUST_TAG } from './trust-tag';
import { AdmittedEvent, LostCommand, WorldChange } from './world';

/**
 * What a success may rest on beside ACL2's own soundness. `outside-book`: a book that is not among the system's, whose
 * certificate is as good as those who can write beside it; compiled files of such books are not loaded. `proofs-skipped-now`,
 * `redefinition-allowed`, `raw-mode` and `illegal-state` are ways the session is set, `program-mode` is of the form.
 * `raw-lisp-allowed`: a person has let code of the session into the Lisp below ACL2, where it could forge any result.
 */
export const TrustIssueKind = z.enum([
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
  'program-mode',
  'raw-mode',
  'raw-lisp-allowed',
  'illegal-state',
]);
export type TrustIssueKind = z.infer<typeof TrustIssueKind>;

export const TrustTag = z.string().regex(TRUST_TAG);

/** `about` names what it concerns: axioms, books, trust tags, functions. */
export const TrustIssue = z.object({ kind: TrustIssueKind, about: z.array(z.string()) });
export type TrustIssue = z.infer<typeof TrustIssue>;

/**
 * A goal that the prover could not simplify further. `pushed`: it then went on by induction, or would have, under these
 * names of ACL2's, such as `*1.2`.
 */
export const KeyCheckpoint = z.object({
  goal: z.string(),
  text: z.string(),
  form: z.string(),
  pushed: z.string().nullable(),
  /** It is the conjecture as it was submitted. */
  unchanged: z.boolean().optional(),
});
export type KeyCheckpoint = z.infer<typeof KeyCheckpoint>;

/** Checkpoints before any induction (`top`) and under one; `reverted` were given up in favour of an induction. */
export const KeyCheckpoints = z.object({
  top: z.array(KeyCheckpoint),
  induction: z.array(KeyCheckpoint),
  reverted: z.array(KeyCheckpoint),
  /** How many more there are, which only the prover's log has. */
  untold: z.number().int().optional(),
  /** Why ACL2 gave the proof up, such as `DO-NOT-INDUCT`; null when it went as far as it could. */
  gaveUp: z.string().nullable(),
});
export type KeyCheckpoints = z.infer<typeof KeyCheckpoints>;

/**
 * What became of a top-level form. Only `proved` and `admitted` are successes of the prover. `skipped`: admitted, its
 * proofs left out. `redundant`: its events are in the world already.
 * `no-effect`: an event form that ACL2 passed over, as it does with theorems in :PROGRAM mode, or one that says it is
 * redundant and is not.
 * `restored`: the world is that of a checkpoint now.
 * `changed-then-interrupted`: the interrupt came after the world had changed.
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
  'value',
]);
export type Verdict = z.infer<typeof Verdict>;

/** ACL2's own figures of an event: advice, since code can assign them. A negative count of steps is a limit reached. */
export const ProofFigures = z.object({
  steps: z.number().int().nullable(),
  milliseconds: z.number().int().nullable(),
  /** Of THM, whose figures have none, as its summary prints them. */
  rules: z.array(z.string()),
  hintEvents: z.array(z.string()),
  splitterRules: z.array(z.string()),
  warnings: z.array(z.string()),
  abortCauses: z.array(z.string()),
});
export type ProofFigures = z.infer<typeof ProofFigures>;

/**
 * What might help with a proof that failed, made up from its checkpoints and from nothing that was tried: it may be wrong.
 * A `counterexample` alone was tried: it holds by ACL2's definitions.
 * `goal` is the checkpoint that it comes from, `form` what could be submitted instead, or before.
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
});
export type Suggestion = z.infer<typeof Suggestion>;

/**
 * A form that is an event, or tried a proof. `form` counts the top-level forms of the evaluation from 0; one that loads
 * a file submits those of the file, each from its `place`.
 */
export const EventReport = z.object({
  form: z.number().int(),
  place: z.object({ file: z.string(), line: z.number().int() }).optional(),
  operator: z.string().nullable(),
  verdict: Verdict,
  /** The world's last command after it, as :PBT and :UBT count. */
  command: z.number().int(),
  events: z.array(AdmittedEvent),
  /** Of all events, of which `events` has the outer ones and the last of the inner ones: those that the form brought, or found
   * in the world where it is redundant. */
  eventCount: z.number().int(),
  figures: ProofFigures.nullable(),
  checkpoints: KeyCheckpoints.nullable(),
  /** The event at which it has failed, such as `DEFTHM APP-NIL` of an ENCAPSULATE, by ACL2's message; absent where there is none. */
  failedAt: z.string().optional(),
  /** Where it has failed. */
  suggestions: z.array(Suggestion).optional(),
  issues: z.array(TrustIssue),
});
export type EventReport = z.infer<typeof EventReport>;

export const BuilderGoal = z.object({
  /** `MAIN`, or `(MAIN . 1)` for one that came of it. */
  name: z.string(),
  hypotheses: z.array(z.string()),
  conclusion: z.string(),
  /** Where in the conclusion the instructions have dived to; empty at its top. */
  address: z.array(z.number().int()),
});
export type BuilderGoal = z.infer<typeof BuilderGoal>;

/** The goals after the last instruction that succeeded, the present one first; none when all is proved. */
export const BuilderState = z.object({ goals: z.array(BuilderGoal) });
export type BuilderState = z.infer<typeof BuilderState>;

/** What came of instructions: the goals that they have left, and why one of them failed; null where none did. */
export const BuiltProof = BuilderState.extend({ evaluation: z.int(), problem: z.string().nullable() });
export type BuiltProof = z.infer<typeof BuiltProof>;

/** One time that the prover tried to apply a rule which was watched. */
export const RuleAttempt = z.object({
  rule: z.string(),
  /** The term that the rule matched. */
  target: z.string(),
  substitution: z.array(z.object({ variable: z.string(), term: z.string() })),
  /** What the rule made of the target; null where it was not applied. */
  result: z.string().nullable(),
  /** Why it was not applied, as break-rewrite says it: ":HYP 1 rewrote to (TRUE-LISTP B)."; null where it was. */
  failure: z.string().nullable(),
  /** 1, and more for attempts that others have made while they relieved a hypothesis. */
  depth: z.number().int(),
});
export type RuleAttempt = z.infer<typeof RuleAttempt>;

/** What a rule has cost, as accumulated persistence counts it; `useful` are those of attempts that ended in success. */
export const RuleCost = z.object({
  rule: z.string(),
  frames: z.number().int(),
  usefulFrames: z.number().int(),
  tries: z.number().int(),
  usefulTries: z.number().int(),
});
export type RuleCost = z.infer<typeof RuleCost>;

/** Either the attempts of the rules that were watched, the first ones of `attemptCount`, or the costs of all, highest first. */
export const RuleObservation = z.object({
  attempts: z.array(RuleAttempt),
  attemptCount: z.number().int(),
  costs: z.array(RuleCost),
  /** Rules that are watched and disabled: only hints can have them tried. */
  disabled: z.array(z.string()).optional(),
});
export type RuleObservation = z.infer<typeof RuleObservation>;

/** `issues` are those of every success of the evaluation, and of the world that it left. */
export const ProofReport = z.object({
  events: z.array(EventReport),
  issues: z.array(TrustIssue),
  command: z.number().int().nullable(),
  /** What building the world again needs; absent where the world has not changed. */
  change: WorldChange.optional(),
  /** Commands that an undoing has taken along. */
  lost: z.array(LostCommand).optional(),
  certification: Certification.optional(),
  /** What rules did in a proof that was observed. */
  observation: RuleObservation.optional(),
  /** What instructions to the proof-builder have left. */
  builder: BuilderState.optional(),
});
export type ProofReport = z.infer<typeof ProofReport>;

/**
 * How far an evaluation has come, told while it runs. The other members are null where the host Lisp does not tell them, or
 * no proof is tried. Steps are counted between goals; `stack` names what the prover is in, innermost first.
 */
export const ProofProgress = z.object({
  /** The form that is worked on, counted from 0. */
  form: z.number().int(),
  /** The goal that ACL2 has named last. */
  goal: z.string().nullable(),
  steps: z.number().int().nullable(),
  stack: z.string().nullable(),
  checkpoints: KeyCheckpoints.nullable(),
  /** Where books are certified: how far each of them is. The other members then say it of the one that began first. */
  books: z.array(BookReport).optional(),
});
export type ProofProgress = z.infer<typeof ProofProgress>;

/** `names` are those that the event brought; of one that failed, where that was, if ACL2 says it. `checkpoints` counts its key checkpoints. */
export const EventSummary = z.object({
  operator: z.string().nullable(),
  verdict: Verdict,
  names: z.array(z.string()),
  steps: z.number().int().nullable(),
  milliseconds: z.number().int().nullable(),
  checkpoints: z.number().int(),
});
export type EventSummary = z.infer<typeof EventSummary>;

/** `events` has the last ones of `total`: where an evaluation failed is its end. */
export const ProofSummary = z.object({
  events: z.array(EventSummary),
  total: z.number().int(),
  issues: z.array(TrustIssue),
});
export type ProofSummary = z.infer<typeof ProofSummary>;
