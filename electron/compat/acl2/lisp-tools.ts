/** The Common Lisp tools of the profile `acl2`. Every call is evaluated in the session's own package. */

import { z } from 'zod';
import { code, Forms, functionName, listForm } from '../../source/code';
import { sessionOf } from '../../tools/arguments';
import { evalTool } from '../../tools/evaluation/eval-tool';
import { type LoadToolOptions, loadTool } from '../../tools/evaluation/load-tool';
import { type EvaluationRecord, lastValues } from '../../tools/evaluation/record';
import { type FindToolOptions, findTool } from '../../tools/knowledge/find-tool';
import type { Caller, Tool } from '../../tools/tool';
import { adaptersOf } from '../tool-adapter';
import { session_id, timeout, where } from './acl2-adapters';
import { evaluationText } from './acl2-text';

const engine = 'sbcl';

const Code = z.strictObject({
  code: z.string().min(1).describe('Common Lisp forms'),
  package: z.string().optional().describe('For this call only; default: the session’s own'),
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

/** Both return all values and all output. */
const IN_EITHER = {
  eval_with_output: 'Evaluates forms in ACL2, or in Common Lisp, and returns values and all output.',
  eval_multiple_values: 'Evaluates forms in ACL2, or in Common Lisp, and returns all values.',
  eval_main_thread: 'Evaluates forms in ACL2, one after another per session, memoized functions included.',
};

interface Evaluating {
  code: string;
  package?: string | undefined;
  session_id?: string | undefined;
  timeout?: number | undefined;
}

/** @throws HarborError `bad_arguments` naming the argument that has more than one form */
function definition(name: string, parameters: string, body: string): string {
  const named = functionName(name, 'name');
  const list = listForm(parameters, 'common-lisp', 'lambda_list');
  return String(code`(defun ${named} ${list}\n${Forms.read(body, 'common-lisp', 'body')})`);
}

/** Renders the record for adapters of `eval`. */
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
      description: 'Evaluates Common Lisp forms in your session’s package; returns all values and output.',
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
      description: 'The symbols that a package exports, or otherwise your definitions, with their kinds.',
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
      description: 'Resets your Common Lisp session: its package is empty again.',
      args: z.strictObject({ session_id }),
      engine,
      toArguments: (given) => ({ fresh: true, ...where(given) }),
      render: ({ outcome, session, job }, _, ours) =>
        job ? ours : `${outcome === 'ok' ? 'Reset' : 'Could not reset'} ${session}.`,
    }),
  ];
}
