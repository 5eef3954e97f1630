/** Where the sources of a check skip proofs: what its processes say of that does not name the event. Pure. */
import { operatorOf } from '../../../source/form-name';
import { Positions } from '../../../source/positions';
import { read } from '../../../source/reader';
import { isBranch, walk } from '../../../source/syntax-tree';
import type { Sources } from './sources';

/** As a process of a check says that it does not skip any (resources/lisp/acl2/checked-code.lisp). */
const SAID = /This\s+skips\s+proofs\./;

const SKIPS: ReadonlySet<string> = new Set(['skip-proofs', 'set-ld-skip-proofsp']);

/** Characters of a form that is shown. */
const SHOWN = 160;

/** A sentence that says where, or nothing where the text does not tell or the reason is another one.
 * @param file that did not pass @param texts of a session, whose lines nobody has seen */
export function whereSkipped(
  reason: string,
  file: string,
  { files }: Sources,
  texts: ReadonlyMap<string, string> | undefined,
): string {
  if (!SAID.test(reason)) return '';
  const loaded = [...files.values()].filter(({ role }) => role === 'loaded').map((each) => each.file);
  for (const each of [file, ...loaded]) {
    const found = skippingForm(files.get(each)?.bytes.toString('latin1') ?? '');
    if (found === null) continue;
    const place = texts?.has(each) ? '' : `${each}:${found.line}: `;
    return ` ${place}${found.form}`;
  }
  return '';
}

function skippingForm(text: string): { line: number; form: string } | null {
  const source = read(text, 'common-lisp');
  for (const { node } of walk(source.tree)) {
    if (!isBranch(node) || node.kind !== 'list') continue;
    if (!SKIPS.has(operatorOf(node, source)?.toLowerCase() ?? '')) continue;
    const form = text.slice(node.start, node.end).replaceAll(/\s+/g, ' ');
    return {
      line: new Positions(text).line(node.start),
      form: form.length <= SHOWN ? form : `${form.slice(0, SHOWN)}…`,
    };
  }
  return null;
}
