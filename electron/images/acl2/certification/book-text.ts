/**
 * What the text of a book, or of what is loaded before one, says about other files, without evaluating any of it. Forms count
 * wherever they stand: inside LOCAL, ENCAPSULATE or a macro they may be submitted too.
 */
import { commonLispLexeme } from '../../../source/common-lisp-lexer';
import { operatorOf } from '../../../source/form-name';
import { read, type Source } from '../../../source/reader';
import { type Branch, formsOf, isBranch, type SyntaxNode, walk } from '../../../source/syntax-tree';

/** `dir` is the keyword of a folder, in upper case and without its colon; null: the name is relative to the book. */
export interface NamedBook {
  name: string;
  dir: string | null;
}

export interface BookText {
  /** In the order of the text: what a folder is called holds for what comes after it. */
  included: NamedBook[];
  /** What ADD-INCLUDE-BOOK-DIR calls folders. */
  folders: { dir: string; folder: string }[];
  /** Files that are submitted by LD. */
  loaded: string[];
  /** Files that a comment names, `; (depends-on "table.txt")`, as ACL2's build system has it. */
  needed: string[];
  /** Options of CERTIFY-BOOK that a comment names, `; cert-flags: ? t :ttags :all`; null where none does. */
  flags: string | null;
}

/** Whether the first form of a text is the IN-PACKAGE that each book begins with. ACL2 takes no name there but a string; files
 * of other Lisps say `:shop` or `#:shop` as a rule. */
export function isBook(text: string): boolean {
  for (let at = 0; at < text.length; ) {
    const { kind, end } = commonLispLexeme(text, at);
    if (kind !== 'blank' && kind !== 'comment')
      return /^\(\s*(?:acl2::)?in-package\s+"/i.test(text.slice(at, at + 100));
    at = end;
  }
  return false;
}

export function readBookText(text: string): BookText {
  const source = read(text, 'common-lisp');
  const said: BookText = { included: [], folders: [], loaded: [], needed: [], flags: null };
  for (const { node } of walk(source.tree)) {
    if (node.kind === 'comment') noteComment(written(node, source), said);
    else if (isBranch(node) && node.kind === 'list') noteForm(node, source, said);
  }
  return said;
}

function noteComment(comment: string, said: BookText): void {
  said.flags ??= /cert-flags:(.*)/.exec(comment)?.[1]?.trim() ?? null;
  for (const [, file = ''] of comment.matchAll(/\(depends-on\s+"([^"]+)"/g)) said.needed.push(file);
}

function noteForm(form: Branch, source: Source, said: BookText): void {
  const parts = formsOf(form);
  const [first, second] = parts.slice(1);
  switch (operatorOf(form, source)?.toLowerCase()) {
    case 'include-book':
      if (first?.kind === 'string')
        said.included.push({ name: string(first, source), dir: dir(parts, source) });
      break;
    case 'ld':
      if (first?.kind === 'string') said.loaded.push(string(first, source));
      break;
    case 'add-include-book-dir':
    case 'add-include-book-dir!':
      if (first?.kind === 'token' && second?.kind === 'string')
        said.folders.push({ dir: keyword(first, source), folder: string(second, source) });
  }
}

/** What stands behind `:dir` among the arguments. */
function dir(parts: readonly SyntaxNode[], source: Source): string | null {
  const at = parts.findIndex((part) => part.kind === 'token' && keyword(part, source) === 'DIR');
  const named = at < 0 ? undefined : parts[at + 1];
  return named?.kind === 'token' ? keyword(named, source) : null;
}

function keyword(token: SyntaxNode, source: Source): string {
  return written(token, source).replace(/^:/, '').toUpperCase();
}

function string(node: SyntaxNode, source: Source): string {
  return written(node, source).slice(1, -1).replaceAll(/\\(.)/gs, '$1');
}

function written({ start, end }: SyntaxNode, { text }: Source): string {
  return text.slice(start, end);
}
