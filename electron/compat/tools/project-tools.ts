/**
 * The tools `new_project`, a folder with a system whose tests run, and `set_project`. Profiles offer them
 * under their own names.
 */

import path from 'node:path';
import { z } from 'zod';
import { lispString } from '../../contract/knowledge';
import { NoteText, note } from '../../contract/note';
import type { Session } from '../../sessions/session/session';
import { type Code, code, SymbolName, stringCode } from '../../source/code';
import type { EvaluateToolOptions } from '../../tools/evaluation/evaluation-answer';
import { valuesFor } from '../../tools/evaluation/own-evaluation';
import { type FileToolOptions, rowOf } from '../../tools/files/text-files';
import { shortPath } from '../../tools/source-places';
import type { Caller, Tool } from '../../tools/tool';

const line = z
  .string()
  .max(500)
  .regex(/^[^\n\r]*$/, 'must be one line')
  .optional();

export const NewProjectArguments = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(/^[a-z][a-z0-9-]*$/, 'must match ^[a-z][a-z0-9-]*$'),
  description: line,
  author: line,
  license: line,
  destination: z
    .string()
    .min(1)
    .max(1000)
    .refine((folder) => !isBeyond(folder), "must be a relative path without '..'")
    .describe('Folder of the project in which `name` is created'),
});
type NewProjectArguments = z.output<typeof NewProjectArguments>;

const NewProjectResult = z.object({
  created: z.boolean(),
  path: z.string(),
  absolute_path: z.string(),
  files: z.array(z.string()),
  framework: z.string().nullable().describe('Of its tests; null: none was found'),
  notes: z.array(NoteText),
});

export type NewProjectToolOptions = EvaluateToolOptions & FileToolOptions;

export function newProjectTool(
  options: NewProjectToolOptions,
): Tool<typeof NewProjectArguments, typeof NewProjectResult> {
  return {
    name: 'new_project',
    title: 'Create a project',
    description: 'Creates a folder with a Common Lisp system and tests that run. Replaces nothing.',
    scope: 'evaluate',
    approval: 'write',
    args: NewProjectArguments,
    result: NewProjectResult,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      const { session, notes } = await caller.defaultSession();
      const framework = await frameworkFor(session, caller, options);
      const texts = projectFiles({ ...describedBy(args), framework });
      const bytes = new Map([...texts].map(([file, text]) => [file, Buffer.from(text, 'utf8')]));
      const folder = path.join(args.destination, args.name);
      const made = await options.files.create(caller.project, folder, bytes);
      for (const file of texts.keys())
        options.history.replacedFiles.add(rowOf(caller, path.join(made, file), null));
      const structured = {
        created: true,
        path: `${shortPath(made, caller.project)}/`,
        absolute_path: `${made}${path.sep}`,
        files: [...texts.keys()],
        framework,
        notes,
      };
      return { structured, text: `Created ${structured.path}`, isError: false };
    },
  };
}

function describedBy({ name, description, author, license }: NewProjectArguments) {
  return {
    name,
    description: description ?? 'A Common Lisp project.',
    author: author ?? 'Unknown',
    license: license ?? 'MIT',
  };
}

/** Returns the framework that the session can load. */
async function frameworkFor(
  session: Session,
  caller: Caller,
  options: NewProjectToolOptions,
): Promise<TestFramework> {
  const names = FRAMEWORK_NAMES.map(stringCode);
  const found = code`(find-if (lambda (name) (asdf:find-system name nil)) '(${names}))`;
  const [value] = await valuesFor(caller, session, { kind: 'inspect', code: String(found) }, options);
  return FRAMEWORK_NAMES.find((name) => value === lispString(name)) ?? null;
}

function isBeyond(folder: string): boolean {
  return path.isAbsolute(folder) || path.win32.isAbsolute(folder) || folder.split(/[/\\]/).includes('..');
}

/**
 * The files of a new Common Lisp project: an ASDF system with a package for each file, and a system of tests.
 */
interface NewProject {
  name: string;
  description: string;
  author: string;
  license: string;
  framework: TestFramework;
}

/** Frameworks that report each test. null: the system's test-op signals an error on failure. */
type TestFramework = keyof typeof FRAMEWORKS | null;

/** For each framework: the packages of the test file, a test of `main`, and what the test-op calls. */
const FRAMEWORKS = {
  rove: {
    test: (main: Code) => code`(deftest main-package\n  (ok (find-package ${main})))`,
    run: (tests: Code) => code`(uiop:symbol-call :rove :run ${tests})`,
  },
  fiveam: {
    test: (main: Code) =>
      code`(def-suite main)\n(in-suite main)\n\n(test main-package\n  (is (find-package ${main})))`,
    run: (tests: Code) =>
      code`(unless (uiop:symbol-call :fiveam :run! (uiop:find-symbol* :main ${tests}))\n      (error "Tests failed."))`,
  },
} as const;

/** In order of preference. */
const FRAMEWORK_NAMES = Object.keys(FRAMEWORKS) as (keyof typeof FRAMEWORKS)[];

/**
 * Returns texts by their paths in the folder of the project. None of them is a file that agents obey
 * (contract/protected-places).
 */
export function projectFiles(project: NewProject): ReadonlyMap<string, string> {
  const { name } = project;
  return new Map([
    [`${name}.asd`, systemText(project)],
    ['README.md', readmeText(project)],
    ['.gitignore', '*.fasl\n*.*fsl\n'],
    ['src/main.lisp', `;;;; src/main.lisp\n\n${packageText(`${name}/src/main`, ['cl'])}`],
    ['tests/main-test.lisp', testText(project)],
  ]);
}

function keyword(name: string): Code {
  return SymbolName.read(`:${name}`, 'common-lisp', 'name');
}

function systemText({ name, description, author, license, framework }: NewProject): string {
  const tests = `${name}/tests/main-test`;
  const run = framework
    ? FRAMEWORKS[framework].run(framework === 'rove' ? code`'(${keyword(tests)})` : keyword(tests))
    : code`(uiop:symbol-call ${keyword(tests)} :run)`;
  return `;;;; ${name}.asd

(defsystem ${lispString(name)}
  :class :package-inferred-system
  :description ${lispString(description)}
  :author ${lispString(author)}
  :license ${lispString(license)}
  :version "0.1.0"
  :depends-on (${lispString(`${name}/src/main`)})
  :in-order-to ((test-op (test-op ${lispString(`${name}/tests`)}))))

(defsystem ${lispString(`${name}/tests`)}
  :class :package-inferred-system
  :depends-on (${[...(framework ? [framework] : []), name, tests].map(lispString).join(' ')})
  :perform (test-op (o c)
    (declare (ignore o c))
    ${run}))
`;
}

function testText({ name, framework }: NewProject): string {
  const main = keyword(`${name}/src/main`);
  const tests = framework
    ? FRAMEWORKS[framework].test(main)
    : code`(defun run ()\n  (assert (find-package ${main}))\n  :passed)`;
  const used = framework ? ['cl', framework] : ['cl'];
  const uses = packageText(`${name}/tests/main-test`, used, framework ? [] : ['run']);
  return `;;;; tests/main-test.lisp\n\n${uses}\n${tests}\n`;
}

function packageText(name: string, used: readonly string[], exported: readonly string[] = []): string {
  const own = designator(name);
  const uses = code`(:use ${used.map(designator)})`;
  const clauses = exported.length === 0 ? uses : code`${uses}\n  (:export ${exported.map(designator)})`;
  return String(code`(defpackage ${own}\n  ${clauses})\n\n(in-package ${own})\n`);
}

function designator(name: string): Code {
  return SymbolName.read(`#:${name}`, 'common-lisp', 'name');
}

function readmeText({ name, description, license, framework }: NewProject): string {
  return `# ${name}

${description}

\`src/\` holds the code, \`tests/\` its tests${framework ? ` with ${framework}` : ''}. Each file is a package of its own, named after its path, and a system of its own: what a file needs, its \`defpackage\` says.

- Load: \`(asdf:load-system "${name}")\`
- Test: \`(asdf:test-system "${name}")\`

## License

${license}
`;
}

const SetProjectArguments = z.strictObject({
  path: z.string().min(1).max(4000).describe('A folder that the user approved, or one below it'),
});

const SetProjectResult = z.object({
  project_root: z.string(),
  cwd: z.string(),
  previous_root: z.string(),
  notes: z.array(NoteText),
});

const ANOTHER_SESSION =
  'Your evaluations run in another session there; your earlier definitions stay in the session of the previous project.';

export function setProjectTool(): Tool<typeof SetProjectArguments, typeof SetProjectResult> {
  return {
    name: 'set_project',
    title: 'Set the project',
    description: 'Changes the project for later calls. Only the user approves projects.',
    scope: 'evaluate',
    approval: null,
    args: SetProjectArguments,
    result: SetProjectResult,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ path }, caller) {
      const previous = caller.project;
      const project = caller.workIn(path);
      const structured = {
        project_root: project,
        cwd: project,
        previous_root: previous,
        notes: project === previous ? [] : [note('project', ANOTHER_SESSION)],
      };
      return { structured, text: `Project root set to ${project}`, isError: false };
    },
  };
}
