/** Loading and testing in Clojure: calls of what resources/clojure/loading.clj and testing.clj define. */
import type { Loader, LoadTarget, TestTarget } from '../optional-groups';
import { clojureData } from './clojure-data';

export class NreplLoader implements Loader {
  readonly frameworks = ['clojure.test'];

  loadCode(target: LoadTarget): string {
    return 'file' in target
      ? `(lisp-harbor.loading/load-file ${clojureData(target.file)})`
      : `(lisp-harbor.loading/load-namespaces${target.systems.map((name) => ` ${clojureData(name)}`).join('')})`;
  }

  testCode({ system, file, test }: TestTarget): string {
    return `(lisp-harbor.testing/run ${clojureData({ system, file, test })})`;
  }
}
