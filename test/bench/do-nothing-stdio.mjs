/**
 * The least that an MCP server over stdio can do: reads a line, answers three, with the argument `least-work` after the work
 * of least-work.mjs. With a path after that it does so for whoever connects to this local socket.
 */
import { createServer } from 'node:net';
import { leastWork } from './least-work.mjs';

const [kind, socket] = process.argv.slice(2);
const work = kind === 'least-work' ? await leastWork() : () => '3';
if (socket !== undefined)
  createServer((peer) => answer(peer, peer)).listen(socket, () => console.log('ready'));
else {
  process.stdin.once('end', () => process.exit(0));
  answer(process.stdin, process.stdout);
}

/**
 * @param {import('node:stream').Readable} input
 * @param {import('node:stream').Writable} output
 */
function answer(input, output) {
  let begun = '';
  input.setEncoding('utf8').on('data', async (/** @type {string} */ chunk) => {
    const lines = (begun + chunk).split('\n');
    begun = lines.pop() ?? '';
    for (const line of lines) {
      const { id } = JSON.parse(line);
      if (id === undefined) continue;
      const result = { content: [{ type: 'text', text: await work() }] };
      output.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
    }
  });
}
