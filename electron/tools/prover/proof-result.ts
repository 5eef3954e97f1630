/**
 * Data that a prover reports for an evaluation, cut to what a result may carry: trust first, then why a proof
 * failed.
 */

import { instead, mention, messageText, ours, type ToolNames } from '../../contract/mention';
import type {
  BookReport,
  Certification,
  EventReport,
  FinalCheck,
  KeyCheckpoint,
  KeyCheckpoints,
  ProofReport,
  Suggestion,
  TrustIssue,
} from '../../contract/proof';

import type { LostCommand } from '../../contract/world';
import { withoutMiddle } from '../../history/long-text';
import { functionLines, theoremLines, verdictOf } from '../../sessions/export/final-check';
import type { Allowance } from '../allowance';
import { fittingBuilder, fittingObservation } from './proof-insight';
import { inOneLine } from './quoted';

/**
 * The change of the world is omitted, since it repeats the code.
 * @param limit maximum characters of a single text
 */
export function fittingProof(proof: ProofReport, limit: number, allowance: Allowance): ProofReport {
  const { change: _change, ...rest } = proof;
  return {
    ...rest,
    issues: allowance.first(proof.issues, 'trust issues', (issue) => fittingIssue(issue, limit, allowance)),
    events: allowance.first(proof.events, 'events', (event) => fittingEvent(event, limit, allowance)),
    ...(proof.lost === undefined
      ? {}
      : {
          lost: allowance.first(proof.lost, 'lost commands', (command) =>
            fittingCommand(command, limit, allowance),
          ),
        }),
    ...(proof.certification
      ? { certification: fittingCertification(proof.certification, limit, allowance) }
      : {}),
    ...(proof.observation ? { observation: fittingObservation(proof.observation, limit, allowance) } : {}),
    ...(proof.builder ? { builder: fittingBuilder(proof.builder, limit, allowance) } : {}),
  };
}

function fittingCommand(command: LostCommand, limit: number, allowance: Allowance): LostCommand {
  return { ...command, form: allowance.head(command.form, limit) };
}

/** The output contains what a book printed. */
function fittingCertification(
  { books, ...rest }: Certification,
  limit: number,
  allowance: Allowance,
): Certification {
  if (!books) return rest;
  const fitting = ({ log: _log, ...book }: BookReport): BookReport => ({
    ...book,
    book: allowance.head(book.book, limit),
    includes: fittingLines(book.includes, limit, allowance),
  });
  return { ...rest, books: allowance.first(books, 'books', fitting) };
}

function fittingIssue({ kind, about }: TrustIssue, limit: number, allowance: Allowance): TrustIssue {
  return { kind, about: fittingLines(about, limit, allowance) };
}

function fittingEvent(event: EventReport, limit: number, allowance: Allowance): EventReport {
  const { checkpoints, figures } = event;
  return {
    ...event,
    issues: allowance.first(event.issues, 'trust issues', (issue) => fittingIssue(issue, limit, allowance)),
    // Suggestions come first: they are short, and checkpoints may use up the allowance.
    ...(event.suggestions ? { suggestions: fittingSuggestions(event.suggestions, limit, allowance) } : {}),
    checkpoints: checkpoints && fittingCheckpoints(checkpoints, limit, allowance),
    events: allowance.first(event.events, 'inner events', (admitted) => ({
      ...admitted,
      names: fittingLines(admitted.names, limit, allowance),
    })),
    figures: figures && {
      ...figures,
      rules: fittingLines(figures.rules, limit, allowance),
      hintEvents: fittingLines(figures.hintEvents, limit, allowance),
    },
  };
}

/** A form is kept whole or omitted, since a cut form is not a form. */
function fittingSuggestions(
  suggestions: readonly Suggestion[],
  limit: number,
  allowance: Allowance,
): Suggestion[] {
  return allowance.first(suggestions, 'suggestions', ({ form, text, ...rest }) => ({
    ...rest,
    text: allowance.head(text, limit),
    form: form !== null && allowance.head(form, limit) === form ? form : null,
  }));
}

function fittingCheckpoints(
  { top, induction, reverted, ...rest }: KeyCheckpoints,
  limit: number,
  allowance: Allowance,
): KeyCheckpoints {
  const goal = (checkpoint: KeyCheckpoint): KeyCheckpoint => ({
    ...checkpoint,
    text: allowance.head(checkpoint.text, limit),
    form: allowance.head(checkpoint.form, limit),
  });
  return {
    top: allowance.first(top, 'key checkpoints', goal),
    induction: allowance.first(induction, 'key checkpoints', goal),
    reverted: allowance.first(reverted, 'key checkpoints', goal),
    ...rest,
  };
}

function fittingLines(lines: readonly string[], limit: number, allowance: Allowance): string[] {
  return allowance.first(lines, 'lines', (line) => allowance.head(line, limit));
}

// The report of a final check: cut to what a result may carry, and as brief text.

/** Maximum characters for theorems, and for the functions that they are about. */
const BRIEF_CHARACTERS = 2_000;

/** @param limit maximum characters of a single text */
export function fittingFinalCheck(report: FinalCheck, limit: number, allowance: Allowance): FinalCheck {
  const lines = (texts: readonly string[], what: string) =>
    allowance.first(texts, what, (text) => allowance.head(text, limit));
  return {
    ...report,
    theorems: allowance.first(report.theorems, 'theorems', (theorem) => ({
      ...theorem,
      formula: allowance.head(theorem.formula, limit),
      term: allowance.head(theorem.term, limit),
    })),
    functions: allowance.first(report.functions, 'functions', (each) => ({
      ...each,
      axiom: each.axiom === null ? null : allowance.head(each.axiom, limit),
    })),
    issues: allowance.first(report.issues, 'trust issues', ({ kind, about }) => ({
      kind,
      about: lines(about, 'lines'),
    })),
    files: allowance.first(report.files, 'files', (file) => ({
      ...file,
      ...(file.text === undefined ? {} : { text: allowance.head(file.text, limit) }),
    })),
    steps: lines(report.steps, 'steps'),
    notes: lines(report.notes, 'notes'),
  };
}

/**
 * Returns the verified theorems and the functions they are about. The history has the sources, their hashes
 * and the steps.
 */
export function briefFinalCheck(report: FinalCheck, evaluation: number, names: ToolNames): string {
  const { files, functions } = report;
  const own = files.filter(({ role }) => role === 'book').length;
  const system = files.filter(({ role }) => role === 'system').length;
  const rebuilt = `rebuilt from ${own} of its own books and ${system} of the system’s`;
  const repeat = instead(
    mention`${rebuilt}; their hashes, and how to repeat it: ${ours('history', 'id')} with id ${evaluation}`,
  );
  return [
    verdictOf(report),
    ...within(
      report.theorems.map((each) => theoremLines({ theorems: [each] })),
      'theorems',
    ),
    ...(functions.length === 0
      ? []
      : [
          'about:',
          ...within(
            functions.map((each) => functionLines({ functions: [each] })),
            'functions',
          ),
        ]),
    ...report.notes.map((note) => `; ${inOneLine(note)}`),
    messageText({ text: rebuilt, mentions: [repeat] }, names),
  ].join('\n');
}

/** Returns the first items, each whole; only of one that is too long by itself the middle is omitted. */
function within(items: readonly (readonly string[])[], what: string): string[] {
  const texts = items.map((lines) => withoutMiddle(lines.join('\n'), BRIEF_CHARACTERS));
  let characters = 0;
  const end = texts.findIndex((text) => {
    characters += text.length + 1;
    return characters > BRIEF_CHARACTERS;
  });
  const shown = end < 0 ? texts : texts.slice(0, Math.max(end, 1));
  const more = texts.length - shown.length;
  return [...shown, ...(more === 0 ? [] : [`… ${more} more ${what}`])];
}
