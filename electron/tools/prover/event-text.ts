/** Events as text: of a success one line, of a failure its reason, its key checkpoints and what might help. */
import type { EventReport, ProofFigures, Suggestion, Verdict } from '../../contract/proof';
import type { AdmittedEvent } from '../../contract/world';
import { cut } from '../../history/cut-text';
import { checkpointLines } from './checkpoint-text';
import { inOneLine, quoted } from './quoted';

/** From how many milliseconds on it is said what a proof took. */
const WORTH_TELLING_MS = 100;
/** Events of one answer that went well, and characters for the events within one. */
const SUCCESSES_TOLD = 30;
const INNER_CHARACTERS = 160;
/** Suggestions, and characters for all of them. */
const SUGGESTIONS_TOLD = 3;
const SUGGESTION_CHARACTERS = 450;

const WENT_WELL: ReadonlySet<Verdict> = new Set(['proved', 'admitted', 'redundant']);

/** @param whole whether to leave nothing out
 * @param log the job of which the output has the rest */
export function eventsText(events: readonly EventReport[], whole: boolean, log: string | undefined): string {
  const several = events.length > 1;
  const well = events.filter(isPlain);
  const untold = new Set(whole ? [] : well.slice(SUCCESSES_TOLD));
  return [
    ...events
      .filter((event) => !untold.has(event))
      .flatMap((event) => eventLines(event, { several, whole, log })),
    ...(untold.size === 0 ? [] : [`… ${untold.size} more that went well`]),
  ].join('\n');
}

function isPlain({ verdict, issues }: EventReport): boolean {
  return WENT_WELL.has(verdict) && issues.length === 0;
}

interface Telling {
  several: boolean;
  whole: boolean;
  log: string | undefined;
}

function eventLines(event: EventReport, { several, whole, log }: Telling): string[] {
  const { form, place, command, figures, issues, checkpoints, suggestions = [] } = event;
  const where = place ? `${inOneLine(place.file)}:${place.line} ` : several ? `${form + 1}. ` : '';
  const facts = [
    verdictText(event),
    ...(figures ? figureTexts(figures, whole) : []),
    ...(several && issues.length > 0 ? [`rests on ${issues.map(({ kind }) => kind).join(', ')}`] : []),
    ...(whole && several ? [`command ${command}`] : []),
  ];
  return [
    `${where}${eventName(event)}: ${facts.join(' · ')}`,
    ...innerLines(event, whole),
    ...(figures ? causeLines(figures, whole, checkpoints?.gaveUp ?? null) : []),
    ...(checkpoints ? checkpointLines(checkpoints, whole, log) : []),
    ...suggestionLines(suggestions, whole),
  ];
}

/** Of a form with events within also at which of them it failed. */
function verdictText({ verdict, operator, failedAt }: EventReport): string {
  const within = failedAt !== undefined && !failedAt.startsWith(`${operator ?? ''} `);
  return within ? `${verdict} at ${inOneLine(failedAt)}` : verdict;
}

/** The operator, and what the form brought at its top, or would have brought. */
function eventName({ operator, events, failedAt }: EventReport): string {
  const [top, ...more] = events.filter(({ depth }) => depth === 0);
  const named = top && more.length === 0 && top.kind === operator ? top.names : top ? [admitted(top)] : [];
  const whole = [operator ?? 'form', ...named, ...more.map(admitted)].join(' ');
  return inOneLine(failedAt?.startsWith(`${whole} `) ? failedAt : whole);
}

function admitted({ kind, names, skipped }: AdmittedEvent): string {
  return [kind, ...names, ...(skipped ? ['(proofs skipped)'] : [])].join(' ');
}

function innerLines({ events, eventCount }: EventReport, whole: boolean): string[] {
  const inner = events.filter(({ depth }) => depth > 0).map(admitted);
  const untold = eventCount - events.length;
  const told = inOneLine(inner.join(', '));
  const texts = [
    ...(inner.length > 0 ? [whole ? told : cut(told, INNER_CHARACTERS)] : []),
    ...(untold > 0 ? [`${untold} more events`] : []),
  ];
  return texts.length === 0 ? [] : [`  within: ${texts.join(' and ')}`];
}

function figureTexts({ milliseconds, steps, warnings }: ProofFigures, whole: boolean): string[] {
  return [
    ...(milliseconds !== null && (whole || milliseconds >= WORTH_TELLING_MS) ? [seconds(milliseconds)] : []),
    ...(steps === null ? [] : [stepsText(steps)]),
    ...(warnings.length > 0 ? [`warnings: ${inOneLine(warnings.join(' ')).replaceAll('"', '')}`] : []),
  ];
}

/** @param gaveUp what the checkpoints say of it */
function causeLines(figures: ProofFigures, whole: boolean, gaveUp: string | null): string[] {
  const { rules, hintEvents, splitterRules, abortCauses } = inOneLine(figures);
  const lists = {
    'aborted by': abortCauses.filter((cause) => cause !== gaveUp),
    ...(whole ? { rules, 'hint events': hintEvents, 'splitter rules': splitterRules } : {}),
  };
  return Object.entries(lists).flatMap(([title, texts]) =>
    texts.length === 0 ? [] : [`  ${title}: ${texts.join(' ')}`],
  );
}

/** Told as what they are: nobody has tried them. */
function suggestionLines(suggestions: readonly Suggestion[], whole: boolean): string[] {
  if (suggestions.length === 0) return [];
  const told = whole ? suggestions : suggestions.slice(0, SUGGESTIONS_TOLD);
  return [
    '  suggestions, computed from the failure and not proved:',
    ...told.flatMap((suggestion) => suggestionText(suggestion, whole)),
  ];
}

/** A form that is cut would be no form. */
function suggestionText({ kind, text, form }: Suggestion, whole: boolean): string[] {
  const isLong = form !== null && form.length > SUGGESTION_CHARACTERS;
  return [
    `    ${kind}: ${whole ? inOneLine(text) : cut(inOneLine(text), SUGGESTION_CHARACTERS)}`,
    ...(form === null || (isLong && !whole) ? [] : [quoted(form).replaceAll(/^/gm, '    ')]),
  ];
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(2)} s`;
}

function stepsText(count: number): string {
  return count < 0 ? `more than ${-count} steps` : `${count} steps`;
}
