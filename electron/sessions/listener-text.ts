/** What a listener prints: the result of an evaluation, or what holds it in the debugger, in the manner of SBCL's own. */
import type { Condition, Evaluation, Restart } from '../contract/model';
import { isSandboxNote } from '../contract/sandbox-note';

/** Values or the condition, and the notes; warnings came with the output. `held`: the condition was shown then. */
export function resultText(evaluation: Evaluation, held: boolean): string {
  const { forms, condition, outcome, notes } = evaluation;
  const lines = forms.flatMap(({ values }) => values);
  if (condition && !held) lines.push(`${condition.type}: ${condition.message}`);
  if (outcome === 'interrupted') lines.push('; Evaluation interrupted.');
  lines.push(...notes.filter((note) => !isSandboxNote(note)).map((note) => `; ${note}`));
  return asLines(lines);
}

/** The condition, its restarts by number, and the innermost frame. */
export function heldText({ type, message, restarts, frames }: Condition): string {
  const [frame] = frames;
  return asLines([
    `debugger invoked on a ${type}:`,
    ...message.split('\n').map((line) => `  ${line}`),
    '',
    'restarts (type a number to take one):',
    ...restarts.map(({ index, name, description }) => `  ${index}: [${name}] ${description}`),
    ...(frame ? ['', frame.call] : []),
  ]);
}

/** What people type who want to know what they can do at a debugger's prompt. As a form it would be another error. */
export const HELP = /^(?:help|:help|:h|\?)$/i;

/** The same for who asks what can be done there. */
export function helpText(held: Condition): string {
  return `${heldText(held)}
${asLines([
  'Type the number of a restart to take it; anything else is evaluated where the error stands, its variables included.',
  'The tab Debugger shows the stack with the locals of each frame.',
])}`;
}

export function noRestartText(index: number, restarts: number): string {
  return `; There is no restart ${index}; there are ${restarts}, from 0.\n`;
}

/** Of a restart that what is typed next cannot give all that it asks for. */
export function askingText({ name, arguments: asked }: Restart): string {
  return `; ${name} asks for ${asked.join(', ')}: (invoke-restart '${name} …) gives them.\n`;
}

function asLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
