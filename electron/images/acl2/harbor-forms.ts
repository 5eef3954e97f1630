/** Forms that the harbor carries out itself (resources/lisp/acl2/harbor-forms.lisp), as code in whatever package. */

/** As the helper names them; what becomes of `certify`, and of `restore` with a name, is the image's own affair. */
type HarborForm = 'undo' | 'undo-one' | 'load' | 'replay' | 'restore' | 'certify' | 'observe' | 'verify';

/** @param argument Lisp code of what is no form: a number, a string, a list of those */
export function harborForm(name: HarborForm, argument: string): string {
  return `(acl2::harbor-${name} ${argument})`;
}

/** The string that `code` gives to the form `name`, if it is nothing else. */
export function stringGivenTo(name: HarborForm, code: string): string | null {
  const given = new RegExp(
    `^\\s*\\((?:acl2::)?harbor-${name}\\s+"((?:[^"\\\\]|\\\\.)*)"\\s*\\)\\s*$`,
    'is',
  ).exec(code);
  return given?.[1]?.replace(/\\(.)/gs, '$1') ?? null;
}
