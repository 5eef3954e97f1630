/** Evaluations as text: source that can be loaded, or Markdown to read. Pure. */
import type { Evaluation } from '../../contract/model';
import { dialectOf } from '../../source/dialect';

/** Each form below a line that says whose it was; its values follow as comments. What did not go well is a comment whole.
 * @param rows of one dialect, oldest first */
export function sourceText(rows: readonly Evaluation[]): string {
  return `${rows.map(sourceOf).join('\n\n')}\n`;
}

/** @param rows oldest first */
export function markdownText(rows: readonly Evaluation[]): string {
  return `# Evaluations\n\n${rows.map(sectionOf).join('\n\n')}\n`;
}

function sourceOf(row: Evaluation): string {
  const { code, outcome, forms, condition } = row;
  const values = forms.at(-1)?.values ?? [];
  const went = outcome === 'ok' ? values.map((value) => `=> ${value}`) : [outcomeText(row)];
  return [
    `;;; ${headOf(row)}`,
    outcome === 'ok' ? code.trimEnd() : commented(code.trimEnd()),
    ...(condition || went.length > 0 ? [commented(went.join('\n'))] : []),
  ].join('\n');
}

function sectionOf(row: Evaluation): string {
  const { code, engine, stdout, stderr, forms, outcome } = row;
  const values = forms.flatMap((form) => form.values);
  const language = dialectOf(engine) === 'clojure' ? 'clojure' : 'lisp';
  return [
    `## ${headOf(row)}`,
    fenced(code.trimEnd(), language),
    ...(stdout + stderr === '' ? [] : ['Output:', fenced(stdout + stderr, '')]),
    ...(values.length === 0 ? [] : ['Values:', fenced(values.join('\n'), language)]),
    ...(outcome === 'ok' ? [] : [`**${outcomeText(row)}**`]),
  ].join('\n\n');
}

function headOf({ id, client, session, startedAt, outcome }: Evaluation): string {
  return `#${id} · ${client} · ${session} · ${new Date(startedAt).toISOString()} · ${outcome}`;
}

function outcomeText({ outcome, condition }: Evaluation): string {
  return condition ? `${condition.type}: ${condition.message}` : outcome;
}

function commented(text: string): string {
  return text
    .split('\n')
    .map((line) => `;; ${line}`.trimEnd())
    .join('\n');
}

/** With a fence that is longer than any in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}
