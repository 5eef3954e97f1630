/** The records that the helper (resources/lisp/acl2) sends while it processes a request and at its end. */
import { z } from 'zod';
import { BuilderState, KeyCheckpoint, RuleAttempt, RuleCost, TrustIssue } from '../../contract/proof';
import { AdmittedEvent, WorldChange } from '../../contract/world';
import { boundedJson, JsonTooLarge } from '../../host/json';

/** Details of HARBOR-REPLAY and other forms that resubmit forms: the lost forms with their numbers. */
const Submitted = z.object({
  lost: z.array(z.object({ tag: z.number().int(), form: z.string() })),
  admitted: z.number().int(),
});
export type Submitted = z.infer<typeof Submitted>;

const attempt = RuleAttempt.extend({
  failure: z
    .string()
    .nullable()
    .transform((phrase) => phrase?.replaceAll(/\s+/g, ' ').trim() ?? null),
});

const cost = RuleCost.omit({ usefulFrames: true, usefulTries: true })
  .extend({ useful_frames: z.number().int(), useful_tries: z.number().int() })
  .transform(({ useful_frames: usefulFrames, useful_tries: usefulTries, ...same }) => ({
    ...same,
    usefulFrames,
    usefulTries,
  }));

const observation = z
  .object({
    ...{ attempts: z.array(attempt), attempt_count: z.number().int() },
    ...{ costs: z.array(cost), disabled: z.array(z.string()) },
  })
  .transform(({ attempt_count: attemptCount, ...same }) => ({ ...same, attemptCount }));

/** Details of HARBOR-LOAD: forms of a portcullis file that are meant for interactive certification. */
const PassedOver = z
  .object({ passed_over: z.array(z.string()) })
  .transform(({ passed_over: passedOver }) => ({ passedOver }));

/** Details of a form that includes or certifies books: the place of unreadable text in a book. */
const Unread = z.object({ unread: z.object({ file: z.string(), line: z.number().int() }) });

/** Details of HARBOR-DOC: a topic of the documentation. */
const Topic = z.object({
  topic: z.object({
    documentation: z.string().optional(),
    markup: z.array(z.string()).optional(),
    from: z.string().optional(),
  }),
});

/** Details of a failed CERTIFY-BOOK: the form of the book that was being admitted. */
const Failing = z.object({
  failing: z.object({ file: z.string(), line: z.number().int(), form: z.string() }),
});

export const Details = z.union([
  Submitted,
  Unread,
  Failing,
  Topic,
  PassedOver,
  z.object({ observation }),
  z.object({ builder: BuilderState }),
]);
export type Details = z.infer<typeof Details>;

const checkpoints = z
  .object({
    top: z.array(KeyCheckpoint),
    induction: z.array(KeyCheckpoint),
    reverted: z.array(KeyCheckpoint),
    untold: z.number().int(),
    gave_up: z.string().nullable(),
  })
  .transform(({ gave_up: gaveUp, ...goals }) => ({ ...goals, gaveUp }));

const figures = z
  .object({
    steps: z.number().int().nullable(),
    milliseconds: z.number().int().nullable(),
    rules: z.array(z.string()),
    hint_events: z.array(z.string()),
    splitter_rules: z.array(z.string()),
    warnings: z.array(z.string()),
    abort_causes: z.array(z.string()),
  })
  .transform(
    ({ hint_events: hintEvents, splitter_rules: splitterRules, abort_causes: abortCauses, ...same }) => ({
      ...same,
      hintEvents,
      splitterRules,
      abortCauses,
    }),
  );

/**
 * A claim that something speaks against. `false`: for these values; `vacuous`: none of the tested small values
 * satisfies its hypotheses. `name` is null for THM.
 */
export const TriedClaim = z.object({
  name: z.string().nullable(),
  verdict: z.enum(['false', 'vacuous']),
  /** It is an axiom, or its proof may have been skipped. */
  assumed: z.boolean(),
  values: z.array(z.object({ variable: z.string(), value: z.string() })),
});
export type TriedClaim = z.infer<typeof TriedClaim>;

/**
 * Place of a form that was submitted by one of the harbor's forms: its number, or its position in a file.
 * `unread`: it could not be read.
 */
const part = z.object({
  tag: z.number().int().optional(),
  file: z.string().optional(),
  line: z.number().int().optional(),
  unread: z.boolean().optional(),
});

/** Files of all books in the world; null if unchanged since the last record. */
const books = z.array(z.string()).nullable();

/** One evaluated form. `position` is the number of bytes of the request that were read at its end. */
export const FormRecord = z.object({
  record: z.literal('form'),
  part: part.nullable(),
  details: Details.nullable(),
  position: z.number().int().nullable(),
  operator: z.string().nullable(),
  form: z.string(),
  ok: z.boolean(),
  interrupted: z.boolean(),
  raw_condition: z.string().nullable(),
  values: z.array(z.string()),
  /** Whether the form claims to be redundant. Any form can do so. */
  redundant: z.boolean(),
  /** Events that were already in the world. */
  found_again: z.array(AdmittedEvent),
  remarks: z.object({
    /** The form tried to exit LD, as `:q` does. The helper ignores that. */
    exit: z.boolean(),
    /** An error that ACL2 printed and ignored. */
    unheeded: z.string().nullable(),
    /** Files of included books whose contents have changed, if the form found a book already included. */
    changed_books: z.array(z.string()),
    /** For a failed proof: theorems of the session that a hint may use. */
    usable_theorems: z.array(z.object({ name: z.string(), formula: z.string() })).nullish(),
  }),
  world: z.enum(['same', 'extended', 'retracted']),
  command: z.number().int(),
  change: WorldChange.nullable(),
  events: z.array(AdmittedEvent),
  event_count: z.number().int(),
  /** Whether any event is an axiom, or was admitted without proof. */
  axiom: z.boolean(),
  skipped: z.boolean(),
  /** System books, by their names relative to :DIR :SYSTEM. */
  loaded: z.array(z.string()),
  data: figures.nullable(),
  checkpoints: checkpoints.nullable(),
  /**
   * Functions in the checkpoints. `recursive_with` lists the mutually recursive functions, including the
   * function itself.
   */
  goal_functions: z
    .array(z.object({ name: z.string(), recursive_with: z.array(z.string()), disabled: z.boolean() }))
    .nullable(),
  /** For a failed form: whether arithmetic books are included. */
  arithmetic: z.boolean(),
  /**
   * Values that falsify the theorem, and the values of both sides of an equation. `types` lists the
   * recognizers that hold for these and for other falsifying values.
   */
  counterexample: z
    .object({
      bindings: z.array(z.object({ variable: z.string(), value: z.string() })),
      sides: z.array(z.string()).nullable(),
      types: z.array(z.array(z.object({ variable: z.string(), types: z.array(z.string()) }))),
    })
    .nullable(),
  /** Names of checkpoints that are false for some values. */
  false_goals: z.array(z.string()).nullable(),
  claims: z.array(TriedClaim),
  /** Whether proofs were being skipped at the start of the form. */
  skipping: z.boolean(),
  books,
  issues: z.array(TrustIssue),
});
export type FormRecord = z.infer<typeof FormRecord>;

export const ReadErrorRecord = z.object({
  record: z.literal('read-error'),
  position: z.number().int().nullable(),
  message: z.string(),
});
export type ReadErrorRecord = z.infer<typeof ReadErrorRecord>;

const ProgressRecord = z.object({
  record: z.literal('progress'),
  /** Milliseconds of processor time: in the garbage collector, and in total. */
  collecting: z.number().int(),
  running: z.number().int(),
  steps: z.number().int().nullable(),
  stack: z.string().nullable(),
  checkpoints: checkpoints.nullable(),
});

export const ReadyRecord = z.object({
  record: z.literal('ready'),
  acl2: z.string(),
  lisp: z.string(),
  package: z.string(),
  prompt: z.string(),
  /** Whether SIGUSR1 is answered with a progress record. */
  progress: z.boolean(),
  /** The folder that ACL2 uses for system books. Not trusted, used only for advice. */
  books: z.string().nullable(),
});
export type ReadyRecord = z.infer<typeof ReadyRecord>;

/** The answer to a query. Its shape depends on the query. */
const AnswerRecord = z.object({ record: z.literal('answer'), value: z.unknown() });

const FailureRecord = z.object({
  record: z.literal('failure'),
  code: z.enum(['query_failed', 'unknown_symbol', 'unknown_package', 'bad_arguments']),
  message: z.string(),
});

export const DoneRecord = z.object({
  record: z.literal('done'),
  id: z.number().int(),
  status: z.enum(['ok', 'error', 'read-error', 'interrupted', 'no-package', 'failed']),
  raw_condition: z.string().nullable(),
  /** Whether a form was stopped because memory was exhausted. Only on SBCL. */
  memory_full: z.boolean(),
  package: z.string(),
  prompt: z.string(),
  command: z.number().int(),
  books,
  issues: z.array(TrustIssue),
});
export type DoneRecord = z.infer<typeof DoneRecord>;

export const Acl2Record = z.discriminatedUnion('record', [
  ReadyRecord,
  z.object({ record: z.literal('begun') }),
  FormRecord,
  ReadErrorRecord,
  AnswerRecord,
  FailureRecord,
  ProgressRecord,
  DoneRecord,
]);
export type Acl2Record = z.infer<typeof Acl2Record>;

const CONTROL_CHARACTER = /\p{Cc}/gu;

/**
 * Returns the record in a frame, or null. The helper does not escape control characters in strings.
 * @throws Error for data that would take too long to parse
 */
export function recordIn(frame: string): Acl2Record | null {
  const json = frame.replaceAll(
    CONTROL_CHARACTER,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  try {
    return Acl2Record.safeParse(boundedJson(json)).data ?? null;
  } catch (error) {
    if (error instanceof JsonTooLarge) throw new Error(`the frame is not a record: ${error.message}`);
    return null;
  }
}
