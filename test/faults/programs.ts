/** How the code of each engine runs a script for bash and waits for it. */
import type { Engine } from '../../electron/images/image';
import type { Session } from '../../electron/sessions/session/session';
import { engine as acl2 } from '../integration/acl2-fixture';
import { engine as clojure } from '../integration/clojure-fixture';
import { engine as sbcl } from '../integration/sbcl-fixture';

export interface Programs {
  engine: Engine;
  /** Code that runs bash on a file and waits for it. */
  code: (file: string) => string;
  /** What a person has to do first, so that code can run programs at all. */
  prepare?: (session: Session) => Promise<void>;
}

export const SBCL_PROGRAMS: Programs = {
  engine: sbcl(),
  code: (file) => `(sb-ext:run-program "/bin/bash" '("${file}") :input nil)`,
};

export const ACL2_PROGRAMS: Programs = {
  engine: acl2,
  code: (file) => `(sys-call "/bin/bash" '("${file}"))`,
  prepare: async (session) => {
    session.allowRawLisp();
    await session.evaluate({ client: 'agent', kind: 'eval', code: '(defttag :attempts)' }).settled;
  },
};

export const CLOJURE_PROGRAMS: Programs = {
  engine: clojure,
  code: (file) => `(do (require 'clojure.java.shell) (clojure.java.shell/sh "/bin/bash" "${file}"))`,
};
