/** What to do where loading or testing failed of something that has a known way on, in one line. */
import type { Evaluation } from '../../contract/model';

type Failed = Pick<Evaluation, 'kind' | 'condition' | 'report' | 'stdout' | 'stderr'>;

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

/** Empty where all went well, or nothing is known. The engine's own notes tell what it knows itself. */
export function nextSteps({ kind, condition, report, stdout, stderr }: Failed): string[] {
  if (kind !== 'load' && kind !== 'test') return [];
  const failures = report?.failures.map(({ message }) => message) ?? [];
  if (!condition && failures.length === 0) return [];
  const said = [...failures, condition?.message ?? '', stdout, stderr].join('\n');
  for (const { sign, step } of STEPS) {
    const found = sign.exec(said);
    if (found) return [step(found.slice(1).find((each) => each !== undefined) ?? '')];
  }
  return [];
}
