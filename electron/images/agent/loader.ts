/** Loading and testing: calls of functions of the package LISP-HARBOR, which resources/lisp/backend.lisp declares. */

import { lispString } from '../../contract/knowledge';
import type { Loader, LoadTarget, TestTarget } from '../optional-groups';

export class AgentLoader implements Loader {
  readonly frameworks: readonly string[];

  constructor(frameworks: readonly string[]) {
    this.frameworks = frameworks;
  }

  loadCode(target: LoadTarget): string {
    return 'file' in target
      ? `(lisp-harbor:load-file ${lispString(target.file)})`
      : `(lisp-harbor:load-system${target.systems.map((name) => ` ${lispString(name)}`).join('')})`;
  }

  anewCode(system: string, compile: boolean): string {
    return `(lisp-harbor:load-system-anew ${lispString(system)}${compile ? ' :compile t' : ''})`;
  }

  testCode(target: TestTarget): string {
    const keys = (['system', 'file', 'test', 'framework'] as const).flatMap((key) => {
      const value = target[key];
      return value === undefined ? [] : [` :${key} ${lispString(value)}`];
    });
    return `(lisp-harbor:run-tests${keys.join('')})`;
  }
}
