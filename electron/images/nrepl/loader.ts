/**
 * Loading and testing in Clojure and nbb: calls of what loading.clj and testing.clj, or loading.cljs and testing.cljs, define
 * in resources, and what they tell meanwhile: JSON in messages of the request itself, or beside it. Code in the image could send
 * the like, so each message is validated, and what is none is passed over.
 */
import { z } from 'zod';
import { Warning } from '../../contract/model';
import { LoadFailure, type Report, TestRun } from '../../contract/report';
import { boundedJson } from '../../host/bounded-json';
import type { Loader, LoadTarget, TestTarget } from '../optional-groups';
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

  testCode({ system, file, test }: TestTarget): string {
    return `(lisp-harbor.testing/run ${clojureData({ system, file, test })})`;
  }
}

/** The key of such a message. */
export const TOLD = 'lisp-harbor';

/** Warnings and failures kept of one evaluation. */
const KEPT_ITEMS = 5_000;

const Told = z.discriminatedUnion('event', [
  z.object({ event: z.literal('loaded'), systems: z.array(z.string()) }),
  LoadFailure.extend({ event: z.literal('failure') }),
  Warning.omit({ form: true }).extend({ event: z.literal('warning') }),
  TestRun.extend({ event: z.literal('tests') }),
  z.object({ event: z.literal('note'), text: z.string().max(2000) }),
]);

export class NreplReport {
  readonly warnings: Warning[] = [];
  readonly #notes: string[] = [];
  readonly #report: Report = { loaded: [], failures: [], runs: [] };
  #items = 0;
  #lost = 0;

  get notes(): readonly string[] {
    const lost = this.#lost > 0 ? [`${this.#lost} more warnings and failures were not kept.`] : [];
    return [...this.#notes, ...lost];
  }

  /** Keeps what `text` tells of top-level form `form`; answers the warning when it is one. */
  receive(text: string, form: number): Warning | null {
    const told = Told.safeParse(parsed(text)).data;
    if (!told) return null;
    if (this.#items >= KEPT_ITEMS) {
      this.#lost += 1;
      return null;
    }
    this.#items += 1;
    switch (told.event) {
      case 'loaded':
        this.#report.loaded.push(...told.systems);
        return null;
      case 'failure':
        this.#report.failures.push(withoutEvent(told));
        return null;
      case 'tests':
        this.#report.runs.push(withoutEvent(told));
        return null;
      case 'note':
        this.#notes.push(told.text);
        return null;
      case 'warning': {
        const warning = { ...withoutEvent(told), form };
        this.warnings.push(warning);
        return warning;
      }
    }
  }

  /** Absent where nothing was told. */
  get told(): { report?: Report } {
    const { loaded, failures, runs } = this.#report;
    return [loaded, failures, runs].some((part) => part.length > 0) ? { report: this.#report } : {};
  }
}

function withoutEvent<T extends { event: string }>({ event: _event, ...rest }: T): Omit<T, 'event'> {
  return rest;
}

function parsed(text: string): unknown {
  try {
    return boundedJson(text);
  } catch {
    return undefined;
  }
}
