/** What a prover tells of an evaluation, cut to what one result may carry; trust first, then why a proof failed. */
import type { BookReport, Certification } from '../../contract/certification';
import type {
  EventReport,
  KeyCheckpoint,
  KeyCheckpoints,
  ProofReport,
  Suggestion,
  TrustIssue,
} from '../../contract/proof';
import type { LostCommand } from '../../contract/world';
import type { Allowance } from '../allowance';
import { fittingBuilder, fittingObservation } from './proof-insight';

/** The change of the world is left out: it is the code once more.
 * @param limit longest single text, in characters */
export function fittingProof(proof: ProofReport, limit: number, allowance: Allowance): ProofReport {
  const { change: _change, ...told } = proof;
  return {
    ...told,
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

/** What a book has printed is in the output. */
function fittingCertification(
  { books, ...told }: Certification,
  limit: number,
  allowance: Allowance,
): Certification {
  if (!books) return told;
  const fitting = ({ log: _log, ...book }: BookReport): BookReport => ({
    ...book,
    book: allowance.head(book.book, limit),
    includes: fittingLines(book.includes, limit, allowance),
  });
  return { ...told, books: allowance.first(books, 'books', fitting) };
}

function fittingIssue({ kind, about }: TrustIssue, limit: number, allowance: Allowance): TrustIssue {
  return { kind, about: fittingLines(about, limit, allowance) };
}

function fittingEvent(event: EventReport, limit: number, allowance: Allowance): EventReport {
  const { checkpoints, figures } = event;
  return {
    ...event,
    issues: allowance.first(event.issues, 'trust issues', (issue) => fittingIssue(issue, limit, allowance)),
    // They are short, and checkpoints may take all that is left.
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

/** A form that is cut would be no form. */
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
