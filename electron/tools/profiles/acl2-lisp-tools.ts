/** The Common Lisp tools of the profile `acl2`: every call is evaluated in the session's own package. */
import { z } from 'zod';
import { code, Forms, functionName, listForm } from '../../source/code';
import { sessionOf } from '../arguments';
import { evalTool } from '../evaluation/eval-tool';
import { type LoadToolOptions, loadTool } from '../evaluation/load-tool';
import { lastValues } from '../evaluation/record';
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

/** The names under which the document's versions evaluate; all values and all output are always told. */
const EVALUATING = {
  eval_cl: 'Evaluates Common Lisp forms in your session’s package; answers all values and what was printed.',
  eval_with_output: 'As eval_cl, which tells what was printed as well.',
  eval_multiple_values: 'As eval_cl, which answers all values.',
  eval_main_thread: 'As eval_cl: evaluations of a session run one after another.',
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

export function lispTools(options: LoadToolOptions & FindToolOptions): Tool[] {
  const evaluation = adaptersOf(evalTool(options));
  const load = adaptersOf(loadTool(options));
  const find = adaptersOf(findTool(options));
  const inOwnPackage = async ({ code, package: wanted, ...given }: Evaluating, caller: Caller) => {
    const { session } = await sessionOf(given.session_id, caller, options.sessions);
    return { code, package: wanted ?? session.package, ...where(given), session: session.id };
  };
  return [
    ...Object.entries(EVALUATING).map(([name, description]) =>
      evaluation({
        name,
        description,
        args: Code,
        engine,
        toArguments: inOwnPackage,
        render: evaluationText,
      }),
    ),
    evaluation({
      name: 'define_function',
      description: 'Defines a Common Lisp function from its name, lambda list and body.',
      args: Definition,
      engine,
      toArguments: ({ name, lambda_list, body, ...given }, caller) =>
        inOwnPackage({ code: definition(name, lambda_list, body), ...given }, caller),
      render: evaluationText,
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
      description: 'The symbols that a package exports, with what they stand for.',
      args: z.strictObject({ package_name: z.string().min(1), session_id }),
      engine,
      toArguments: ({ package_name, ...given }) => ({
        query: '',
        kind: 'apropos',
        package: package_name,
        external: true,
        limit: 500,
        ...where(given),
      }),
    }),
    load({
      name: 'reset_cl',
      description: 'Begins your Common Lisp session anew, with its package and nothing in it.',
      args: z.strictObject({ session_id }),
      engine,
      toArguments: (given) => ({ fresh: true, ...where(given) }),
      render: ({ outcome, session }) => `${outcome === 'ok' ? 'Reset' : 'Could not reset'} ${session}.`,
    }),
  ];
}
