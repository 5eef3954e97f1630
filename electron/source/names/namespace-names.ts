/** Whether a symbol of a Clojure file is the var that is asked for, by what the file alone says of namespaces. */
import type { Source } from '../reader';
import { isDefiner, type TopLevelForm } from '../top-level';
import { Namespaces, namespaceEntered, namespaceForm } from './namespaces';

const QUALIFIED = /^([^/]+)\/(.+)$/;

/** Whether a symbol of that file is the var `query`; one without a namespace may be anybody's. */
export function namesIn(
  source: Source,
  forms: readonly TopLevelForm[],
  query: string,
): (written: string) => boolean {
  const [, space, simple = query] = QUALIFIED.exec(query) ?? [];
  const own = forms.map(({ form }) => namespaceEntered(form, source)).find((name) => name !== null);
  const isNamed = (written: string): boolean => (QUALIFIED.exec(written)?.[2] ?? written) === simple;
  if (space === undefined || own === undefined) return isNamed;
  const namespaces = new Namespaces();
  namespaces.define(space, simple);
  for (const { type, name, form } of forms) {
    namespaceForm(form, own, source, namespaces);
    if (isDefiner(type) && name?.name === simple) namespaces.define(own, simple);
  }
  return (written) =>
    isNamed(written) && namespaces.home(own, QUALIFIED.exec(written)?.[1] ?? null, simple) === space;
}
