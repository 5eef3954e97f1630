/** Advice in one line for failures with a known remedy. */

import { instead, type Mention, mention, ours } from '../../contract/mention';
import type { Evaluation, EvaluationKind } from '../../contract/model';
import { type Note, note } from '../../contract/note';

type Failed = Pick<
  Evaluation,
  'kind' | 'outcome' | 'condition' | 'report' | 'stdout' | 'stderr' | 'engine' | 'warnings'
>;

function advice(text: string, ...mentions: readonly Mention[]): Note {
  return note('advice', text, ...mentions);
}

interface Step {
  /** Matches the engine's message. */
  sign: RegExp;
  /** @param named what `sign` captured */
  step: (named: string) => Note;
}

const STEPS: readonly Step[] = [
  {
    sign: /Lock on package (?!COMMON-LISP\b|SB-|KEYWORD\b)(\S+) violated/,
    step: (name) =>
      advice(
        `Package ${name} is locked because its library is loaded.`,
        instead(
          mention`Package ${name} is locked because its library is loaded: use ${ours('load', 'fresh')} with fresh: true to start without it.`,
        ),
      ),
  },
  {
    sign: /Lock on package (\S+) violated/,
    step: (name) => advice(`Package ${name} belongs to the Lisp: shadow the name in a package of yours.`),
  },
  {
    sign: /(?:Package|The name) "?([^\s"]+)"? (?:does not exist|does not designate any package)|exists no package with name "([^"]+)"/,
    step: (name) =>
      advice(
        `Load the system that defines package ${name}, or name it in :depends-on.`,
        instead(
          mention`Load the system that defines package ${name}, or name it in :depends-on; ${ours('find', 'kind')} with kind text looks for its defpackage.`,
        ),
      ),
  },
  {
    sign: /Could not locate (\S+?)__init\.class/,
    step: (name) =>
      advice(
        `The classpath does not contain ${name}: add its library to the build file.`,
        instead(
          mention`The classpath does not contain ${name}: add its library to the build file, then ${ours('load', 'fetch')} with fetch: true.`,
        ),
      ),
  },
  {
    sign: /There is no namespace (\S+) on the classpath/,
    step: () =>
      advice(
        'Add the library that has it to the build file.',
        instead(
          mention`${ours('load', 'fetch')} with fetch: true fetches the libraries that the project names.`,
        ),
      ),
  },
  {
    sign: /include-book[\s\S]*?"([^"]+)\.lisp"\s+does\s+not\s+exist/i,
    step: () =>
      advice(
        'Name a system book by its path below the books, such as arithmetic/top. Give a project book as path, without .lisp.',
      ),
  },
];

/** A definition that an image does not change silently, by SBCL's message. */
interface Unchanged {
  /** Takes time proportional to the message: a word of any length is tried from its beginning only. */
  sign: RegExp;
  unchanged: (named: string) => string;
  /** Whether its restart CONTINUE takes the new definition. */
  continues?: boolean;
}

const UNCHANGED: readonly Unchanged[] = [
  {
    sign: /attempt\s+to\s+redefine\s+the\s+STRUCTURE-OBJECT\s+class\s+(?:#<\S+\s+)?([^\s>]+)>?\s+incompatibly/,
    unchanged: (name) => `This image has structure ${name} with other slots`,
    continues: true,
  },
  {
    sign: /The constant (\S+) is being redefined/,
    unchanged: (name) => `This image has constant ${name} with another value`,
    continues: true,
  },
  {
    sign: /redefinition of (\S+) clobbers structure/,
    unchanged: (name) => `This image has ${name} as a function of a structure`,
  },
  {
    sign: /attempt to add the method[\s\S]{0,1000}?generic function\s+#<\S+\s+(\S+)/,
    unchanged: (name) =>
      `This image has ${name} with another lambda list ((fmakunbound '${name}) removes it and its methods)`,
  },
  {
    sign: /(?<!\S)(\S+) also (?:exports|uses|shadows) the following/,
    unchanged: (name) => `This image has package ${name} with more than its new definition`,
  },
  {
    sign: /(?:redefining DEFTYPE type to be a class:\s+|change in \w[\w ]* of class (?:#<\S+\s+)?)([^\s:>]+)/,
    unchanged: (name) => `This image has type ${name} as another kind of type`,
  },
  {
    sign: /(Cannot CHANGE-CLASS) objects into\s+CLASS metaobjects/,
    unchanged: () => 'This image has a class of that name with another metaclass',
  },
  {
    sign: /(?<!\S)(\S+) already names an ordinary\s+function or a macro/,
    unchanged: (name) => `This image has ${name} as a function or macro ((fmakunbound '${name}) removes it)`,
  },
  {
    sign: /New lambda-list[\s\S]{0,500}?incompatible with existing methods of\s+#<\S+\s+(\S+)/,
    unchanged: (name) =>
      `This image has methods of ${name} with another lambda list ((fmakunbound '${name}) removes them)`,
  },
  {
    sign: /generic function\s+#<\S+\s+(\S+)[^>]*>\s+takes \d+\s+required/,
    unchanged: (name) =>
      `This image has ${name} with another lambda list ((fmakunbound '${name}) removes it and its methods)`,
  },
  {
    sign: /Cannot proclaim a (?:CONSTANT|MACRO) variable SPECIAL: (\S+)/,
    unchanged: (name) => `This image has ${name} as a constant or a symbol macro`,
  },
  {
    sign: /causes name-conflicts in\s+#<PACKAGE "([^"]+)">/,
    unchanged: (name) => `Package ${name} of this image already has a symbol of that name`,
  },
];

/** Returns advice for a failure; empty on success or if none is known. Engines add their own notes. */
export function nextSteps(failed: Failed): Note[] {
  const { kind, outcome, condition, report, stdout, stderr, engine, warnings } = failed;
  const failures = report?.failures.map(({ message }) => message) ?? [];
  if (!condition && failures.length === 0) return [];
  const isLoading = kind === 'load' || kind === 'test';
  const message = condition?.message ?? '';
  const warned = warnings.filter(({ severity }) => severity === 'warning').map((each) => each.message);
  const output = isLoading ? [...failures, message, ...warned, stdout, stderr].join('\n') : message;
  const known = engine === 'acl2' ? acl2Steps(failed, output) : [];
  if (known.length > 0) return known;
  // A suspended evaluation lists its restarts.
  const unchanged = outcome === 'debugger' ? [] : unchangedStep(kind, output);
  return unchanged.length > 0 || !isLoading ? unchanged : loadingStep(output);
}

function unchangedStep(kind: EvaluationKind, output: string): Note[] {
  for (const { sign, unchanged, continues = false } of UNCHANGED) {
    const [, name] = sign.exec(output) ?? [];
    if (name !== undefined) return [advice(`${unchanged(name)}.`, ...changeAdvice(kind, continues))];
  }
  return [];
}

function changeAdvice(kind: EvaluationKind, continues: boolean): Mention[] {
  if (kind === 'load' || kind === 'test')
    return [mention`${ours('load', 'fresh')} with fresh: true loads into a new image.`];
  const debug = mention`${ours('eval', 'on_error')} with on_error: "debug" offers the restart CONTINUE, which takes the new definition.`;
  return [
    ...(kind === 'eval' && continues ? [debug] : []),
    mention`${ours('load')} without arguments starts a new image.`,
  ];
}

function loadingStep(output: string): Note[] {
  for (const { sign, step } of STEPS) {
    const found = sign.exec(output);
    if (found) return [step(found.slice(1).find((each) => each !== undefined) ?? '')];
  }
  return [];
}

// Advice where ACL2 refuses a name that its world already has, or knows no package of that name.

const NAME_IN_USE = /The\s+name\s+(\S+)\s+is\s+in\s+use\s+as\s+an?\s/;

/** The origin of a name. There is no advice for names of ACL2 itself or of a certified book. */
const EARLIER = /was\s+previously\s+defined\s+(?:at\s+the\s+top\s+level\.|(in\s+the\s+(?:last|following)))/;

const NO_PACKAGE =
  /known\s+package\s+name,\s+but\s+"([^"]+)"|[Nn]o\s+package\s+with\s+the\s+name\s+"([^"]+)"|[Pp]ackage\s+"?([^\s"]+?)"?\s+does\s+not\s+exist|ACL2\s+has\s+no\s+package\s+(\S+?)\.(?:\s|$)/;

/** @param output ACL2's messages about the failure */
function acl2Steps(failed: Failed, output: string): Note[] {
  return [...nameSteps(failed, output), ...packageSteps(output)];
}

function nameSteps({ kind, report }: Failed, output: string): Note[] {
  const [, name] = NAME_IN_USE.exec(output) ?? [];
  const earlier = EARLIER.exec(output);
  if (name === undefined || earlier === null || kind === 'test') return [];
  const brought = report?.proof?.events ?? [];
  const fromBook = earlier[1] !== undefined;
  // Names that this evaluation itself introduced would conflict in a fresh world as well.
  const own = fromBook
    ? brought.some(({ operator }) => operator === 'INCLUDE-BOOK')
    : brought.some(({ events }) =>
        events.some(({ names }) => names.some((each) => bare(each) === bare(name))),
      );
  if (own) return [];
  const undone = `${name} undoes ${name} and everything after it.`;
  const fresh = instead(
    mention`This world already has ${name}: ${ours('load', 'fresh')} with fresh: true loads into a new one, or :ubt ${undone}`,
  );
  return [advice(`This world already has ${name}: :ubt ${undone}`, ...(kind === 'load' ? [fresh] : []))];
}

function packageSteps(output: string): Note[] {
  const name = NO_PACKAGE.exec(output)
    ?.slice(1)
    .find((each) => each !== undefined);
  if (name === undefined) return [];
  return [
    advice(
      `Package ${name} is defined by a DEFPKG, which is not in a book: load the file that has it, or include a book that was certified with it. For a book shop.lisp it is in shop.acl2 or cert.acl2 in the same folder.`,
      instead(
        mention`Package ${name} is defined by a DEFPKG, which is not in a book: load the file that has it (${ours('find', 'kind')} with kind text), or include a book that was certified with it. For a book shop.lisp it is in shop.acl2 or cert.acl2 in the same folder, which ${ours('run_tests')} reads first.`,
      ),
    ),
  ];
}

function bare(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}
