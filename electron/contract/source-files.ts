/** Source files of a project, as the window shows and edits them. */
import { z } from 'zod';
import { PackageName } from './knowledge';
import { Evaluation, SessionId } from './model';
import type { CallTable } from './session-calls';

/** A folder of the project; paths are relative to it. `complete` is false if it has more entries. */
export const SourceFolder = z.object({
  project: z.string(),
  entries: z.array(z.object({ name: z.string(), path: z.string(), isFolder: z.boolean() })),
  complete: z.boolean(),
});
export type SourceFolder = z.infer<typeof SourceFolder>;

/** Source files of the project by the system or package that contains them. A file may be in several. */
export const SourceGroups = z.object({
  project: z.string(),
  systems: z.array(z.object({ name: z.string(), files: z.array(z.string()) })),
  packages: z.array(z.object({ name: z.string(), files: z.array(z.string()) })),
});
export type SourceGroups = z.infer<typeof SourceGroups>;

/** A text file. `path` is relative to the project if it is inside it, `file` is the real path. */
export const SourceText = z.object({
  project: z.string(),
  path: z.string(),
  file: z.string(),
  text: z.string(),
  hash: z.string(),
  /** When it was last written, in milliseconds since the epoch. */
  writtenAt: z.number(),
});
export type SourceText = z.infer<typeof SourceText>;

/** A definition in an image, made by an evaluation, by its key in source/defined-forms.ts. */
export const DefinitionInImage = z.object({
  key: z.string(),
  code: z.string(),
  evaluation: z.int(),
  at: z.number(),
});
export type DefinitionInImage = z.infer<typeof DefinitionInImage>;

/** Other versions of a file: in an image, and in the last commit. */
export const SourceVersions = z.object({
  /** null without an image. */
  image: z
    .object({
      /** The text that the image loaded; null if it did not load the file, or does not record it. */
      loaded: z.string().nullable(),
      definitions: z.array(DefinitionInImage),
      /** Whether the image reports every definition, so that one that is not here is missing. */
      complete: z.boolean(),
      /** Whether the code of the definitions is printed by the image, so that case, blanks and comments differ. */
      isPrinted: z.boolean(),
    })
    .nullable(),
  /** null outside of a repository with commits; `text` is null for a file that is not in the last one. */
  commit: z.object({ text: z.string().nullable() }).nullable(),
});
export type SourceVersions = z.infer<typeof SourceVersions>;

/** The session whose project contains the file; null for the project of new sessions. */
const inProject = z.object({ session: SessionId.nullable() });
const file = inProject.extend({ path: z.string().min(1).max(4096) });
/** Code of a file, to be read in its package. */
const code = z.object({
  session: SessionId,
  code: z.string().min(1).max(4_000_000),
  package: PackageName.optional(),
});

export const sourceCalls = {
  /** Visible entries of a folder, folders first. @throws HarborError as the tool `read_file` */
  'source:folder': { args: file, result: SourceFolder },
  /** Reads all Lisp files of the project. */
  'source:groups': { args: inProject, result: SourceGroups },
  /** @throws HarborError as the tool `read_file` */
  'source:read': { args: file, result: SourceText },
  /**
   * Writes a file that still has the hash; null for a new file.
   * @throws HarborError `hash_mismatch`, `file_exists`, and as the tool `write_file`
   */
  'source:write': {
    args: file.extend({ text: z.string().max(4_000_000), hash: z.string().nullable() }),
    result: SourceText,
  },
  /** @throws HarborError as `source:read`, and `busy`, `image_lost` and `took_too_long` for a session */
  'source:versions': { args: file, result: SourceVersions },
  /** Definitions of a name in the files of the project. */
  'source:find': {
    args: inProject.extend({ name: z.string().min(1).max(500) }),
    result: z.array(z.object({ path: z.string(), line: z.int() })),
  },
  /**
   * Compiles or evaluates forms of a file, as a recorded evaluation. Returns the row when it has ended.
   * @throws HarborError `image_lost`, `session_ended`
   */
  'source:compile': { args: code, result: Evaluation },
  /** Loads a file, as a recorded evaluation. @throws HarborError `file_missing`, `file_not_allowed` */
  'source:load': { args: file.extend({ session: SessionId }), result: Evaluation },
  /**
   * Opens a file in the editor of the settings.
   * @throws HarborError `bad_arguments` without one, or if it does not start
   */
  'source:edit': { args: file.extend({ line: z.int().min(1) }), result: z.null() },
  /**
   * Expands a macro form, which runs the macro and is recorded. `problem` says why there is no expansion.
   * @throws HarborError `not_supported`; `bad_arguments` unless it is one form
   */
  'source:expand': {
    args: code.extend({ extent: z.enum(['once', 'full']) }),
    result: z.union([z.object({ expansion: z.string() }), z.object({ problem: z.string() })]),
  },
} satisfies CallTable;
