/** The profile of lisp-mcp-server: its tools over files, code and a REPL, and those of its later versions. */
import { z } from 'zod';
import { evalTool } from '../evaluation/eval-tool';
import { jobTool } from '../evaluation/job-tool';
import { loadTool } from '../evaluation/load-tool';
import { runTestsTool } from '../evaluation/run-tests-tool';
import { describeTool } from '../knowledge/describe-tool';
import type { DefinitionResult } from '../knowledge/description-result';
import { findTool } from '../knowledge/find-tool';
import type { DefaultProfileOptions } from './default-profile';
import { fileTools } from './lisp-mcp-server-file-tools';
import { descriptionText, placesOf, placesText, valueText } from './lisp-mcp-server-text';
import type { Profile } from './profile';
import { adaptersOf } from './tool-adapter';

const INSTRUCTIONS = `You have a Common Lisp image (SBCL) and the files of one project. Work in small rounds: read, find, write, load, test.

- \`code-find\` answers where a symbol is defined, also in libraries that are loaded; \`fs-read-file\` reads there.
- \`fs-write-file\` writes in the project only, and keeps what it overwrites; \`lisp-edit-form\` changes one form and refuses what would not balance.
- \`repl-eval\` evaluates; \`load-system\` loads what you have written, with every warning; \`run-tests\` says which tests fail.
- What takes long goes on as a job, which \`job\` follows or cancels.`;

const packageArgument = z.string().optional().describe('Where the symbol is looked up');
const Name = z.strictObject({ symbol: z.string().min(1), package: packageArgument });

export function lispMcpServerProfile(options: DefaultProfileOptions): Profile {
  const evaluation = adaptersOf(evalTool(options));
  const find = adaptersOf(findTool(options));
  const describe = adaptersOf(describeTool(options));
  const load = adaptersOf(loadTool(options));
  const tests = adaptersOf(runTestsTool(options));
  return {
    name: 'lisp-mcp-server',
    instructions: INSTRUCTIONS,
    engine: 'sbcl',
    tools: [
      evaluation({
        name: 'repl-eval',
        description: 'Evaluates forms, #. included, and answers the last value and what was printed.',
        args: z.strictObject({
          code: z.string().min(1).describe('An S-expression, or several'),
          package: z.string().optional().describe('For this call only'),
          safe_read: z.boolean().optional().describe('Refuse #.'),
        }),
        toArguments: (given) => given,
        render: valueText,
      }),
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
        description: 'What a symbol stands for: name, type, arglist, documentation.',
        args: Name,
        toArguments: (given) => given,
        render: ({ definitions = [] }) => descriptionText(definitions as DefinitionResult[]),
      }),
      find({
        name: 'code-find-references',
        description: 'Code that calls a function, or reads, binds or sets a variable.',
        args: Name,
        toArguments: ({ symbol: query, ...where }) => ({ query, kind: 'reference', ...where }),
      }),
      load({
        name: 'load-system',
        description: 'Compiles and loads an ASDF system; answers warnings and failures with file and line.',
        args: z.strictObject({ system: z.string().min(1) }),
        toArguments: (given) => given,
      }),
      load({
        name: 'project-build',
        description: 'Loads an ASDF system in a fresh process that holds nothing else.',
        args: z.strictObject({ system: z.string().min(1) }),
        toArguments: ({ system }) => ({ system, fresh: true }),
      }),
      tests({
        name: 'run-tests',
        description: 'Runs the tests of an ASDF system and answers counts and each failure.',
        args: z.strictObject({
          system: z.string().min(1),
          test: z.string().optional(),
          framework: z.string().optional(),
        }),
        toArguments: (given) => given,
      }),
      jobTool(options),
    ],
  };
}
