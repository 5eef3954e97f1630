/** What is wrong about the arguments of a call: a line for each, with its name, what is expected of it, and what is missing. */
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

export function problemsText({ issues }: z.ZodError, given: unknown): string {
  return issues.map((issue) => problemText(issue, given)).join('\n');
}

function problemText(issue: Issue, given: unknown): string {
  const name = issue.path.join('.');
  const isMissing = name !== '' && valueAt(given, issue.path) === undefined;
  const said = saidOf(issue).replace(/, received undefined$/, '');
  return `${name}${isMissing ? ' is missing' : ''}${name === '' ? '' : ': '}${said}`;
}

/** Of alternatives, what each expects. */
function saidOf(issue: Issue): string {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0)
    return issue.message.replace(/^Invalid (?:input|option): /, '');
  const each = issue.errors.flatMap(([first]) =>
    first ? [saidOf(first).replace(/, received .*$/, '')] : [],
  );
  return [...new Set(each)].join(', or ');
}

function valueAt(given: unknown, path: Issue['path']): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    given,
  );
}
