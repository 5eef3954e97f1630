/** Which package is the current one where in a text of Common Lisp, as its `in-package` forms say. */
import type { Source } from '../reader';
import type { SyntaxNode } from '../syntax-tree';
import type { TopLevelForm } from '../top-level';
import { packageEntered } from './package-forms';

export class EnteredPackages {
  readonly #entries: readonly { from: number; name: string }[];

  /** @param forms those at top level, in the order of the text */
  constructor(forms: readonly SyntaxNode[], source: Source) {
    this.#entries = forms.flatMap((form) => {
      const name = packageEntered(form, source);
      return name === null ? [] : [{ from: form.end, name }];
    });
  }

  static of(forms: readonly TopLevelForm[], source: Source): EnteredPackages {
    return new EnteredPackages(
      forms.map(({ form }) => form),
      source,
    );
  }

  /** By its name there, as the reader makes it; null before the first. */
  at(offset: number): string | null {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.from ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return this.#entries[low - 1]?.name ?? null;
  }
}
