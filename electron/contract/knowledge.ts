/** What an image knows of names: descriptions, definitions and uses, as zod schemas. Lines count from 1. */
import { z } from 'zod';

/**
 * Where something was written: a line of a file (absolute), or an evaluation of the history with the character of
 * its code at which the top-level form begins, or the line in it, and the package that it was read in. `note` says what is wrong with the file.
 */
export const SourcePlace = z.object({
  file: z.string().optional(),
  line: z.int().optional(),
  evaluation: z.int().optional(),
  position: z.int().optional(),
  package: z.string().optional(),
  note: z.string().optional(),
});

export type SourcePlace = z.infer<typeof SourcePlace>;

export const MethodDescription = z.object({
  text: z.string(),
  documentation: z.string().optional(),
  source: SourcePlace.optional(),
});

export type MethodDescription = z.infer<typeof MethodDescription>;

export const SlotDescription = z.object({
  name: z.string(),
  /** Initargs, initform, accessors, type and allocation, in words. */
  details: z.string(),
  documentation: z.string().optional(),
});

export type SlotDescription = z.infer<typeof SlotDescription>;

/** A name that a package exports; without `kind` nothing is defined on it. */
export const ExternalName = z.object({
  kind: z.string().optional(),
  name: z.string(),
  arglist: z.string().optional(),
});

export type ExternalName = z.infer<typeof ExternalName>;

/** One thing that a name stands for; which members there are depends on its `kind`. */
export const Definition = z.object({
  kind: z.string(),
  name: z.string(),
  arglist: z.string().optional(),
  documentation: z.string().optional(),
  source: SourcePlace.optional(),
  /** Declared or derived type, of a function or a variable. */
  type: z.string().optional(),
  inline: z.string().optional(),
  value: z.string().optional(),
  unbound: z.boolean().optional(),
  /** Of a symbol macro or a type. */
  expansion: z.string().optional(),
  methods: z.array(MethodDescription).optional(),
  /** How many methods there are; `methods` may hold fewer. */
  total: z.int().optional(),
  superclasses: z.array(z.string()).optional(),
  subclasses: z.array(z.string()).optional(),
  precedence: z.array(z.string()).optional(),
  slots: z.array(SlotDescription).optional(),
  metaclass: z.string().optional(),
  nicknames: z.array(z.string()).optional(),
  uses: z.array(z.string()).optional(),
  /** Packages that use this one. */
  users: z.array(z.string()).optional(),
  /** How many symbols a package exports. */
  externals: z.int().optional(),
  /** The first of them, without their package. */
  names: z.array(ExternalName).optional(),
  locked: z.boolean().optional(),
  /** What else is said of it, in words: private, dynamic, deprecated since when. */
  marks: z.array(z.string()).optional(),
  /** Its source text, where the image can read it. */
  code: z.string().optional(),
  /** The members from here on are of a logical world: the event that introduced the name, as it was submitted. */
  event: z.string().optional(),
  /** Of a function: which of its arguments and results are stobjs. */
  signature: z.string().optional(),
  guard: z.string().optional(),
  guardsVerified: z.boolean().optional(),
  mode: z.enum(['logic', 'program']).optional(),
  /** What a theorem says. */
  formula: z.string().optional(),
  rules: z.array(z.object({ rune: z.string(), enabled: z.boolean() })).optional(),
  /** The rules as the prover prints them. */
  rulesText: z.string().optional(),
  /** What the world has under the name, a line each. */
  properties: z.array(z.string()).optional(),
  /** The number of the command that brought it. */
  command: z.int().optional(),
  /** The prover's own. */
  builtIn: z.boolean().optional(),
});

export type Definition = z.infer<typeof Definition>;

/** `status` says in words how the symbol is seen from the session's package. */
export const SymbolDescription = z.object({
  symbol: z.string(),
  status: z.string(),
  definitions: z.array(Definition),
});

export type SymbolDescription = z.infer<typeof SymbolDescription>;

/** `kind` is what the name stands for, or what is done to it there: calls, references, binds, sets, specializes. */
export const Finding = z.object({
  kind: z.string(),
  text: z.string(),
  arglist: z.string().optional(),
  value: z.string().optional(),
  documentation: z.string().optional(),
  source: SourcePlace.optional(),
  /** Of a logical world: the number of the command that brought it, or that it is the prover's own. */
  command: z.int().optional(),
  builtIn: z.boolean().optional(),
  /** What a theorem says. */
  formula: z.string().optional(),
  /** The form that brings it, where it is not there yet. */
  include: z.string().optional(),
  /** How many others of books say the same. */
  alike: z.int().optional(),
  /** That book has no certificate. */
  uncertified: z.boolean().optional(),
});

export type Finding = z.infer<typeof Finding>;

/** `total` counts also those that were not asked for; `notes` say what the search cannot see. Of uses `symbol` is what was
 * meant, in full, and `files` are those in which all uses were found. */
export const Findings = z.object({
  results: z.array(Finding),
  total: z.int(),
  notes: z.array(z.string()).optional(),
  symbol: z.string().optional(),
  files: z.array(z.string()).optional(),
});

export type Findings = z.infer<typeof Findings>;

/** A name as it is to stand in the code, with what it stands for in a few words. */
export const Completion = z.object({ name: z.string(), kind: z.string(), arglist: z.string().optional() });
export type Completion = z.infer<typeof Completion>;

/** `package` is the one in which names are understood; absent means the session's. */
export interface NameRequest {
  symbol: string;
  package?: string;
}

/** What to find. `unsaved`: definitions that evaluations made in this image and that no file holds. */
export type FindKind = 'definitions' | 'callers' | 'references' | 'apropos' | 'completions' | 'unsaved';

/** What names are asked for; a group holds several kinds of definition. */
export type NameGroup = 'function' | 'macro' | 'variable' | 'class' | 'type' | 'theorem';

export interface FindRequest {
  kind: FindKind;
  query: string;
  limit: number;
  package?: string;
  /** For apropos: look in this package only. */
  in?: string;
  /** For apropos: exported symbols only. */
  external?: boolean;
  /** For apropos and unsaved: only names that stand for one of these. */
  only?: readonly NameGroup[];
}

/** Where a loaded system has its sources, as code in the image claims. */
export const SystemFolder = z.object({ name: z.string(), folder: z.string() });
export type SystemFolder = z.infer<typeof SystemFolder>;
/** A string as Common Lisp code (CLHS 2.4.5): between quotes, with `\` before quotes and before itself. */
export function lispString(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
