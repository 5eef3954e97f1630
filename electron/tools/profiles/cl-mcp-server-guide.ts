/** How to work with the profile `cl-mcp-server`: the server's instructions, and the guide that its clients ask for. */
import { z } from 'zod';
import type { Tool } from '../tool';

export const INSTRUCTIONS = `You have a live Common Lisp image (SBCL) whose state persists between calls: work interactively, REPL-first.

- \`evaluate-lisp\` evaluates forms and answers stdout, stderr, warnings and \`=> value\` lines, or \`[ERROR] TYPE\` with its message and backtrace; the session always goes on.
- Load a system once with \`load-system\`; then redefine single functions, try them on real values, and write to files what has proved itself. After edits that change exports or macros, load the system again: callers that were compiled before keep the old macro.
- \`list-definitions\` shows what you have defined here; \`reset-session\` begins a fresh image with the loaded systems.
- \`describe-symbol\`, \`apropos-search\`, \`who-calls\`, \`class-info\` and \`macroexpand-form\` answer from the live image.
- What takes long goes on as a job, which \`job\` follows or cancels: nothing is killed by a timer.`;

const MORE = `

Before you write a file: \`validate-syntax\` on its text, which also names the likely fix; \`match-paren\` shows where a list ends. \`compile-form\` tells what the compiler thinks of code without running it.

After an error: \`describe-last-error\` has its restarts, \`get-backtrace\` as many frames as you ask for.

Libraries: \`list-local-systems\` and \`quicklisp-search\` say what there is, \`describe-system\` and \`system-dependencies\` what one is made of, \`quickload\` fetches and loads it.

When code is slow: \`time-execution\` for its cost, \`profile-code\` for where time goes, \`allocation-profile\` for where memory comes from, \`profile-functions\` for exact counts of calls, \`memory-report\` for what fills the heap. Give them work of a second or more: shorter work leaves few samples.`;

const Result = z.object({ guide: z.string() });

export const USAGE_GUIDE: Tool<z.ZodObject, typeof Result> = {
  name: 'get-usage-guide',
  title: 'How to work here',
  description: 'Which tool to use when.',
  scope: 'read',
  args: z.strictObject({}),
  result: Result,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run() {
    const guide = `${INSTRUCTIONS}${MORE}`;
    return { structured: { guide }, text: guide, isError: false };
  },
};
