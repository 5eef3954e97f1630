/** The profile of lisp-mcp-server: its tools over files, code and a REPL, and those of its later versions. */
import { z } from 'zod';
import { jobTool } from '../evaluation/job-tool';
import { describeTool } from '../knowledge/describe-tool';
import type { DefinitionResult } from '../knowledge/description-result';
import { findTool } from '../knowledge/find-tool';
import { hyperspecTool } from '../knowledge/hyperspec-tool';
import type { DefaultProfileOptions } from './default-profile';
import { fileTools } from './lisp-mcp-server-file-tools';
import { loadingTools } from './lisp-mcp-server-loading-tools';
import { inspectObjectTool, replEvalTool } from './lisp-mcp-server-objects';
import { descriptionText, placesOf, placesText, referencesText } from './lisp-mcp-server-text';
import { workerTools } from './lisp-mcp-server-worker-tools';
import type { Profile } from './profile';
import { adaptersOf } from './tool-adapter';

const INSTRUCTIONS = `You have a Common Lisp image (SBCL) and the files of one project. Work in small rounds: read, find, write, load, test.

- \`clgrep-search\` finds code by a pattern without loading it; \`code-find\` answers where a symbol is defined, also in libraries that are loaded; \`fs-read-file\` reads there.
- \`fs-write-file\` writes in the project only, and keeps what it overwrites; \`lisp-edit-form\` changes one form, \`lisp-patch-form\` some text in it, and both refuse what would not balance; \`project-scaffold\` begins a project whose tests run.
- \`repl-eval\` evaluates; \`inspect-object\` looks into a value by its object-id; \`load-system\` loads what you have written, with every warning; \`run-tests\` says which tests fail.
- \`pool-kill-worker\` gives you a fresh image when yours is stuck or its state has gone wrong.
- What takes long goes on as a job, which \`job\` follows or cancels.`;

/** Of the image; those beyond are counted. */
const MOST_REFERENCES = 200;

const packageArgument = z.string().optional().describe('Where the symbol is looked up');
const Name = z.strictObject({ symbol: z.string().min(1), package: packageArgument });

export function lispMcpServerProfile(options: DefaultProfileOptions): Profile {
  const find = adaptersOf(findTool(options));
  const describe = adaptersOf(describeTool(options));
  const hyperspec = hyperspecTool(options);
  return {
    name: 'lisp-mcp-server',
    instructions: INSTRUCTIONS,
    engine: 'sbcl',
    tools: [
      replEvalTool(options),
      inspectObjectTool(options),
      ...fileTools(options),
      find({
        name: 'code-find',
        description:
          'Where a symbol is defined: path (relative inside the project, else absolute) and line. Evaluates nothing.',
        args: Name,
        toArguments: ({ symbol: query, ...where }) => ({ query, kind: 'definition', ...where }),
        render: ({ results }, { symbol }) => placesText(results, symbol),
        fails: ({ results }) => placesOf(results).length === 0,
      }),
      describe({
        name: 'code-describe',
        description: 'What a symbol stands for: name, type, arglist, documentation, and where it is defined.',
        args: Name,
        toArguments: (given) => given,
        render: ({ definitions = [] }) => descriptionText(definitions as DefinitionResult[]),
      }),
      find({
        name: 'code-find-references',
        description: 'Code that calls a function, or reads, binds or sets a variable.',
        args: Name.extend({
          project_only: z.boolean().optional().describe('false: libraries as well'),
        }),
        toArguments: ({ symbol: query, project_only: _, ...where }) => ({
          query,
          kind: 'reference',
          limit: MOST_REFERENCES,
          ...where,
        }),
        render: ({ results }, { project_only: only = true }) => referencesText(results, only),
      }),
      adaptersOf(hyperspec)({
        name: 'clhs-lookup',
        description: 'What the Common Lisp HyperSpec says of a symbol, or in a section such as 22.3.',
        args: hyperspec.args,
        toArguments: (given) => given,
        render: ({ url, content }) => content ?? url,
      }),
      ...loadingTools(options),
      ...workerTools(options),
      jobTool(options),
    ],
  };
}
