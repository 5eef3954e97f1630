/** The tools of cl-mcp-server for ASDF's systems and Quicklisp's: loaded, described, found. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { code, stringCode } from '../../source/code';
import { type LoadToolOptions, loadTool } from '../evaluation/load-tool';
import type { EvaluationRecord } from '../evaluation/record';
import type { Tool } from '../tool';
import type { CallLimits } from './cl-mcp-server-limits';
import { reportsOf } from './cl-mcp-server-reports';
import { adaptersOf } from './tool-adapter';

const Named = z.strictObject({ system: z.string().min(1).max(500) });

/** The documents disagree on its name. */
const System = z
  .strictObject({ system: z.string().min(1).optional(), 'system-name': z.string().min(1).optional() })
  .describe('The system, by either name');

const File = z.strictObject({
  path: z.string().min(1),
  compile: z.boolean().optional(),
  package: z.string().optional(),
});

const PACKAGE_OF_FILES =
  'package is passed over: a file is read in the session’s current package, until it says in-package.';

/** ASDF has neither the system that was asked for, nor one that it needs. */
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
      notes: ({ package: name }) => (name === undefined ? [] : [PACKAGE_OF_FILES]),
    }),
    quickloadTool(options),
    ...reportTools(options, limits),
  ];
}

/** Loads what is installed; what is missing is fetched first, if a person agrees. */
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
      'Loads a system with all that it needs; what is not installed Quicklisp fetches, when a person agrees.',
    args: Named.extend({ verbose: z.boolean().optional() }),
    toArguments: ({ system }) => ({ system }),
  });
}

/** That it is not there the failure to load has told. */
function nullWithoutQuicklisp(error: unknown): null {
  if (error instanceof HarborError && error.code === 'engine_unavailable') return null;
  throw error;
}

/** What the image prints of systems. */
function reportTools(options: LoadToolOptions, limits: CallLimits): Tool[] {
  const report = reportsOf(options, limits);
  return [
    report(
      'describe-system',
      'An ASDF system that need not be loaded: version, description, license, files, dependencies.',
      Named,
      ({ system }) => code`(lisp-harbor:describe-system ${stringCode(system)})`,
    ),
    report(
      'system-dependencies',
      'The systems that an ASDF system needs; with transitive also what those need, in the order of loading.',
      Named.extend({ transitive: z.boolean().optional() }),
      ({ system, transitive }) =>
        transitive
          ? code`(lisp-harbor:describe-dependencies ${stringCode(system)} :all t)`
          : code`(lisp-harbor:describe-dependencies ${stringCode(system)})`,
    ),
    report(
      'list-local-systems',
      'The systems of the project and of Quicklisp’s local projects with their files, and the names of all other libraries that can be loaded.',
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
      'Systems in Quicklisp’s index by a part of their names, for quickload.',
      z.strictObject({ pattern: z.string().max(500), limit: z.int().min(1).max(1000).optional() }),
      ({ pattern, limit = 30 }) => code`(lisp-harbor:search-quicklisp ${stringCode(pattern)} ${limit})`,
    ),
  ];
}
