/** The default profile: the same tools for every engine, and instructions for the agent. */

import { debugTool } from './evaluation/debug-tool';
import { evalTool } from './evaluation/eval-tool';
import { historyTool } from './evaluation/history-tool';
import { jobTool } from './evaluation/job-tool';
import { type LoadToolOptions, loadTool } from './evaluation/load-tool';
import { runTestsTool } from './evaluation/run-tests-tool';
import { editFormTool } from './files/edit-form-tool';
import { readFileTool } from './files/read-file-tool';
import { type FileToolOptions, inSession } from './files/text-files';
import { writeFileTool } from './files/write-file-tool';
import { describeTool } from './knowledge/describe-tool';
import { type FindToolOptions, findTool } from './knowledge/find-tool';
import { inspectTool } from './knowledge/inspect-tool';
import type { Profile } from './profile';
import { type CheckpointToolOptions, checkpointTool } from './sessions/checkpoint-tool';
import { type ImagesToolOptions, imagesTool } from './sessions/images-tool';
import { closeSessionTool, type OpenSessionToolOptions, openSessionTool } from './sessions/session-tools';
import type { SeenHistory } from './viewer';

export type DefaultProfileOptions = LoadToolOptions &
  ImagesToolOptions &
  OpenSessionToolOptions &
  SeenHistory &
  FindToolOptions &
  FileToolOptions &
  CheckpointToolOptions;

const INSTRUCTIONS = `You have live Lisp images. Work REPL-first: evaluate small forms, look at real values, redefine and retry, and write to files what works.

- \`eval\` runs code in your default session, which opens by itself; definitions stay until it ends. A condition is reported with restarts and backtrace; with \`on_error: "debug"\` it is suspended, and \`debug\` shows frames and locals and takes a restart.
- \`describe\` and \`find\` query the live image: arglists, documentation, definitions and uses of a name, and definitions that no file has; \`find\` with a path searches source that is not loaded. \`inspect\` shows a value part by part.
- \`read_file\` lists the definitions of a Lisp file, with those you name in full; \`edit_form\` changes one by name and refuses unbalanced results; \`write_file\` is for new files.
- \`load\` compiles and loads systems and files and reports errors with their places; \`run_tests\` reports failed checks. After editing files, \`load\` again; without arguments it resets a session whose state is broken.
- \`try: true\` runs code in a copy of the image that is then discarded. \`checkpoint\` saves a state by name, restores it or opens a second session from it.
- Read \`notes\` in every result: they report that the session is fresh because its image was lost, that it is shared, or not sandboxed.
- A long evaluation returns a \`job\` and continues; \`job\` waits for it, pages its output or cancels it.
- \`eval\` with \`profile\` shows which functions use time or memory. \`images\` lists engines and sessions; \`open_session\` opens a second image; \`history\` has all evaluations in this project, including earlier ones and those of others.`;

export function defaultProfile(options: DefaultProfileOptions): Profile {
  return {
    name: 'default',
    instructions: INSTRUCTIONS,
    refusesMisspelt: true,
    alwaysLoaded: ['eval', 'load', 'run_tests', 'edit_form', 'read_file'],
    tools: [
      imagesTool(options),
      openSessionTool(options),
      closeSessionTool(options),
      evalTool({ ...options, requiresBalance: true }),
      jobTool(options),
      debugTool(options),
      inspectTool(options),
      describeTool(options),
      findTool(options),
      loadTool(options),
      runTestsTool(options),
      ...[readFileTool, editFormTool, writeFileTool].map((tool) =>
        inSession(tool(options), options.sessions),
      ),
      checkpointTool(options),
      historyTool(options),
    ],
  };
}
