/** The attacking engines: how their code runs a program, and attacks without one. */
import path from 'node:path';
import { Acl2Engine } from '../../electron/images/acl2/engine';
import type { Engine } from '../../electron/images/image';
import { NbbEngine } from '../../electron/images/nbb/engine';
import { ABCL, ECL } from '../../electron/images/portable/implementations';

import type { Session } from '../../electron/sessions/session/session';
import { engineOptions } from '../integration/acl2-fixture';
import { engine as clojure } from '../integration/clojure-fixture';
import { portableEngine } from '../integration/portable-fixture';
import { engine as sbcl } from '../integration/sbcl-fixture';
import { ROOT } from '../started-harbor';

export interface AttackedEngine {
  title: string;
  engine: Engine;
  /** Code that runs bash on a file and waits for it. */
  bash: (file: string) => string;
  /** What the user must allow first, so that code can run programs. */
  prepare?: (session: Session) => Promise<void>;
  /** Code that returns the value of `code`, or that it failed. */
  guarded: (code: string) => string;
  /** The printed form of `escaped`, the value of code that read something it must not. */
  escaped: string;
  /** Runs without confinement in every test run; the other engines do so in the soak. */
  isProof?: true;
  /** A JVM, which starts slowly: it attacks in one sandbox per test run. */
  isSlow?: true;
}

const commonLisp = {
  guarded: (code: string) => `(handler-case ${code} (error (condition) (type-of condition)))`,
  escaped: ':ESCAPED',
};

export const SBCL: AttackedEngine = {
  title: 'SBCL',
  engine: sbcl(),
  bash: (file) => `(sb-ext:run-program "/bin/bash" '("${file}") :input nil)`,
  ...commonLisp,
  isProof: true,
};

export const ECL_ATTACKED: AttackedEngine = {
  title: 'ECL',
  engine: portableEngine(ECL),
  bash: (file) => `(ext:system "/bin/bash ${file}")`,
  ...commonLisp,
};

export const ABCL_ATTACKED: AttackedEngine = {
  title: 'ABCL',
  engine: portableEngine(ABCL),
  bash: (file) => `(ext:run-shell-command "/bin/bash ${file}")`,
  ...commonLisp,
  isSlow: true,
};

export const ACL2: AttackedEngine = {
  title: 'ACL2 with raw Lisp',
  // An image starts programs only if the user has allowed some trust tag before.
  engine: new Acl2Engine({ ...engineOptions, trustTags: () => ['ATTEMPTS'] }),
  bash: (file) => `(sys-call "/bin/bash" '("${file}"))`,
  prepare: async (session) => {
    session.settings.allowRawLisp();
    await session.evaluate({ client: 'agent', grant: null, kind: 'eval', code: '(defttag :attempts)' })
      .settled;
  },
  guarded: (code) => code,
  escaped: ':ESCAPED',
};

export const CLOJURE: AttackedEngine = {
  title: 'Clojure',
  engine: clojure,
  bash: (file) => `(do (require 'clojure.java.shell) (clojure.java.shell/sh "/bin/bash" "${file}"))`,
  guarded: (code) => `(try ${code} (catch Throwable problem (class problem)))`,
  escaped: ':escaped',
  isSlow: true,
};

export const NBB: AttackedEngine = {
  title: 'nbb',
  engine: new NbbEngine(path.join(ROOT, 'resources/nbb/image.mjs')),
  bash: (file) => `(.-status (programs/spawnSync "/bin/bash" (clj->js ["${file}"])))`,
  prepare: async (session) => {
    const code = `(require '["node:child_process" :as programs] '["node:fs" :as fs])`;
    await session.evaluate({ client: 'agent', grant: null, kind: 'eval', code }).settled;
  },
  guarded: (code) => `(try ${code} (catch :default problem (str problem)))`,
  escaped: ':escaped',
};
