/** What may be asked of the thread that has the index, and what it answers. Pure. */
import type {
  HistoryEntry,
  HistoryFacets,
  HistoryFilter,
  HistoryOutline,
  HistoryTimeline,
} from '../../contract/history';
import type { HistoryPage, HistoryQuery } from '../../contract/model';
import type { PageKeys } from './entry-select';

/** Each question by its name, with its answer. */
export interface Questions {
  /** Evaluations for a client, newest first. */
  page: { args: HistoryQuery; answer: HistoryPage };
  /** Entries for the window. */
  entries: { args: { filter: HistoryFilter; page: PageKeys }; answer: HistoryEntry[] };
  /** Given up when another is asked for: null then. */
  outline: { args: HistoryFilter; answer: HistoryOutline | null };
  /** Given up as an outline is; null also for a text that no index finds. */
  timeline: { args: HistoryFilter; answer: HistoryTimeline | null };
  /** The key of an evaluation or a call, or of the newest entry that began before a time; null for none. */
  locate: { args: { evaluation: number } | { call: number } | { before: number }; answer: number | null };
  facets: { args: null; answer: HistoryFacets };
  /** What is wrong with the history's file, all of which is read; null for nothing. */
  check: { args: null; answer: string | null };
  /** Drops what is gone from the history. */
  forget: { args: { evaluations: readonly number[]; calls: readonly number[] }; answer: null };
  /** Nothing but to be up to date. */
  poke: { args: null; answer: null };
}

export type QuestionName = keyof Questions;

/** `closed` has the evaluations that have changed since the question before. */
export interface Question<Q extends QuestionName = QuestionName> {
  id: number;
  name: Q;
  args: Questions[Q]['args'];
  closed: readonly number[];
}

export type Answer = { id: number; value: unknown } | { id: number; problem: string };

/** What the thread is started with. */
export interface IndexThreadData {
  /** The history's file. */
  file: string;
  /** Calls up to this one were begun by earlier harbors. */
  callsBefore: number;
}
