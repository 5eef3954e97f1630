/** The tools of cl-mcp-server for ASDF and Quicklisp systems: load, describe, find. */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { note } from '../../contract/note';
import { type Code, code, stringCode } from '../../source/code';
import { evalTool } from '../../tools/evaluation/eval-tool';
import type { EvaluateToolOptions } from '../../tools/evaluation/evaluation-answer';
import { type LoadToolOptions, loadTool } from '../../tools/evaluation/load-tool';
import type { EvaluationRecord } from '../../tools/evaluation/record';
import type { Tool } from '../../tools/tool';
import { adaptersOf } from '../tool-adapter';
import { errorText, evaluationText } from './cl-mcp-server-text';
import type { CallLimits } from './session-tools';

const Named = z.strictObject({ system: z.string().min(1).max(500) });

/** The system name, under either argument name of the documentation. */
const System = z
  .strictObject({ system: z.string().min(1).optional(), 'system-name': z.string().min(1).optional() })
  .describe('The system, by either name');

const File = z.strictObject({
  path: z.string().min(1),
  compile: z.boolean().optional(),
  package: z.string().optional(),
});

const PACKAGE_OF_FILES =
  'package is ignored: a file is read in the session’s current package, until it has an in-package.';

/** ASDF lacks the requested system or a dependency of it. */
const MISSING = /\bMISSING-(?:COMPONENT|DEPENDENCY)/;

export function systemTools(options: LoadToolOptions, limits: CallLimits): Tool[] {
  const load = adaptersOf(loadTool(options));
  return [
    load({
      name: 'load-system',
      description: 'Compiles and loads an ASDF system, with its warnings and failures.',
      args: System,
      toArguments: ({ system, 'system-name': name }) => ({ system: system ?? name ?? '' }),
    }),
    load({
      name: 'load-file',
      description: 'Compiles and loads a Lisp file of the project.',
      args: File,
      toArguments: ({ path }) => ({ path }),
      notes: ({ package: name }) => (name === undefined ? [] : [note('ignored_arguments', PACKAGE_OF_FILES)]),
    }),
    quickloadTool(options),
    ...reportTools(options, limits),
  ];
}

/** Loads an installed system; fetches a missing one first if the user agrees. */
function quickloadTool(options: LoadToolOptions): Tool {
  const load = loadTool(options);
  return adaptersOf({
    ...load,
    async run(args, caller) {
      const loaded = await load.run(args, caller);
      const { condition } = loaded.structured as { condition?: EvaluationRecord['condition'] };
      if (!MISSING.test(condition?.type ?? '')) return loaded;
      const fetched = await load.run({ ...args, fetch: true }, caller).catch(nullWithoutQuicklisp);
      if (fetched === null) return loaded;
      return fetched.structured.outcome === 'ok' ? load.run(args, caller) : fetched;
    },
  })({
    name: 'quickload',
    description:
      'Loads a system with its dependencies; Quicklisp fetches what is missing if the user agrees.',
    args: Named.extend({ verbose: z.boolean().optional() }),
    toArguments: ({ system }) => ({ system }),
  });
}

/** Returns null if Quicklisp is missing, which the failed load has already reported. */
function nullWithoutQuicklisp(error: unknown): null {
  if (error instanceof HarborError && error.code === 'engine_unavailable') return null;
  throw error;
}

/** Tools that return what the image prints about systems. */
function reportTools(options: LoadToolOptions, limits: CallLimits): Tool[] {
  const report = reportsOf(options, limits);
  return [
    report(
      'describe-system',
      'An ASDF system, which need not be loaded: version, description, license, files, dependencies.',
      Named,
      ({ system }) => code`(lisp-harbor:describe-system ${stringCode(system)})`,
    ),
    report(
      'system-dependencies',
      'The dependencies of an ASDF system; with transitive all of them, in load order.',
      Named.extend({ transitive: z.boolean().optional() }),
      ({ system, transitive }) =>
        transitive
          ? code`(lisp-harbor:describe-dependencies ${stringCode(system)} :all t)`
          : code`(lisp-harbor:describe-dependencies ${stringCode(system)})`,
    ),
    report(
      'list-local-systems',
      'The systems of the project and of Quicklisp’s local projects with their files, and the names of all other loadable libraries.',
      z.strictObject({}),
      () => code`(lisp-harbor:list-systems)`,
    ),
    report(
      'find-system-file',
      'The .asd file of an ASDF system.',
      Named,
      ({ system }) => code`(lisp-harbor:describe-system-file ${stringCode(system)})`,
    ),
    report(
      'quicklisp-search',
      'Searches Quicklisp’s index by a part of a system name, for quickload.',
      z.strictObject({ pattern: z.string().max(500), limit: z.int().min(1).max(1000).optional() }),
      ({ pattern, limit = 30 }) => code`(lisp-harbor:search-quicklisp ${stringCode(pattern)} ${limit})`,
    ),
  ];
}

// The tools of cl-mcp-server that query the library Telos about the intent of code.

const name = z.string().min(1).max(500);
const Feature = z.strictObject({ feature: name });
const NamedFunction = z.strictObject({ name, package: z.string().max(500).optional() });

export function telosTools(options: EvaluateToolOptions, limits: CallLimits): Tool[] {
  const report = reportsOf(options, limits);
  const ofFeature = (tool: string, what: Code, description: string) =>
    report(
      tool,
      description,
      Feature,
      ({ feature }) => code`(lisp-harbor:describe-telos ${what} ${stringCode(feature)})`,
    );
  const ofName = (tool: string, what: Code, description: string) =>
    report(tool, description, NamedFunction, ({ name, package: home }) =>
      home === undefined
        ? code`(lisp-harbor:describe-telos ${what} ${stringCode(name)})`
        : code`(lisp-harbor:describe-telos ${what} ${stringCode(name)} ${stringCode(home)})`,
    );
  return [
    report(
      'telos-list-features',
      'Telos: the features that loaded systems define.',
      z.strictObject({ filter: z.string().max(500).optional() }),
      ({ filter = '' }) => code`(lisp-harbor:describe-telos :features ${stringCode(filter)})`,
    ),
    ofFeature('telos-feature-intent', code`:feature`, 'Telos: the intent of a feature.'),
    ofName('telos-get-intent', code`:intent`, 'Telos: the intent of a function or class.'),
    ofName('telos-intent-chain', code`:chain`, 'Telos: from a name up to its root feature.'),
    ofFeature('telos-feature-members', code`:members`, 'Telos: the members of a feature.'),
    ofFeature('telos-feature-decisions', code`:feature-decisions`, 'Telos: the decisions about a feature.'),
    report(
      'telos-list-decisions',
      'Telos: the decisions about all features.',
      z.strictObject({}),
      () => code`(lisp-harbor:describe-telos :decisions)`,
    ),
  ];
}

/**
 * Tools of cl-mcp-server that return what our code prints in the image. It runs foreign code, such as .asd
 * files, so each call is an evaluation.
 */
function reportsOf(options: EvaluateToolOptions, limits: CallLimits) {
  const evaluation = adaptersOf(evalTool(options));
  return <A extends z.ZodObject>(
    name: string,
    description: string,
    args: A,
    codeOf: (given: z.output<A>) => Code,
  ): Tool =>
    evaluation({
      name,
      description,
      args,
      toArguments: async (given, caller) => ({
        code: String(codeOf(given)),
        ...(await limits.toArguments(caller)),
      }),
      render: printedText,
    });
}

/** Returns a failure without its backtrace, since the code is not the caller's. */
function printedText(record: EvaluationRecord): string {
  const { outcome, condition, stdout } = record;
  if (condition) return errorText({ ...condition, frames: [] }, record.engine);
  return outcome === 'ok' ? stdout.trimEnd() : evaluationText(record);
}
