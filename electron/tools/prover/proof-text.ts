/** What a prover tells of an evaluation as text: a line for each event, its checkpoints, and what all of it rests on. */
import type {
  Certification,
  EventReport,
  KeyCheckpoint,
  ProofReport,
  Suggestion,
  TrustIssue,
} from '../../contract/proof';
import type { LostCommand } from '../../contract/world';
import { insightSections } from './proof-insight';

export function proofSections(report: ProofReport): string[] {
  const { events, issues, command, lost = [], certification } = report;
  const world = command === null ? '' : ` · command ${command}`;
  return [
    ...(events.length > 0 ? [`[events]\n${events.map(eventText).join('\n')}`] : []),
    ...(lost.length > 0 ? [`[not in the world any more]\n${lost.map(lostText).join('\n')}`] : []),
    ...(certification ? [`[certification]\n${certificationText(certification)}`] : []),
    ...insightSections(report),
    `[trust]\n${trustText(issues)}${world}`,
  ];
}

/** "no trust issues", or what there is: "skip-proofs (DEFTHM BAD), axiom (AX)". */
export function trustText(issues: readonly TrustIssue[]): string {
  if (issues.length === 0) return 'no trust issues';
  return issues.map(({ kind, about }) => `${kind} (${about.join(' ')})`).join(', ');
}

function lostText({ command, form, because }: LostCommand): string {
  return `${command}. ${form}\n    ${because}`;
}

function certificationText({ book, certificate }: Certification): string {
  return certificate === null ? `${book} was not certified` : `${book} is certified: ${certificate}`;
}

function eventText({
  form,
  place,
  operator,
  verdict,
  command,
  events,
  eventCount,
  figures,
  checkpoints,
  suggestions = [],
  issues,
}: EventReport) {
  const admitted = events.map(({ kind, names, depth, skipped }) =>
    [`${'  '.repeat(depth)}${kind}`, ...names, ...(skipped ? ['(proofs skipped)'] : [])].join(' '),
  );
  const cost = figures ? [seconds(figures.milliseconds), steps(figures.steps)] : [];
  const line = [`${verdict}`, ...cost.filter((part) => part !== ''), trustText(issues), `command ${command}`];
  return [
    `${place ? `${place.file}:${place.line}` : `${form + 1}.`} ${operator ?? 'form'}: ${line.join(' · ')}`,
    ...admitted.map((event) => `    ${event}`),
    ...(eventCount > events.length ? [`    and ${eventCount - events.length} more events`] : []),
    ...(figures ? figureLines(figures) : []),
    ...(checkpoints
      ? [
          ...goals('key checkpoints at the top level', checkpoints.top),
          ...goals('key checkpoints under an induction', checkpoints.induction),
          ...goals('given up in favour of an induction', checkpoints.reverted),
          ...(checkpoints.gaveUp === null ? [] : [`    gave up: ${checkpoints.gaveUp}`]),
        ]
      : []),
    ...suggestionLines(suggestions),
  ].join('\n');
}

function figureLines({
  rules,
  hintEvents,
  splitterRules,
  warnings,
  abortCauses,
}: NonNullable<EventReport['figures']>) {
  return Object.entries({
    rules,
    'hint events': hintEvents,
    'splitter rules': splitterRules,
    warnings,
    'aborted by': abortCauses,
  }).flatMap(([title, lines]) => (lines.length === 0 ? [] : [`    ${title}: ${lines.join(' ')}`]));
}

/** Told as what they are: nobody has tried them. */
function suggestionLines(suggestions: readonly Suggestion[]): string[] {
  if (suggestions.length === 0) return [];
  return [
    '    suggestions, computed from the failure and not tried:',
    ...suggestions.flatMap(({ kind, text, form }) => [
      `      ${kind}: ${text}`,
      ...(form === null ? [] : [`        ${form}`]),
    ]),
  ];
}

function goals(title: string, checkpoints: readonly KeyCheckpoint[]): string[] {
  if (checkpoints.length === 0) return [];
  return [`    ${title}:`, ...checkpoints.flatMap(goalLines)];
}

/** The form in one line is there as well where it reads other than what is shown, as in another package. */
function goalLines({ goal, text, form, pushed }: KeyCheckpoint): string[] {
  const joined = text.replaceAll(/\s+/g, ' ');
  return [
    `      ${goal}${pushed === null ? '' : ` (pushed for induction: ${pushed})`}`,
    ...text.split('\n').map((line) => `        ${line}`),
    ...(joined === form ? [] : [`        as data: ${form}`]),
  ];
}

function seconds(milliseconds: number | null): string {
  return milliseconds === null ? '' : `${(milliseconds / 1_000).toFixed(2)} s`;
}

function steps(count: number | null): string {
  if (count === null) return '';
  return count < 0 ? `more than ${-count} steps` : `${count} steps`;
}
