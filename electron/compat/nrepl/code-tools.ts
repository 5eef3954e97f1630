/**
 * The tools of MCP-nREPL about code: load a file or namespace, explain, find or complete a name, show an
 * error.
 */

import { z } from 'zod';
import { note } from '../../contract/note';
import { type Code, code, SymbolName } from '../../source/code';
import { evalTool } from '../../tools/evaluation/eval-tool';
import type { EvaluateToolOptions } from '../../tools/evaluation/evaluation-answer';
import { lastFailedIn } from '../../tools/evaluation/history-tool';
import { type LoadToolOptions, loadTool } from '../../tools/evaluation/load-tool';
import { recordText } from '../../tools/evaluation/record-text';
import { describeTool } from '../../tools/knowledge/describe-tool';
import { type FindToolOptions, findTool } from '../../tools/knowledge/find-tool';
import type { Caller, Tool } from '../../tools/tool';
import { adaptersOf } from '../tool-adapter';
import type { LinkOf } from './nrepl-link';

const session = z.string().optional();
const ns = z.string().min(1).optional();
const Named = z.strictObject({ symbol: z.string().min(1), session, ns });
const Required = z.strictObject({
  namespace: z.string().min(1),
  session,
  as: z.string().min(1).optional(),
  refer: z.array(z.string().min(1)).max(500).optional(),
  reload: z.boolean().optional(),
});

export type NreplCodeOptions = EvaluateToolOptions & LoadToolOptions & FindToolOptions;

export function codeTools(linkOf: LinkOf, options: NreplCodeOptions): Tool[] {
  const sessionOf = async (given: { session?: string | undefined }, caller: Caller) =>
    (await linkOf(caller).find(caller, given.session)).session.id;
  return [
    loadFile(sessionOf, options),
    ...evaluating(sessionOf, options),
    documentation(sessionOf, options),
    ...searching(sessionOf, options),
    stackTrace(linkOf, options),
  ];
}

/** Returns the session that a call names as `nrepl-new-session` did, else the default one. */
type SessionOf = (given: { session?: string | undefined }, caller: Caller) => Promise<string>;

function loadFile(sessionOf: SessionOf, options: LoadToolOptions): Tool {
  return adaptersOf(loadTool(options))({
    name: 'nrepl-load-file',
    description: 'Loads a Clojure file into the connected server.',
    args: z.strictObject({ 'file-path': z.string().min(1), session, ns }),
    toArguments: async (given, caller) => ({
      path: given['file-path'],
      session: await sessionOf(given, caller),
    }),
    notes: ({ ns: given }) =>
      given === undefined ? [] : [note('ignored_arguments', 'The file names its own namespace.')],
  });
}

/** These tools run code of the server's own libraries. */
function evaluating(sessionOf: SessionOf, options: EvaluateToolOptions): Tool[] {
  const evaluation = adaptersOf(evalTool(options));
  return [
    evaluation({
      name: 'nrepl-require',
      description: 'Requires a namespace, with an alias, names to refer to, or reload.',
      args: Required,
      toArguments: async (given, caller) => ({
        code: String(requiring(given)),
        session: await sessionOf(given, caller),
      }),
      render: (record, { namespace }) =>
        record.outcome === 'ok' ? `Required ${namespace}` : recordText(record),
    }),
    evaluation({
      name: 'nrepl-source',
      description: 'The source of a function or macro, as the server finds it.',
      args: Named,
      toArguments: async (given, caller) => ({
        code: String(
          code`(do (require 'clojure.repl) (clojure.repl/source ${symbolIn(given.symbol, 'symbol')}))`,
        ),
        session: await sessionOf(given, caller),
        package: given.ns,
      }),
      render: (record) => (record.outcome === 'ok' ? record.stdout.trimEnd() : recordText(record)),
      fails: ({ outcome, stdout }) => outcome === 'ok' && /^Source not found/.test(stdout),
    }),
  ];
}

function requiring({ namespace, as, refer, reload }: z.output<typeof Required>): Code {
  const parts = [
    symbolIn(namespace, 'namespace'),
    ...(as === undefined ? [] : [code`:as ${symbolIn(as, 'as')}`]),
    ...(refer === undefined ? [] : [code`:refer [${refer.map((name) => symbolIn(name, 'refer'))}]`]),
  ];
  return code`(require '[${parts}]${reload ? code` :reload` : code``})`;
}

function symbolIn(text: string, argument: string): SymbolName {
  return SymbolName.read(text, 'clojure', argument);
}

function documentation(sessionOf: SessionOf, options: EvaluateToolOptions): Tool {
  return adaptersOf(describeTool(options))({
    name: 'nrepl-doc',
    description: 'Describes a symbol: arglists, documentation, place. Evaluates nothing.',
    args: Named,
    toArguments: async (given, caller) => ({
      symbol: given.symbol,
      session: await sessionOf(given, caller),
      package: given.ns,
    }),
  });
}

/** Number of completions that MCP-nREPL shows. */
const COMPLETIONS = 20;
const SYMBOLS = 30;

function searching(sessionOf: SessionOf, options: FindToolOptions): Tool[] {
  const finding = adaptersOf(findTool(options));
  return [
    finding({
      name: 'nrepl-complete',
      description: 'Names that begin with a prefix.',
      args: z.strictObject({ prefix: z.string().min(1), session, ns, context: z.string().optional() }),
      toArguments: async (given, caller) => ({
        kind: 'completion',
        query: given.prefix,
        session: await sessionOf(given, caller),
        package: given.ns,
        limit: COMPLETIONS,
      }),
    }),
    finding({
      name: 'nrepl-apropos',
      description: 'Names that contain a text, in all namespaces or in one.',
      args: z.strictObject({
        query: z.string().min(1),
        session,
        ns,
        'search-ns': z.string().min(1).optional(),
        'privates?': z.boolean().optional(),
        'case-sensitive?': z.boolean().optional(),
      }),
      toArguments: async (given, caller) => ({
        kind: 'apropos',
        query: given.query,
        session: await sessionOf(given, caller),
        package: given['search-ns'],
        external: given['privates?'] !== true,
        limit: SYMBOLS,
      }),
      notes: (given) =>
        given['case-sensitive?'] ? [note('ignored_arguments', 'The search ignores case.')] : [],
    }),
  ];
}

const NO_ERROR = 'Nothing has failed in this session yet.';

function stackTrace(linkOf: LinkOf, { history }: EvaluateToolOptions): Tool {
  return {
    name: 'nrepl-stacktrace',
    title: 'The last error',
    description: 'The last error of a session, with its stack.',
    scope: 'read',
    args: z.strictObject({ session }),
    result: z.object({ evaluation: z.looseObject({ id: z.int() }).optional() }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ session: uuid }, caller) {
      const { session: found } = await linkOf(caller).find(caller, uuid as string | undefined);
      const record = await lastFailedIn(found.id, history);
      if (!record) return { structured: {}, text: NO_ERROR, isError: false };
      return { structured: { evaluation: record }, text: recordText(record), isError: false };
    },
  };
}
