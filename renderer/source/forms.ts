/** The forms of a source text, and whether image, file and Git agree about them. Pure. */
import type { SourceText, SourceVersions } from '../../electron/contract/source-files';
import { type DefinedForm, definedForms, packagesOf } from '../../electron/source/defined-forms';
import type { Dialect } from '../../electron/source/dialect';
import { read, type Source } from '../../electron/source/reader';
import { formsOf, isBranch, type SyntaxNode, walk } from '../../electron/source/syntax-tree';

/**
 * How the image has a definition of the text. `older`: the text was changed since. `newer`: the image was
 * changed since. `unknown`: the image does not tell.
 */
export type ImageState = 'same' | 'older' | 'newer' | 'missing' | 'unknown';

/** How the last commit has it; null without one. */
export type CommitState = 'same' | 'changed' | 'new';

export interface FormState {
  image: ImageState | null;
  commit: CommitState | null;
}

/** A definition of the text. Offsets are those of the form that makes it. */
export interface TextDefinition extends FormState {
  key: string;
  title: string;
  name: string;
  package: string;
  start: number;
  end: number;
}

/** The definitions of the open text. */
export interface Outline {
  definitions: readonly TextDefinition[];
  /** The definition at the cursor. */
  current: TextDefinition | null;
}

/** A text with its forms. */
export interface ParsedText {
  source: Source;
  forms: readonly SyntaxNode[];
  defined: readonly DefinedForm[];
}

export function parsedText(text: string, dialect: Dialect): ParsedText {
  const source = read(text, dialect);
  const defined = definedForms(source).filter(({ isDefiner }) => isDefiner);
  return { source, forms: formsOf(source.tree), defined };
}

/** Returns the top-level form at an offset, or else the last one before it. */
export function formAt({ forms }: Pick<ParsedText, 'forms'>, offset: number): SyntaxNode | null {
  return forms.findLast(({ start }) => start <= offset) ?? forms[0] ?? null;
}

/** Returns the package or namespace in which the text at an offset is read; undefined if it enters none. */
export function packageAt({ source }: Pick<ParsedText, 'source'>, offset: number): string | undefined {
  return packagesOf(source, '')(offset) || undefined;
}

/**
 * Returns the definitions of the text with their states.
 * @param base the file that the text was changed from
 */
export function definitionsOf(
  { defined, source: { dialect } }: ParsedText,
  base: Pick<SourceText, 'text' | 'writtenAt'>,
  versions: SourceVersions | null,
): TextDefinition[] {
  const known = versions && knownVersions(base, versions, dialect);
  return defined.map(({ key, title, name, package: here, code, start }) => ({
    ...{ key, title, name, package: here, start, end: start + code.length },
    image: known?.image ? imageState(key, code, known, known.image, base.writtenAt) : null,
    commit: known?.commit ? commitState(key, code, known.commit) : null,
  }));
}

/** The text of each definition by key. */
type Codes = ReadonlyMap<string, string>;

interface KnownImage {
  evaluated: ReadonlyMap<string, { code: string; at: number }>;
  loaded: Codes | null;
  complete: boolean;
  /** Returns a text in the form in which texts are compared. */
  compared: (code: string) => string;
}

interface KnownVersions {
  base: Codes;
  image: KnownImage | null;
  commit: Codes | null;
}

function knownVersions(
  base: Pick<SourceText, 'text'>,
  { image, commit }: SourceVersions,
  dialect: Dialect,
): KnownVersions {
  const compared = image?.isPrinted ? (code: string) => asPrinted(code, dialect) : plain;
  return {
    base: codesOf(base.text, dialect),
    image: image && {
      evaluated: new Map(image.definitions.map(({ key, code, at }) => [key, { code: compared(code), at }])),
      loaded: image.loaded === null ? null : codesOf(image.loaded, dialect),
      ...{ complete: image.complete, compared },
    },
    commit: commit && codesOf(commit.text ?? '', dialect),
  };
}

function imageState(
  key: string,
  code: string,
  { base }: KnownVersions,
  { evaluated, loaded, complete, compared }: KnownImage,
  writtenAt: number,
): ImageState {
  const own = evaluated.get(key);
  const inImage = own?.code ?? loaded?.get(key);
  if (inImage === undefined) return complete || loaded ? 'missing' : 'unknown';
  if (inImage === compared(code)) return 'same';
  const isEdited = base.get(key) !== plain(code);
  return own && !isEdited && own.at > writtenAt ? 'newer' : 'older';
}

function commitState(key: string, code: string, commit: Codes): CommitState {
  const before = commit.get(key);
  if (before === undefined) return 'new';
  return before === plain(code) ? 'same' : 'changed';
}

function codesOf(text: string, dialect: Dialect): Codes {
  return new Map(definedForms(read(text, dialect)).map(({ key, code }) => [key, plain(code)]));
}

/** Drops what a printer does not keep: comments, blanks, and the case of symbols. */
function asPrinted(code: string, dialect: Dialect): string {
  const leaves: string[] = [];
  for (const { node } of walk(read(code, dialect).tree)) {
    const { kind, start, end } = node;
    if (kind === 'blank' || kind === 'comment') continue;
    if (!isBranch(node))
      leaves.push(kind === 'token' ? code.slice(start, end).toUpperCase() : code.slice(start, end));
    else leaves.push(code.slice(start, node.inner));
  }
  return leaves.join(' ');
}

/** Line ends and blanks around a form are no difference. */
function plain(code: string): string {
  return code.replaceAll('\r\n', '\n').trim();
}
