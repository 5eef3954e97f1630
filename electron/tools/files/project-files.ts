/** The files of a new Common Lisp project: an ASDF system with a package for each file, and a system of tests. */
import { lispString } from '../../contract/knowledge';
import { type Code, code, SymbolName } from '../../source/code';

export interface NewProject {
  name: string;
  description: string;
  author: string;
  license: string;
  framework: TestFramework;
}

/** Frameworks whose tests are told one by one; null: ASDF's test-op signals what fails. */
export type TestFramework = keyof typeof FRAMEWORKS | null;

/** What the test file uses, how a test of `main` looks, and what the test-op calls. */
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

/** In the order in which they are preferred. */
export const FRAMEWORK_NAMES = Object.keys(FRAMEWORKS) as (keyof typeof FRAMEWORKS)[];

/** Texts by their paths in the folder of the project. */
export function projectFiles(project: NewProject): ReadonlyMap<string, string> {
  const { name, description, license } = project;
  return new Map([
    [`${name}.asd`, systemText(project)],
    ['CLAUDE.md', '@AGENTS.md\n'],
    ['AGENTS.md', agentsText(project)],
    ['README.md', `# ${name}\n\n${description}\n\n## License\n\n${license}\n`],
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

function agentsText({ name, description, framework }: NewProject): string {
  return `# ${name}

${description}

- \`src/\` holds the code, \`tests/\` its tests${framework ? ` with ${framework}` : ''}. Each file is a package of its own, named after its path, and a system of its own: what a file needs, its \`defpackage\` says.
- Load with \`load-system\` \`{"system": "${name}"}\`, test with \`run-tests\` \`{"system": "${name}/tests"}\`, or by \`asdf:test-system\`.
- Change forms with \`lisp-edit-form\` and \`lisp-patch-form\`, and try them in the image with \`repl-eval\` first.
`;
}
