/** What to do where something failed that has a known way on, in one line. */
import type { Evaluation, EvaluationKind } from '../../contract/model';
import { acl2Steps } from './next-step-acl2';

type Failed = Pick<Evaluation, 'kind' | 'outcome' | 'condition' | 'report' | 'stdout' | 'stderr' | 'engine'>;

interface Step {
  /** What an engine says of it. */
  sign: RegExp;
  /** @param named what the sign has caught */
  step: (named: string) => string;
}

const STEPS: readonly Step[] = [
  {
    sign: /Lock on package (?!COMMON-LISP\b|SB-|KEYWORD\b)(\S+) violated/,
    step: (name) =>
      `Package ${name} is locked, since its library is loaded already: \`load\` with fresh: true, which begins without it.`,
  },
  {
    sign: /Lock on package (\S+) violated/,
    step: (name) => `Package ${name} is the Lisp’s own: shadow the name in a package of yours.`,
  },
  {
    sign: /(?:Package|The name) "?([^\s"]+)"? (?:does not exist|does not designate any package)|exists no package with name "([^"]+)"/,
    step: (name) =>
      `Load the system that defines package ${name}, or name it in :depends-on; \`find\` with kind text looks for its defpackage.`,
  },
  {
    sign: /Could not locate (\S+?)__init\.class/,
    step: (name) =>
      `Nothing on the classpath has ${name}: name its library in the build file, then \`load\` with fetch: true.`,
  },
  {
    sign: /include-book[\s\S]*?"([^"]+)\.lisp"\s+does\s+not\s+exist/i,
    step: () =>
      'A book of the system is named by its path below the books, such as arithmetic/top; one of the project is given as path, without .lisp.',
  },
];

/** What an image keeps as it is until it is told to change it, by what SBCL says of the attempt. */
const KEPT: readonly { sign: RegExp; kept: (named: string) => string }[] = [
  {
    sign: /attempt\s+to\s+redefine\s+the\s+STRUCTURE-OBJECT\s+class\s+(\S+)\s+incompatibly/,
    kept: (name) => `This image has structure ${name} with other slots`,
  },
  {
    sign: /The constant (\S+) is being redefined/,
    kept: (name) => `This image has constant ${name} with another value`,
  },
];

/** Empty where all went well, or nothing is known. The engine's own notes tell what it knows itself. */
export function nextSteps(failed: Failed): string[] {
  const { kind, outcome, condition, report, stdout, stderr, engine } = failed;
  const failures = report?.failures.map(({ message }) => message) ?? [];
  if (!condition && failures.length === 0) return [];
  const isLoading = kind === 'load' || kind === 'test';
  const message = condition?.message ?? '';
  const said = isLoading ? [...failures, message, stdout, stderr].join('\n') : message;
  const known = engine === 'acl2' ? acl2Steps(failed, said) : [];
  if (known.length > 0) return known;
  // What is held tells its restarts.
  const kept = outcome === 'debugger' ? [] : keptStep(kind, said);
  return kept.length > 0 || !isLoading ? kept : loadingStep(said);
}

function keptStep(kind: EvaluationKind, said: string): string[] {
  for (const { sign, kept } of KEPT) {
    const [, name] = sign.exec(said) ?? [];
    if (name !== undefined) return [`${kept(name)}. ${wayOfChanging(kind)}`];
  }
  return [];
}

function wayOfChanging(kind: EvaluationKind): string {
  if (kind === 'load' || kind === 'test') return '`load` with fresh: true loads into a new one.';
  const debug = '`eval` with on_error: "debug" offers the restart CONTINUE, which takes the new definition. ';
  return `${kind === 'eval' ? debug : ''}\`load\` without arguments begins a new image.`;
}

function loadingStep(said: string): string[] {
  for (const { sign, step } of STEPS) {
    const found = sign.exec(said);
    if (found) return [step(found.slice(1).find((each) => each !== undefined) ?? '')];
  }
  return [];
}
