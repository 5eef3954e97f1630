/**
 * The least that an MCP server over stdio can do: reads a line, answers three, with the argument `least-work` after the work
 * of least-work.mjs.
 */
import { leastWork } from './least-work.mjs';

const work = process.argv[2] === 'least-work' ? await leastWork() : () => '3';
process.stdin.once('end', () => process.exit(0));
let begun = '';
process.stdin.setEncoding('utf8').on('data', async (chunk) => {
  const lines = (begun + chunk).split('\n');
  begun = lines.pop() ?? '';
  for (const line of lines) {
    const { id } = JSON.parse(line);
    if (id === undefined) continue;
    const result = { content: [{ type: 'text', text: await work() }] };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  }
});
