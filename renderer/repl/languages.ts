/** How each dialect is marked in the editor. One language serves all editors: CodeMirror keeps every one that was ever defined. */
import { StreamLanguage } from '@codemirror/language';
import { clojure } from '@codemirror/legacy-modes/mode/clojure';
import { commonLisp } from '@codemirror/legacy-modes/mode/commonlisp';
import type { Dialect } from '../../electron/source/dialect';

export const LANGUAGES: Readonly<Record<Dialect, StreamLanguage<unknown>>> = {
  'common-lisp': StreamLanguage.define(commonLisp),
  clojure: StreamLanguage.define(clojure),
};
