/**
 * The final check of a claim: what is rebuilt from its sources in processes that hold nothing else, and the report of it,
 * which a stranger can read and repeat.
 */
import { z } from 'zod';
import { TrustIssue } from './proof';

/** The framework of tests that it is one of. */
export const FINAL_CHECK = 'final-check';

/** The type of the condition that ends one which does not hold. */
export const FINAL_CHECK_FAILED = 'Final check';

/** A theorem as the logic has it. `formula` is written as ACL2 itself writes it, `term` is what is translated; both are read
 * in package ACL2. */
export const CheckedTheorem = z.object({ name: z.string(), formula: z.string(), term: z.string() });
export type CheckedTheorem = z.infer<typeof CheckedTheorem>;

/** A function that theorems are about. `axiom` is its defining equation, or the constraint on one without; null where ACL2
 * cannot say it. */
export const CheckedFunction = z.object({
  name: z.string(),
  constrained: z.boolean(),
  axiom: z.string().nullable(),
});
export type CheckedFunction = z.infer<typeof CheckedFunction>;

/** What a world holds beyond ACL2 and its system's books: the first ones of so many theorems, and of the functions that they
 * are about; with all that it rests on. `lisp` is what ACL2 runs on. */
export const Theorems = z.object({
  theorems: z.array(CheckedTheorem),
  theoremCount: z.number().int(),
  functions: z.array(CheckedFunction),
  functionCount: z.number().int(),
  issues: z.array(TrustIssue),
  acl2: z.string(),
  lisp: z.string(),
});
export type Theorems = z.infer<typeof Theorems>;

/** A source as the harbor has read it. `file` is relative to the folder that the check began with, or for a book of the
 * system's to their folder. `text` is there where no file holds it. */
export const CheckedFile = z.object({
  file: z.string(),
  sha256: z.string(),
  role: z.enum(['book', 'portcullis', 'loaded', 'system']),
  text: z.string().optional(),
});
export type CheckedFile = z.infer<typeof CheckedFile>;

/** `claim` is the theorem that was asked about, null for all of `book`. `notes`: what it does not hold. */
export const FinalCheck = Theorems.extend({
  claim: z.string().nullable(),
  book: z.string(),
  files: z.array(CheckedFile),
  trustTags: z.array(z.string()),
  checkedAt: z.number(),
  durationMs: z.number(),
  /** What was submitted, in order, each line in a process of its own. */
  steps: z.array(z.string()),
  notes: z.array(z.string()),
});
export type FinalCheck = z.infer<typeof FinalCheck>;
