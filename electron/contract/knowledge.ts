/** Knowledge of an image about names: descriptions, definitions and uses. Lines count from 1. */

import { z } from 'zod';
import { SearchNote } from './note';

/** The package or namespace in which names are read; absent: the session's. */
export const PackageName = z.string().min(1).max(500);

/**
 * Place of a definition: a line of a file (absolute path), or an evaluation with the character offset of the
 * top-level form or the line in it, and the package it was read in. `note` says what is wrong with the file.
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

/** A name that a package exports; without `kind` it has no definition. */
export const ExternalName = z.object({
  kind: z.string().optional(),
  name: z.string(),
  arglist: z.string().optional(),
});

export type ExternalName = z.infer<typeof ExternalName>;

/** One definition of a name. Its members depend on `kind`. */
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
  /** For a symbol macro or a type. */
  expansion: z.string().optional(),
  methods: z.array(MethodDescription).optional(),
  /** Number of methods; `methods` may contain fewer. */
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
  /** Number of exported symbols of a package. */
  externals: z.int().optional(),
  /** The first of them, without package prefix. */
  names: z.array(ExternalName).optional(),
  locked: z.boolean().optional(),
  /** Other properties, such as private, dynamic, or deprecated since a version. */
  marks: z.array(z.string()).optional(),
  /** Source text, if the image can read it. */
  code: z.string().optional(),
  /**
   * This and the following members belong to a logical world: the event that introduced the name, as
   * submitted.
   */
  event: z.string().optional(),
  /** For a function: which arguments and results are stobjs. */
  signature: z.string().optional(),
  guard: z.string().optional(),
  guardsVerified: z.boolean().optional(),
  mode: z.enum(['logic', 'program']).optional(),
  /** Formula of a theorem. */
  formula: z.string().optional(),
  rules: z.array(z.object({ rune: z.string(), enabled: z.boolean() })).optional(),
  /** The rules as the prover prints them. */
  rulesText: z.string().optional(),
  /** Properties of the name in the world, one a line. */
  properties: z.array(z.string()).optional(),
  /** Number of the command that introduced it. */
  command: z.int().optional(),
  /** Whether it is built into the prover. */
  builtIn: z.boolean().optional(),
  /** The form that loads it, if it is not loaded. */
  include: z.string().optional(),
});

export type Definition = z.infer<typeof Definition>;

/** `status` describes the symbol as seen from the session's package. */
export const SymbolDescription = z.object({
  symbol: z.string(),
  status: z.string(),
  definitions: z.array(Definition),
});

export type SymbolDescription = z.infer<typeof SymbolDescription>;

/**
 * A definition or use. `kind` is the kind of definition, or of use: calls, references, binds, sets,
 * specializes.
 */
export const Finding = z.object({
  kind: z.string(),
  text: z.string(),
  arglist: z.string().optional(),
  value: z.string().optional(),
  documentation: z.string().optional(),
  source: SourcePlace.optional(),
  /** For a logical world: the number of the command that introduced it, or that it is built in. */
  command: z.int().optional(),
  builtIn: z.boolean().optional(),
  /** Formula of a theorem. */
  formula: z.string().optional(),
  /** The form that loads it, if it is not loaded. */
  include: z.string().optional(),
  /** Number of other book theorems with the same formula. */
  alike: z.int().optional(),
  /** Whether that book has no certificate. */
  uncertified: z.boolean().optional(),
});

export type Finding = z.infer<typeof Finding>;

/**
 * `total` includes findings beyond the requested ones; `notes` name limits of the search. For uses, `symbol`
 * is the resolved symbol, and `files` are those in which all uses were found.
 */
export const Findings = z.object({
  results: z.array(Finding),
  total: z.int(),
  notes: z.array(SearchNote).optional(),
  symbol: z.string().optional(),
  files: z.array(z.string()).optional(),
});

export type Findings = z.infer<typeof Findings>;

/** A completion: the name as it is inserted, and what it names in a few words. */
export const Completion = z.object({ name: z.string(), kind: z.string(), arglist: z.string().optional() });
export type Completion = z.infer<typeof Completion>;

/** `package` is the package in which names are read; absent means the session's. */
export interface NameRequest {
  symbol: string;
  package?: string;
}

/** Kinds of search. `unsaved`: definitions that were evaluated in this image and are in no file. */
export type FindKind = 'definitions' | 'callers' | 'references' | 'apropos' | 'completions' | 'unsaved';

/** Groups of definitions to search for; a group contains several kinds. */
export type NameGroup = 'function' | 'macro' | 'variable' | 'class' | 'type' | 'theorem';

export interface FindRequest {
  kind: FindKind;
  query: string;
  limit: number;
  package?: string;
  /** For apropos: the only package to search. */
  in?: string;
  /** For apropos: exported symbols only. */
  external?: boolean;
  /** For apropos and unsaved: only definitions of these groups. */
  only?: readonly NameGroup[];
}

/** Source folder of a loaded system, as code in the image reports it. */
export const SystemFolder = z.object({ name: z.string(), folder: z.string() });
export type SystemFolder = z.infer<typeof SystemFolder>;
/** Returns Common Lisp code for a string (CLHS 2.4.5): in quotes, with `\` before quotes and backslashes. */
export function lispString(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
