/** The source of debugger frames and exception frames, and the classification of frames. */

import type { FrameSource, ShownSource, ThrownPlace } from '../contract/debugger';
import type { Evaluation } from '../contract/model';

import { read } from '../source/reader';
import { findRunningForm } from '../source/running-form';
import { formsOf } from '../source/syntax-tree';
import { unitAt } from '../source/text';

/** Maximum characters of an evaluation around a frame. */
const LONGEST = 20_000;

/**
 * Returns the source of a debugger frame: the text of the file as the image read it, or of the evaluation
 * from the history.
 * @param find returns the row of an evaluation
 */
export function shownSource(
  { file, form, number, line, text, evaluation, position }: FrameSource,
  project: string,
  find: (id: number) => Evaluation | null,
): ShownSource | null {
  if (file !== null && text !== undefined)
    return { ...parted(text), line: line ?? 1, file, evaluation: null };
  if (evaluation === undefined) return null;
  // The image supplies the id, so rows of other projects are ignored.
  const row = find(evaluation);
  const written = row?.project === project ? formAt(row.code, position ?? 0) : null;
  return written && { ...parted(written.text), line: written.line, file: null, evaluation };

  function parted(whole: string) {
    const { start, end } = (form !== null && findRunningForm(whole, form, number)) || {
      start: whole.length,
      end: null,
    };
    return {
      before: whole.slice(0, start),
      running: end === null ? null : whole.slice(start, end),
      after: end === null ? '' : whole.slice(end),
    };
  }
}

/** Returns the form at `position`, which counts code points as Lisp does, and its line. */
function formAt(code: string, position: number): { text: string; line: number } | null {
  const start = unitAt(code, position);
  const form = formsOf(read(code, 'common-lisp').tree).find((node) => node.end > start);
  if (!form) return null;
  const line = code.slice(0, form.start).split('\n').length;
  return { text: code.slice(form.start, Math.min(form.end, form.start + LONGEST)), line };
}

/**
 * Returns the source of an exception frame with its current line: the text of the file as the image read it,
 * or of the evaluation from the history.
 * @param find returns the row of an evaluation
 */
export function thrownSource(
  { line, file, start, text, evaluation }: ThrownPlace,
  project: string,
  find: (id: number) => Evaluation | null,
): ShownSource | null {
  if (file !== undefined && text !== undefined && start !== undefined) {
    const form = formAround(text, line - start + 1);
    return form && { ...parted(form, line - start + 1), line: start + form.line - 1, file, evaluation: null };
  }
  // The image supplies the id, so rows of other projects are ignored.
  const row = evaluation === undefined ? null : find(evaluation);
  const form = row?.project === project ? formAround(row.code, line) : null;
  return form && { ...parted(form, line), line: form.line, file: null, evaluation: evaluation ?? null };
}

interface PlacedText {
  text: string;
  /** The line of its first character, from 1. */
  line: number;
}

/** Returns the top-level form that includes a line, counted from 1. */
function formAround(text: string, line: number): PlacedText | null {
  const lines = text.split('\n');
  if (line < 1 || line > lines.length) return null;
  const end = lines.slice(0, line).join('\n').length;
  const form = formsOf(read(text, 'clojure').tree).findLast((node) => node.start < end);
  if (!form) return null;
  const before = text.slice(0, form.start).split('\n').length;
  return { text: text.slice(form.start, Math.min(form.end, form.start + LONGEST)), line: before };
}

/** Splits the text around the line, without the line's indentation. */
function parted(
  { text, line: first }: PlacedText,
  line: number,
): Pick<ShownSource, 'before' | 'running' | 'after'> {
  const lines = text.split('\n');
  const running = lines[line - first];
  if (running === undefined) return { before: text, running: null, after: '' };
  const indented = running.length - running.trimStart().length;
  const before = lines.slice(0, line - first).map((each) => `${each}\n`);
  const after = lines.slice(line - first + 1).map((each) => `\n${each}`);
  return {
    before: before.join('') + running.slice(0, indented),
    running: running.slice(indented),
    after: after.join(''),
  };
}

// Frames that belong to an engine or its loader, recognized by their printed calls.

/**
 * Frames that load the caller's code, or that are the toplevel form itself in Clojure. They do not locate the
 * error.
 */
const LOADER =
  /^\S+\/eval\d+ \(|^\(+(?:(?:FLET|LABELS|LAMBDA|METHOD) .*\bIN )?"?(?:ASDF(?:\/[A-Z-]+)?|UIOP(?:\/[A-Z-]+)?|LISP-HARBOR[A-Z-]*)::?|^\((?:LOAD|COMPILE-FILE|REQUIRE) /;
/**
 * Packages of SBCL, ASDF and our agent, in a call, or in the function or the file that encloses a local
 * function.
 */
const COMMON_LISP =
  /^\(+(?:(?:FLET|LABELS|LAMBDA|METHOD|MACRO-FUNCTION) .*\bIN )?"?(?:SYS:SRC;|SB-[A-Z0-9]+|ASDF(?:\/[A-Z-]+)?|UIOP(?:\/[A-Z-]+)?|LISP-HARBOR[A-Z-]*|ORG\.ARMEDBEAR[A-Z.]*|SI|EXT)::?/;
const CLOJURE =
  /^(?:clojure\.(?:core|lang|main|test)\b|nrepl\.|java\.|javax\.|jdk\.|sun\.|lisp-harbor|lisp_harbor)/;

/** SCI prints the source location of functions of ClojureScript's libraries. */
const NBB = /^lisp-harbor\.|\((?:sci|cljs|clojure|nbb|edamame)\/[^()]*\)$/;

const INNER: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    sbcl: COMMON_LISP,
    acl2: COMMON_LISP,
    ecl: COMMON_LISP,
    abcl: COMMON_LISP,
    ccl: COMMON_LISP,
    swank: COMMON_LISP,
    slynk: COMMON_LISP,
    clojure: CLOJURE,
    nrepl: CLOJURE,
    nbb: NBB,
  }),
);

/** @param call as the engine prints the frame */
export function isInnerFrame(engine: string, call: string): boolean {
  const inner = INNER.get(engine);
  return inner !== undefined && (inner.test(call) || isLoaderFrame(call));
}

/** Reports whether the frame belongs to our loader, our test runner or ASDF. */
export function isLoaderFrame(call: string): boolean {
  return LOADER.test(call);
}
