/** The plugin that checks what opencode's agent edits. Pure. */
import { OWN_MARK } from './piece';

/** @param words of the launcher */
export function opencodePlugin(words: readonly string[]): string {
  return `// Written by \`${OWN_MARK} install opencode\`; \`${OWN_MARK} remove opencode\` takes it away.
// After an edit of a Lisp file it tells the model where delimiters do not match, and the likely fix.
import { execFile } from 'node:child_process';

const [program, ...words] = ${JSON.stringify([...words, 'fix', '--hook'])};
const EDITS = new Set(['edit', 'write', 'multiedit', 'patch', 'apply_patch']);

/** What is wrong with the files of a call; empty where nothing is. */
function wrongIn(call) {
  return new Promise((resolve) => {
    const child = execFile(program, words, { timeout: 10_000 }, (error, _, stderr) =>
      resolve(error?.code === 2 ? stderr : ''),
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(JSON.stringify(call));
  });
}

export const LispHarbor = async ({ directory }) => ({
  'tool.execute.after': async ({ tool, args }, result) => {
    if (!EDITS.has(tool)) return;
    const told = await wrongIn({ cwd: directory, tool_input: { file_path: args?.filePath, command: args?.patchText } });
    if (told) result.output += \`\\n\${told}\`;
  },
});
`;
}
