/** The Common Lisp tools of the profile `acl2`: every call is evaluated in the session's own package. */
import { z } from 'zod';
import { code, Forms, functionName, listForm } from '../../source/code';
import { sessionOf } from '../arguments';
import { evalTool } from '../evaluation/eval-tool';
import { type LoadToolOptions, loadTool } from '../evaluation/load-tool';
import { type EvaluationRecord, lastValues } from '../evaluation/record';
import { type FindToolOptions, findTool } from '../knowledge/find-tool';
import type { Caller, Tool } from '../tool';
import { session_id, timeout, where } from './acl2-arguments';
import { evaluationText } from './acl2-text';
import { adaptersOf } from './tool-adapter';

const engine = 'sbcl';

const Code = z.strictObject({
  code: z.string().min(1).describe('Common Lisp forms'),
  package: z.string().optional().describe('For this call only; omitted: the session’s own'),
  session_id,
  timeout,
});

const Definition = z.strictObject({
  name: z.string().min(1),
  lambda_list: z.string().describe('With its parentheses: (x y)'),
  body: z.string().min(1),
  session_id,
});

const Environment = Code.extend({
  environment: z.enum(['acl2', 'cl']).optional().describe('cl: your Common Lisp session (default: acl2)'),
});

/** All values and all output are always told, whatever the name. */
const IN_EITHER = {
  eval_with_output:
    'Evaluates forms in ACL2, or in Common Lisp, and answers values and all that was printed.',
  eval_multiple_values: 'Evaluates forms in ACL2, or in Common Lisp, and answers all values.',
  eval_main_thread:
    'Evaluates forms in ACL2: those of a session run one after another, memoized functions included.',
};

interface Evaluating {
  code: string;
  package?: string | undefined;
  session_id?: string | undefined;
  timeout?: number | undefined;
}

/** @throws HarborError `bad_arguments` naming the argument that is more than its place takes */
function definition(name: string, parameters: string, body: string): string {
  const named = functionName(name, 'name');
  const list = listForm(parameters, 'common-lisp', 'lambda_list');
  return String(code`(defun ${named} ${list}\n${Forms.read(body, 'common-lisp', 'body')})`);
}

/** As the adapters of `eval` ask for it. */
const evaluated = (record: EvaluationRecord, _given: unknown, ours: string) => evaluationText(record, ours);

export function lispTools(options: LoadToolOptions & FindToolOptions): Tool[] {
  const evaluation = adaptersOf(evalTool(options));
  const load = adaptersOf(loadTool(options));
  const find = adaptersOf(findTool(options));
  const inOwnPackage = async ({ code, package: wanted, ...given }: Evaluating, caller: Caller) => {
    const { session } = await sessionOf(given.session_id, caller, options.sessions);
    return { code, package: wanted ?? session.package, ...where(given), session: session.id };
  };
  const inEitherLisp = (name: string, description: string): Tool => {
    const adapter = { name, description, args: Environment, render: evaluated };
    const cl = evaluation({ ...adapter, engine, toArguments: inOwnPackage });
    const acl2 = evaluation({
      ...adapter,
      engine: 'acl2',
      toArguments: ({ code, package: wanted, ...given }) => ({
        code,
        ...(wanted === undefined ? {} : { package: wanted }),
        ...where(given),
      }),
    });
    return {
      ...acl2,
      run: (given, caller) => (given.environment === 'cl' ? cl : acl2).run(given, caller),
    } satisfies typeof acl2;
  };
  return [
    evaluation({
      name: 'eval_cl',
      description:
        'Evaluates Common Lisp forms in your session’s package; answers all values and what was printed.',
      args: Code,
      engine,
      toArguments: inOwnPackage,
      render: evaluated,
    }),
    ...Object.entries(IN_EITHER).map(([name, description]) => inEitherLisp(name, description)),
    evaluation({
      name: 'define_function',
      description: 'Defines a Common Lisp function from its name, lambda list and body.',
      args: Definition,
      engine,
      toArguments: ({ name, lambda_list, body, ...given }, caller) =>
        inOwnPackage({ code: definition(name, lambda_list, body), ...given }, caller),
      render: evaluated,
    }),
    load({
      name: 'load_file',
      description: 'Compiles and loads a .lisp file of the project into your Common Lisp session.',
      args: z.strictObject({ path: z.string().min(1), session_id }),
      engine,
      toArguments: ({ path, ...given }) => ({ path, ...where(given) }),
    }),
    evaluation({
      name: 'get_package',
      description: 'The name of your Common Lisp session’s package.',
      args: z.strictObject({ session_id }),
      engine,
      toArguments: (given, caller) => inOwnPackage({ code: '(package-name *package*)', ...given }, caller),
      render: (record) => lastValues(record).join('\n').replaceAll('"', ''),
    }),
    find({
      name: 'query_cl_package',
      description:
        'The symbols that a package exports, or else what you have defined, with what they stand for.',
      args: z.strictObject({ package_name: z.string().min(1).optional(), session_id }),
      engine,
      toArguments: ({ package_name, ...given }) => ({
        query: '',
        limit: 500,
        ...(package_name === undefined
          ? { kind: 'unsaved' }
          : { kind: 'apropos', package: package_name, external: true }),
        ...where(given),
      }),
    }),
    load({
      name: 'reset_cl',
      description: 'Begins your Common Lisp session anew, with its package and nothing in it.',
      args: z.strictObject({ session_id }),
      engine,
      toArguments: (given) => ({ fresh: true, ...where(given) }),
      render: ({ outcome, session, job }, _, ours) =>
        job ? ours : `${outcome === 'ok' ? 'Reset' : 'Could not reset'} ${session}.`,
    }),
  ];
}
