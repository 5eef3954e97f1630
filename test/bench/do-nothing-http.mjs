/**
 * The least that an MCP server over HTTP can do: reads the request, answers three, with the argument `least-work` after the
 * work of least-work.mjs, which is under way as often at once as the next argument says. Its first line on stdout is its port.
 */
import { createServer } from 'node:http';
import { leastWork } from './least-work.mjs';

const [kind, atOnce = '1'] = process.argv.slice(2);
const work = kind === 'least-work' ? await leastWork(Number(atOnce)) : () => '3';

const server = createServer((req, res) => {
  let text = '';
  req.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  req.on('end', async () => {
    const { id } = JSON.parse(text);
    const content = [{ type: 'text', text: await work() }];
    const body = JSON.stringify({ jsonrpc: '2.0', id, result: { content } });
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    res.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') process.stdout.write(`${address.port}\n`);
});
process.stdin.resume().once('end', () => process.exit(0));
