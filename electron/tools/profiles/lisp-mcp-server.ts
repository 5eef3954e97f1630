/** The profile of lisp-mcp-server: its tools over files, code and a REPL, and those of its later versions. */
import { z } from 'zod';
import { type DefinitionResult, describeTool } from '../evaluation/describe';
import { evalTool } from '../evaluation/evaluate';
import { findTool } from '../evaluation/find';
import { jobTool } from '../evaluation/job';
import { loadTool } from '../evaluation/load';
import { runTestsTool } from '../evaluation/run-tests';
import type { DefaultProfileOptions } from './default';
import { fileTools } from './lisp-mcp-server-files';
import { descriptionText, placesOf, placesText, valueText } from './lisp-mcp-server-text';
import type { Profile } from './profile';
import { facesOf } from './tool-adapter';

const INSTRUCTIONS = `You have a Common Lisp image (SBCL) and the files of one project. Work in small rounds: read, find, write, load, test.

- \`code-find\` answers where a symbol is defined, also in libraries that are loaded; \`fs-read-file\` reads there.
- \`fs-write-file\` writes in the project only, and keeps what it overwrites; \`lisp-edit-form\` changes one form and refuses what would not balance.
- \`repl-eval\` evaluates; \`load-system\` loads what you have written, with every warning; \`run-tests\` says which tests fail.
- What takes long goes on as a job, which \`job\` follows or cancels.`;

const packageArgument = z.string().optional().describe('Where the symbol is looked up');
const Name = z.strictObject({ symbol: z.string().min(1), package: packageArgument });

export function lispMcpServerProfile(options: DefaultProfileOptions): Profile {
  const evaluation = facesOf(evalTool(options));
  const find = facesOf(findTool(options));
  const describe = facesOf(describeTool(options));
  const load = facesOf(loadTool(options));
  const tests = facesOf(runTestsTool(options));
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
        asks: (given) => given,
        tells: valueText,
      }),
      ...fileTools(options),
      find({
        name: 'code-find',
        description:
          'Where a symbol is defined: path (relative inside the project, else absolute) and line. Evaluates nothing.',
        args: Name,
        asks: ({ symbol: query, ...where }) => ({ query, kind: 'definition', ...where }),
        tells: ({ results }, { symbol }) => placesText(results, symbol),
        fails: ({ results }) => placesOf(results).length === 0,
      }),
      describe({
        name: 'code-describe',
        description: 'What a symbol stands for: name, type, arglist, documentation.',
        args: Name,
        asks: (given) => given,
        tells: ({ definitions = [] }) => descriptionText(definitions as DefinitionResult[]),
      }),
      find({
        name: 'code-find-references',
        description: 'Code that calls a function, or reads, binds or sets a variable.',
        args: Name,
        asks: ({ symbol: query, ...where }) => ({ query, kind: 'reference', ...where }),
      }),
      load({
        name: 'load-system',
        description: 'Compiles and loads an ASDF system; answers warnings and failures with file and line.',
        args: z.strictObject({ system: z.string().min(1) }),
        asks: (given) => given,
      }),
      load({
        name: 'project-build',
        description: 'Loads an ASDF system in a fresh process that holds nothing else.',
        args: z.strictObject({ system: z.string().min(1) }),
        asks: ({ system }) => ({ system, fresh: true }),
      }),
      tests({
        name: 'run-tests',
        description: 'Runs the tests of an ASDF system and answers counts and each failure.',
        args: z.strictObject({
          system: z.string().min(1),
          test: z.string().optional(),
          framework: z.string().optional(),
        }),
        asks: (given) => given,
      }),
      jobTool(options),
    ],
  };
}
