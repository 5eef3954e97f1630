/** The text of a Common Lisp source file that holds what a session has defined: loadable on its own, into any Lisp. */
import { lispString } from '../../contract/knowledge';

/** A form and the package in which it is to be read. */
export interface FileForm {
  package: string;
  code: string;
}

/** A package that no form of the file defines: from a file, or made by a program. */
export interface NeededPackage {
  name: string;
  file?: string;
  uses: readonly string[];
}

export interface DefinitionsFile {
  /** Lines of the comment at its head; the first says what the file is for. */
  about: readonly string[];
  systems: readonly string[];
  packages: readonly NeededPackage[];
  forms: readonly FileForm[];
}

export function definitionsFile({ about, systems, packages, forms }: DefinitionsFile): string {
  const needed = [...loadingSystems(systems), ...packages.map(loadingPackage)];
  const parts = [
    about.map((line) => `;;;; ABOUTME: ${line}`).join('\n'),
    ...(needed.length > 0 ? [needed.join('\n')] : []),
    ...formsWithPackages(forms, null),
  ];
  return `${parts.join('\n\n').trimEnd()}\n`;
}

function loadingSystems(systems: readonly string[]): string[] {
  if (systems.length === 0) return [];
  return ['(require "asdf")', ...systems.map((name) => `(asdf:load-system ${lispString(name)})`)];
}

function loadingPackage({ name, file, uses }: NeededPackage): string {
  const designator = packageDesignator(name);
  const used = uses.map(packageDesignator).join(' ');
  const making =
    file === undefined ? `(make-package ${designator} :use '(${used}))` : `(load ${lispString(file)})`;
  return `(unless (find-package ${designator}) ${making})`;
}

/** Each form, behind an IN-PACKAGE where it is not read in the package of the one before.
 * @param before the package that is current before the first; null: none that may be relied on */
export function formsWithPackages(forms: readonly FileForm[], before: string | null): string[] {
  let current = before === null ? null : packageDesignator(before);
  return forms.flatMap(({ package: name, code }) => {
    const designator = packageDesignator(name);
    const entering = designator === current ? [] : [`(in-package ${designator})`];
    current = designator;
    return [...entering, code];
  });
}

/** `:shop`, or a string where a symbol would not be read as that name. */
export function packageDesignator(name: string): string {
  if (name === 'COMMON-LISP-USER' || name === 'CL-USER') return ':cl-user';
  return /^[A-Z][A-Z0-9*+./-]*$/.test(name) ? `:${name.toLowerCase()}` : lispString(name);
}
