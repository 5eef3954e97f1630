/**
 * How a file of JavaScript is run as a process of its own. The only place that knows: here our own executable
 * acts as Node, which an installed app on macOS or Windows will not be able to do.
 */
import path from 'node:path';

/** Goes in front of the file to run; `needs` is what must be readable for the runtime itself. */
export interface JavascriptRuntime {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  needs: readonly string[];
}

/** Electron reads its libraries and snapshots from the folder around it; Node is one file. */
export function javascriptRuntime(): JavascriptRuntime {
  const command = process.execPath;
  if (process.versions.electron === undefined) return { command, args: [], env: {}, needs: [command] };
  return { command, args: [], env: { ELECTRON_RUN_AS_NODE: '1' }, needs: [path.dirname(command)] };
}
