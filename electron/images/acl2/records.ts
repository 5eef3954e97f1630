/** The records of resources/lisp/acl2: what its helper says of a request while it answers, and at the end of it. */
import { z } from 'zod';
import { KeyCheckpoint, TrustIssue } from '../../contract/proof';
import { AdmittedEvent, WorldChange } from '../../contract/world';
import { boundedJson, JsonTooLarge } from '../../host/bounded-json';
import { Details } from './details';

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
 * Of a form that one of the harbor's own forms has submitted: its number there, or its place in a file. `unread`: it could
 * not be read.
 */
const part = z.object({
  tag: z.number().int().optional(),
  file: z.string().optional(),
  line: z.number().int().optional(),
  unread: z.boolean().optional(),
});

/** The files of all books in the world, where they have changed since they were told. */
const books = z.array(z.string()).nullable();

/** One form that was evaluated. `position` counts the bytes of the request that were read by its end. */
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
  /** Whether the form says that it is, as any form may. */
  redundant: z.boolean(),
  /** Events that ACL2 found in the world already. */
  found_again: z.array(AdmittedEvent),
  remarks: z.object({
    /** The form asked LD to end, as `:q` does, which ends nothing here. */
    exit: z.boolean(),
    /** An error that ACL2 met in the form and went on after. */
    unheeded: z.string().nullable(),
    /** Where a book was found again: files of the world's books that say something else by now. */
    changed_books: z.array(z.string()),
  }),
  world: z.enum(['same', 'extended', 'retracted']),
  command: z.number().int(),
  change: WorldChange.nullable(),
  events: z.array(AdmittedEvent),
  event_count: z.number().int(),
  /** Whether any of all events is an axiom, or was admitted without its proofs. */
  axiom: z.boolean(),
  skipped: z.boolean(),
  /** Books of the system, as :DIR :SYSTEM names them. */
  loaded: z.array(z.string()),
  data: figures.nullable(),
  checkpoints: checkpoints.nullable(),
  /** Functions that occur in the checkpoints; `recursive_with` are those that call one another, itself among them. */
  goal_functions: z
    .array(z.object({ name: z.string(), recursive_with: z.array(z.string()), disabled: z.boolean() }))
    .nullable(),
  /** Where it failed: whether books about arithmetic are included. */
  arithmetic: z.boolean(),
  /** Values for which the theorem that was not proved is false; of an equation, what its sides are then. `types` has those of
   * these values, and of others for which it is false: the recognizers that hold. */
  counterexample: z
    .object({
      bindings: z.array(z.object({ variable: z.string(), value: z.string() })),
      sides: z.array(z.string()).nullable(),
      types: z.array(z.array(z.object({ variable: z.string(), types: z.array(z.string()) }))),
    })
    .nullable(),
  /** Names of checkpoints that are false for some values. */
  false_goals: z.array(z.string()).nullable(),
  /** Proofs were being skipped when it began. */
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

export const ProgressRecord = z.object({
  record: z.literal('progress'),
  /** Milliseconds of processor time: in the collector, and altogether. */
  collecting: z.number().int(),
  running: z.number().int(),
  steps: z.number().int().nullable(),
  stack: z.string().nullable(),
  checkpoints: checkpoints.nullable(),
});
export type ProgressRecord = z.infer<typeof ProgressRecord>;

export const ReadyRecord = z.object({
  record: z.literal('ready'),
  acl2: z.string(),
  lisp: z.string(),
  package: z.string(),
  prompt: z.string(),
  /** Whether SIGUSR1 is answered with a progress record. */
  progress: z.boolean(),
  /** What ACL2 takes for the folder of the system's books; advice, which nothing rests on. */
  books: z.string().nullable(),
});
export type ReadyRecord = z.infer<typeof ReadyRecord>;

/** The answer to a query; what it is depends on the query. */
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
  /** Whether a form was ended for want of memory, which the helper does on SBCL. */
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
 * The record that a frame holds, or null. The helper leaves control characters in strings as they are.
 * @throws Error for what would take long to parse
 */
export function recordIn(frame: string): Acl2Record | null {
  const json = frame.replaceAll(
    CONTROL_CHARACTER,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  try {
    return Acl2Record.safeParse(boundedJson(json)).data ?? null;
  } catch (error) {
    if (error instanceof JsonTooLarge) throw new Error(`what it wrote cannot be a record: ${error.message}`);
    return null;
  }
}
