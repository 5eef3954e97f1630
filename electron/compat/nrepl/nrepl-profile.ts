/** The profile of MCP-nREPL: an agent connects to a running nREPL server and evaluates there. */

import { z } from 'zod';
import type { DefaultProfileOptions } from '../../tools/default-profile';
import { evalTool } from '../../tools/evaluation/eval-tool';
import { MAX_WAIT_MS } from '../../tools/evaluation/evaluation-answer';
import { jobTool } from '../../tools/evaluation/job-tool';
import { type EvaluationRecord, lastValues } from '../../tools/evaluation/record';
import { recordText } from '../../tools/evaluation/record-text';
import { instructionsOf, type Profile } from '../../tools/profile';
import type { Caller, Tool } from '../../tools/tool';
import { adaptersOf } from '../tool-adapter';
import { codeTools } from './code-tools';
import { linkTools } from './connection-tools';
import { nreplFileTools } from './file-tools';
import { libraryTools, projectTool } from './library-tools';
import { type LinkOptions, NreplLinks } from './nrepl-link';

const INSTRUCTIONS = `You evaluate in a running Clojure (or Joyride, babashka, nbb) through its nREPL server.

- The server that the project's .nrepl-port names is connected automatically; \`nrepl-connect\` chooses another one, by its port.
- \`nrepl-eval\` evaluates every form and returns the output and the last value. Work REPL-first: small forms, real values, then files.
- \`nrepl-new-session\` gives a session with a namespace, *1 and bindings of its own: pass it as \`session\`. Vars are shared by all sessions of a server; only a server of its own isolates them.
- \`nrepl-status\` and \`nrepl-test\` report whether the server is healthy. When it is restarted, the connection is restored automatically, but its state is lost: define again what you need.
- \`read_file\` shows a Clojure file as its definitions, \`clojure_edit\` changes one by its name, \`clojure_edit_replace_sexp\` an expression anywhere; \`grep\` and \`glob_files\` search, \`deps_list\`, \`deps_grep\` and \`deps_read\` show libraries. \`clojure_eval\` returns all values, also from the server at another port.
- A long evaluation continues as a job, which \`job\` follows; \`nrepl-interrupt\` interrupts it.`;

const EvalArguments = z.strictObject({
  code: z.string().min(1).describe('Clojure forms'),
  session: z.string().optional().describe('As returned by nrepl-new-session'),
  ns: z.string().min(1).optional().describe('Namespace for this call'),
});

export type NreplProfileOptions = DefaultProfileOptions & LinkOptions;

export function nreplProfile(options: NreplProfileOptions): Profile {
  const links = new NreplLinks(options);
  const linkOf = ({ client }: Caller) => links.of(client);
  const evaluation = adaptersOf(evalTool(options));
  return {
    name: 'nrepl',
    instructions: INSTRUCTIONS,
    plainCalls: true,
    namesSessions: true,
    joined: (joining) => links.joined(joining),
    tools: [
      evaluation({
        name: 'nrepl-eval',
        description: 'Evaluates Clojure code on the connected server; returns the output and the last value.',
        args: EvalArguments,
        toArguments: async (given, caller) => {
          const link = linkOf(caller);
          const { session } = await link.find(caller, given.session);
          link.commands += 1;
          return { code: given.code, session: session.id, ...(given.ns ? { package: given.ns } : {}) };
        },
        render: evaluationText,
        extraMembers: (record, caller) => ({
          session: linkOf(caller).nameOf(record.session) ?? record.session,
          namespace: record.package,
        }),
      }),
      evaluation({
        name: 'clojure_eval',
        description:
          'Evaluates Clojure code on the connected server, or on that at a port; returns output and all values.',
        args: z.strictObject({
          code: z.string().min(1),
          timeout_ms: z.int().min(0).max(MAX_WAIT_MS).optional().describe('Then it continues as a job'),
          port: z.int().min(1).max(65_535).optional(),
        }),
        toArguments: async ({ code, timeout_ms: waitMs, port }, caller) => {
          const link = linkOf(caller);
          const { session } = await (port === undefined
            ? link.find(caller, undefined)
            : link.at(caller, port));
          link.commands += 1;
          return { code, session: session.id, wait_ms: waitMs };
        },
        render: valuesText,
      }),
      ...linkTools(linkOf, options),
      ...codeTools(linkOf, options),
      contextTool(),
      projectTool(linkOf, options),
      ...nreplFileTools(options),
      ...libraryTools(linkOf, options),
      jobTool(options),
    ],
  };
}

/** A tool that returns the instructions, for clients that do not show them to their models. */
function contextTool(): Tool {
  return {
    name: 'get-mcp-nrepl-context',
    title: 'How to work here',
    description: 'How to work with these tools; the same as the server instructions.',
    scope: 'read',
    args: z.strictObject({}),
    result: z.object({}),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: async () => ({
      structured: {},
      text: instructionsOf({ instructions: INSTRUCTIONS }),
      isError: false,
    }),
  };
}

/** Returns the output, then the values of each form. */
function valuesText(record: EvaluationRecord): string {
  if (record.outcome !== 'ok') return recordText(record);
  const values = record.forms.flatMap((form) => form.values).map((value) => `=> ${value}`);
  return [record.stdout, record.stderr, ...values].map(trimmed).filter(Boolean).join('\n');
}

/** Returns the output as a terminal would show it, then the value of the last form. */
function evaluationText(record: EvaluationRecord): string {
  if (record.outcome !== 'ok') return recordText(record);
  const parts = [record.stdout, record.stderr, lastValues(record).at(-1) ?? ''];
  return parts.map(trimmed).filter(Boolean).join('\n');
}

function trimmed(part: string): string {
  return part.replace(/\n$/, '');
}
