/**
 * The form in a file that a definition of the image comes from. The image knows a line; the form that starts there
 * counts only if it defines the same thing, by what its names denote in the image.
 */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { SourcePlace } from '../../contract/knowledge';
import type { Session } from '../../sessions/session/session';
import { formTitle, locate, sameName } from '../../source/locate';
import { EnteredPackages } from '../../source/names/package-forms';
import type { Source } from '../../source/reader';
import { formsOf, type SyntaxNode } from '../../source/syntax-tree';
import { Positions } from '../../source/text';
import {
  behindPrefixes,
  isList,
  methodOf,
  operatorOf,
  type TopLevelForm,
  topLevelForms,
} from '../../source/top-level-forms';
import {
  type FileToolOptions,
  fileCaller,
  openText,
  sourceOf,
  type TextFile,
} from '../../tools/files/text-files';
import { SourcePlaces } from '../../tools/source-places';
import type { Caller } from '../../tools/tool';
import type { PrintedMethod } from '../tools/class-queries';
import { EditGuard, guardOf } from './edit-guard';

/** The verdict of the file about a definition of the image. Only `matched` has the names of its form. */
export const InFile = z.object({
  path: z.string().optional(),
  line: z.int().optional(),
  source_match: z.enum(['matched', 'mismatched', 'unverified']),
  source_match_reason: z.string().optional(),
  form_type: z.string().optional(),
  form_name: z.string().optional(),
  edit_unit: z.string().optional().describe('The form contains the method: an edit replaces all of it'),
  edit_guard: EditGuard.optional(),
});
export type InFile = z.output<typeof InFile>;

/** A definition as the image prints its names. */
type Defined = { is: 'class' | 'generic'; name: string } | ({ is: 'method' } & PrintedMethod);

export const NO_SOURCE: InFile = {
  source_match: 'unverified',
  source_match_reason: 'the image knows no place',
};

type Verdict = { is: 'same'; container?: string } | { is: 'other' } | { is: 'unknown'; why: string };

/** The form, if it defines a generated accessor or an inline method, is that of a class or generic function. */
const CLASS_DEFINERS = /^(?:defclass|define-condition|defstruct)$/i;

export class FormsInFiles {
  readonly #session: Session;
  readonly #caller: Caller;
  readonly #options: FileToolOptions;
  readonly #places: SourcePlaces;
  readonly #files = new Map<string, Promise<FormsOfFile | string>>();
  readonly #symbols = new Map<string, Promise<string | null>>();
  readonly #printedIn: string;

  /** @param printedIn the package in which the image has printed the names of definitions */
  constructor(session: Session, printedIn: string, caller: Caller, options: FileToolOptions) {
    this.#session = session;
    this.#printedIn = printedIn;
    this.#caller = caller;
    this.#options = options;
    this.#places = new SourcePlaces(session, options.history);
  }

  async of(source: SourcePlace, defined: Defined): Promise<InFile> {
    const { path, line } = this.#places.place(source);
    const place = { ...(path === undefined ? {} : { path }), ...(line === undefined ? {} : { line }) };
    const unverified = (reason: string): InFile => ({
      ...place,
      source_match: 'unverified',
      source_match_reason: reason,
    });
    if (source.file === undefined || line === undefined)
      return unverified(
        source.evaluation === undefined
          ? 'the image knows no line'
          : `evaluation ${source.evaluation} defined it`,
      );
    if (source.note !== undefined) return unverified(source.note);
    const file = await this.#fileAt(source.file);
    if (typeof file === 'string') return unverified(file);
    const candidates = file.at(line);
    if (candidates.length === 0) return unverified('no form is on that line now');
    const verdicts = await eachInTurn(candidates, (form) => this.#verdict(form, file, defined));
    const same = candidates.flatMap((form, index) => {
      const verdict = verdicts[index];
      return verdict?.is === 'same' ? [{ form, container: verdict.container }] : [];
    });
    const [only, ...others] = same;
    if (only && others.length === 0)
      return {
        ...place,
        ...(file.editing(only.form, only.container) ??
          unverified('lisp-edit-form finds another form by that name')),
      };
    if (only) return unverified('several forms on that line define it');
    const unknown = verdicts.find((each) => each.is === 'unknown');
    if (unknown?.is === 'unknown') return unverified(unknown.why);
    return {
      ...place,
      source_match: 'mismatched',
      source_match_reason: 'the form there defines something else',
    };
  }

  #fileAt(path: string): Promise<FormsOfFile | string> {
    const known = this.#files.get(path) ?? FormsOfFile.open(path, this.#caller, this.#options);
    this.#files.set(path, known);
    return known;
  }

  async #verdict(form: TopLevelForm, file: FormsOfFile, defined: Defined): Promise<Verdict> {
    const { name, type } = form;
    if (name === null) return { is: 'other' };
    const where = file.packageAt(form);
    if (defined.is !== 'method') {
      const definers = defined.is === 'class' ? CLASS_DEFINERS : /^defgeneric$/i;
      return definers.test(type) ? this.#sameNames([defined.name], [name.name], where) : { is: 'other' };
    }
    const { generic, qualifiers, specializers } = defined;
    const sameMethod = (written: {
      qualifiers: readonly string[];
      specializers: readonly string[] | null;
    }) =>
      qualifiers.join(' ').toLowerCase() === written.qualifiers.join(' ')
        ? this.#sameNames([generic, ...specializers], [name.name, ...(written.specializers ?? [])], where)
        : Promise.resolve<Verdict>({ is: 'other' });
    if (/^defmethod$/i.test(type)) return sameMethod(name);
    const container = type.toLowerCase();
    if (container === 'defgeneric') {
      const inside = await eachInTurn(file.inlineMethods(form), sameMethod);
      return combined(inside, container);
    }
    if (!CLASS_DEFINERS.test(type) || qualifiers.length > 0) return { is: 'other' };
    const own = await this.#sameNames([specializers.at(-1) ?? ''], [name.name], where);
    if (own.is !== 'same') return own;
    const accessors = file.accessors(form).filter(({ writes }) => writes === (specializers.length === 2));
    return combined(
      await eachInTurn(accessors, (each) => this.#sameNames([generic], [each.name], where)),
      container,
    );
  }

  /** Compares names of the image with names as written in `where`, by asking the image what those denote. */
  async #sameNames(printed: readonly string[], written: readonly string[], where: string): Promise<Verdict> {
    if (printed.length !== written.length) return { is: 'other' };
    for (const [index, name] of printed.entries()) {
      const verdict = await this.#sameName(name, written[index] ?? '', where);
      if (verdict.is !== 'same') return verdict;
    }
    return { is: 'same' };
  }

  async #sameName(printed: string, written: string, where: string): Promise<Verdict> {
    const [own, value] = [eqlOf(written), eqlOf(printed)];
    if ((own === null) !== (value === null)) return { is: 'other' };
    if (own !== null && value !== null) return this.#sameValue(value, own, where);
    if (!sameName(bare(printed), bare(written), 'common-lisp')) return { is: 'other' };
    const [ours, theirs] = [
      await this.#symbol(written, where),
      await this.#symbol(qualified(printed, this.#printedIn), where),
    ];
    if (ours === null) return { is: 'unknown', why: `${written} names nothing in ${where}` };
    return ours === theirs ? { is: 'same' } : { is: 'other' };
  }

  /** Compares values of EQL specializers without evaluating any. */
  async #sameValue(printed: string, written: string, where: string): Promise<Verdict> {
    const quoted = /^(?:'|\(quote )\s*([^\s()']+)\)?$/i.exec(written)?.[1];
    const literal = quoted ?? written;
    if (LITERAL.test(literal))
      return literal.toLowerCase() === printed.toLowerCase() ? { is: 'same' } : { is: 'other' };
    if (quoted === undefined) return { is: 'unknown', why: `(eql ${written}) is known only by evaluation` };
    return this.#sameName(printed, quoted, where);
  }

  /** Returns how the image prints the symbol that is written in a package; null if there is none. */
  #symbol(written: string, where: string): Promise<string | null> {
    const key = `${where} ${written}`;
    const known = this.#symbols.get(key) ?? this.#resolved(written, where);
    this.#symbols.set(key, known);
    return known;
  }

  async #resolved(written: string, where: string): Promise<string | null> {
    try {
      const { symbol } = await this.#session
        .ability('knowledge')
        .describe({ symbol: written, package: where });
      return symbol;
    } catch (error) {
      if (error instanceof HarborError) return null;
      throw error;
    }
  }
}

/** Numbers, characters, keywords, T and NIL: what they denote does not depend on a package. */
const LITERAL = /^(?::[^:]+|[-+]?\d+(?:\/\d+)?|t|nil|#\\.+)$/i;

function combined(verdicts: readonly Verdict[], container: string): Verdict {
  const same = verdicts.filter(({ is }) => is === 'same');
  if (same.length === 1) return { is: 'same', container };
  if (same.length > 1) return { is: 'unknown', why: `several parts of the ${container} define it` };
  return verdicts.find(({ is }) => is === 'unknown') ?? { is: 'other' };
}

/** Returns the value of `(eql VALUE)`; null for other specializers. */
function eqlOf(specializer: string): string | null {
  return /^\(\s*(?:[\w-]+::?)?eql\s+([\s\S]*?)\s*\)$/i.exec(specializer)?.[1] ?? null;
}

/** Returns a name that any package reads as the same symbol: `(setf area)` as `(setf SHAPES::area)`. */
function qualified(name: string, where: string): string {
  return name.includes(':') ? name : name.replace(/(?<![^\s()])[^\s()]+(?=\)*$)/, `${where}::$&`);
}

/** Returns a name without packages: `(setf pkg:area)` as `(setf area)`. */
function bare(name: string): string {
  return name.replaceAll(/(?<![^\s():|])[^\s():|]+::?(?=[^\s():])/g, '');
}

/** Maximum number of forms that one name may have for an edit to find each. */
const MOST_OF_A_NAME = 20;

/** A Lisp file with its top-level forms. */
class FormsOfFile {
  readonly #file: TextFile;
  readonly #source: Source;
  readonly #forms: readonly TopLevelForm[];
  readonly #packages: EnteredPackages;
  readonly #positions: Positions;

  private constructor(file: TextFile) {
    this.#file = file;
    this.#source = sourceOf(file);
    this.#forms = topLevelForms(this.#source);
    this.#packages = EnteredPackages.of(this.#forms, this.#source);
    this.#positions = new Positions(this.#source.text);
  }

  /** Returns a text if the file cannot be read as Lisp. */
  static async open(path: string, caller: Caller, options: FileToolOptions): Promise<FormsOfFile | string> {
    try {
      const file = new FormsOfFile(await openText(path, caller, options, fileCaller(caller)));
      return file.#source.problem === null ? file : 'the delimiters of the file do not match';
    } catch (error) {
      if (error instanceof HarborError) return error.text;
      throw error;
    }
  }

  /** Returns the forms that start on a line, or else those around it, as a slot is within its class. */
  at(line: number): TopLevelForm[] {
    const lines = ({ form }: TopLevelForm) => [
      this.#positions.line(form.start),
      this.#positions.line(form.end),
    ];
    const starting = this.#forms.filter((form) => lines(form)[0] === line);
    if (starting.length > 0) return starting;
    return this.#forms.filter((form) => {
      const [first = 0, last = 0] = lines(form);
      return first < line && line <= last;
    });
  }

  packageAt({ form }: TopLevelForm): string {
    return this.#packages.at(form.start) ?? 'COMMON-LISP-USER';
  }

  /** Returns the options `(:method …)` of a DEFGENERIC. */
  inlineMethods({ form }: TopLevelForm) {
    if (!isList(form)) return [];
    return formsOf(form).flatMap((option) =>
      isList(option) && operatorOf(option, this.#source)?.toLowerCase() === ':method'
        ? [methodOf(formsOf(option).slice(1), this.#source)]
        : [],
    );
  }

  /** Returns the functions that slots of a class define. */
  accessors({ form }: TopLevelForm): { name: string; writes: boolean }[] {
    if (!isList(form)) return [];
    const slots = formsOf(form)
      .map(behindPrefixes)
      .filter(isList)
      .flatMap((list) => formsOf(list).filter(isList));
    return slots.flatMap((slot) => {
      const parts = formsOf(slot).map(({ start, end }) => this.#source.text.slice(start, end));
      return parts.flatMap((part, index) => {
        const name = parts[index + 1] ?? '';
        const setter = { name: `(setf ${name})`, writes: true };
        switch (part.toLowerCase()) {
          case ':reader':
            return [{ name, writes: false }];
          case ':writer':
            return [{ name, writes: true }];
          case ':accessor':
            return [{ name, writes: false }, setter];
          default:
            return [];
        }
      });
    });
  }

  /** Returns how `lisp-edit-form` finds the form; null if it finds another by those names. */
  editing(form: TopLevelForm, container: string | undefined): Omit<InFile, 'path' | 'line'> | null {
    const { type } = form;
    const title = formTitle(form, this.#source.dialect).slice(type.length).trim();
    const numbered = Array.from({ length: MOST_OF_A_NAME }, (_, index) => `${title}[${index}]`);
    const name = [title, ...numbered].find((each) => this.#finds(type, each) === form.form);
    if (name === undefined) return null;
    return {
      ...{ source_match: 'matched', form_type: type, form_name: name, edit_guard: guardOf(this.#file, form) },
      ...(container === undefined ? {} : { edit_unit: container }),
    };
  }

  #finds(type: string, name: string): SyntaxNode | null {
    try {
      return locate(this.#source, { type, name, first: 0 }).form;
    } catch (error) {
      if (error instanceof HarborError) return null;
      throw error;
    }
  }
}

/** Runs one after the other, as one image answers. */
export async function eachInTurn<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const one of all) results.push(await work(one));
  return results;
}
