/** Our server for a program that shall not be known: takes the name out of what it says of itself. Its arguments are the server. */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { createInterface } from 'node:readline';

const [command = '', ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ['pipe', 'inherit', 'inherit'] });
const lines = createInterface(process.stdin);
lines.on('line', (line) =>
  server.stdin.write(`${line.replace(/(clientInfo":\{"name":")[^"]*/, '$1somebody')}\n`),
);
lines.on('close', () => server.stdin.end());
server.on('exit', (code) => process.exit(code ?? 1));
