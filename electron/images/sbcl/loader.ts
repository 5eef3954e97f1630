/** Loading and testing in SBCL: calls of the functions that resources/lisp/systems.lisp and test-runs.lisp define. */

import { lispString } from '../lisp-string';
import type { Loader, LoadTarget, TestTarget } from '../loader';

export class SbclLoader implements Loader {
  readonly frameworks = ['fiveam', 'rt', 'test-op'];

  loadCode(target: LoadTarget): string {
    return 'file' in target
      ? `(lisp-harbor:load-file ${lispString(target.file)})`
      : `(lisp-harbor:load-system${target.systems.map((name) => ` ${lispString(name)}`).join('')})`;
  }

  testCode(target: TestTarget): string {
    const keys = (['system', 'file', 'test', 'framework'] as const).flatMap((key) => {
      const value = target[key];
      return value === undefined ? [] : [` :${key} ${lispString(value)}`];
    });
    return `(lisp-harbor:run-tests${keys.join('')})`;
  }
}
