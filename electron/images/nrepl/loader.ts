/**
 * Loading and testing in Clojure and nbb: calls functions in resources (loading.clj and testing.clj, or
 * loading.cljs and testing.cljs), and collects their reports, which are JSON in messages of the request or
 * unsolicited ones. Code in the image could forge such messages, so each one is validated and invalid ones
 * are ignored.
 */

import { z } from 'zod';
import { Warning } from '../../contract/model';
import { type Note, note } from '../../contract/note';
import { BegunTest, LoadFailure, type Report, TestRun } from '../../contract/report';
import { boundedJsonOrUndefined } from '../../host/json';
import type { Loader, LoadTarget, TestTarget } from '../optional-groups';
import { type EarlyEnd, TestProgress } from '../test-progress';
import { clojureData } from './clojure-code';

export class NreplLoader implements Loader {
  readonly frameworks: readonly string[];

  constructor(framework: string) {
    this.frameworks = [framework];
  }

  loadCode(target: LoadTarget): string {
    return 'file' in target
      ? `(lisp-harbor.loading/load-file ${clojureData(target.file)})`
      : `(lisp-harbor.loading/load-namespaces${target.systems.map((name) => ` ${clojureData(name)}`).join('')})`;
  }

  testCode({ system, file, test, seconds }: TestTarget): string {
    return `(lisp-harbor.testing/run ${clojureData({ system, file, test, seconds })})`;
  }
}

/** The key of a report in a message. */
export const REPORT_KEY = 'lisp-harbor';

/** Maximum number of warnings and failures per evaluation. */
const MAX_ITEMS = 5_000;

const ReportMessage = z.discriminatedUnion('event', [
  z.object({ event: z.literal('loaded'), systems: z.array(z.string()) }),
  LoadFailure.extend({ event: z.literal('failure') }),
  Warning.omit({ form: true }).extend({ event: z.literal('warning') }),
  BegunTest.extend({ event: z.literal('testing') }),
  TestRun.extend({ event: z.literal('tests') }),
  z.object({ event: z.literal('note'), text: z.string().max(2000) }),
]);

export class NreplReport {
  readonly warnings: Warning[] = [];
  readonly #notes: Note[] = [];
  readonly #report: Report = { loaded: [], failures: [], runs: [] };
  readonly #tests: TestProgress;
  #items = 0;
  #lost = 0;

  /** @param tests follows the tests of the evaluation */
  constructor(tests = new TestProgress()) {
    this.#tests = tests;
  }

  get notes(): readonly Note[] {
    const lost =
      this.#lost > 0 ? [note('items_dropped', `${this.#lost} more warnings and failures were dropped.`)] : [];
    return [...this.#notes, ...lost];
  }

  /** Records a report for top-level form `form`; returns the warning if it is one. */
  receive(text: string, form: number): Warning | null {
    const message = ReportMessage.safeParse(boundedJsonOrUndefined(text)).data;
    if (!message) return null;
    if (message.event === 'testing') {
      this.#tests.begin(withoutEvent(message));
      return null;
    }
    if (this.#items >= MAX_ITEMS) {
      this.#lost += 1;
      return null;
    }
    this.#items += 1;
    switch (message.event) {
      case 'loaded':
        this.#report.loaded.push(...message.systems);
        return null;
      case 'failure':
        this.#report.failures.push(withoutEvent(message));
        return null;
      case 'tests':
        this.#tests.finish();
        this.#report.runs.push(withoutEvent(message));
        return null;
      case 'note':
        this.#notes.push(note('image', message.text));
        return null;
      case 'warning': {
        const warning = { ...withoutEvent(message), form };
        this.warnings.push(warning);
        return warning;
      }
    }
  }

  /**
   * Returns the report as part of an outcome; empty if there was none.
   * @param end how the evaluation ended; a test run that still runs ended so too
   */
  outcomePart(end: EndedForm): { report?: Report } {
    const unfinished = this.#tests.endedEarly(earlyEndOf(end));
    if (unfinished) this.#report.runs.push(unfinished);
    const { loaded, failures, runs } = this.#report;
    return [loaded, failures, runs].some((part) => part.length > 0) ? { report: this.#report } : {};
  }
}

function withoutEvent<T extends { event: string }>({ event: _event, ...rest }: T): Omit<T, 'event'> {
  return rest;
}

type EndedForm = { kind: string; failure?: string; condition?: { message: string } };

function earlyEndOf({ kind, failure, condition }: EndedForm): EarlyEnd {
  if (kind === 'lost') return { kind: 'image lost' };
  const message = condition?.message ?? failure;
  return kind === 'interrupted' || message === undefined ? { kind: 'stopped' } : { kind: 'error', message };
}
