/**
 * Stands in for Docker's command line: what it is asked is written down, and the container is a real Emacs, serving Lisply,
 * that sees the mounts of the container and nothing else below /mnt. The folder CONTAINERS holds all that it keeps.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

const EMACS = path.resolve(import.meta.dirname, '../resources/emacs/lisply.el');
const folder = process.env.CONTAINERS ?? '';
const [operation = '', ...args] = process.argv.slice(2);

/** @param {string} name */
const fileOf = (name) => path.join(folder, name);

/** @param {string} option */
const valuesOf = (option) => args.flatMap((each, at) => (args[at - 1] === option ? [each] : []));

/** @param {string} name @returns {{ pid: number, ports: Record<string, string> }} */
const kept = (name) => JSON.parse(readFileSync(fileOf(name), 'utf8'));

/** What Docker does for `--volume`: the container finds the folder where it is told. */
function mounts() {
  return valuesOf('--volume').flatMap((volume) => {
    const [from = '', to = '', mode] = volume.split(':');
    return [mode === 'ro' ? '--ro-bind' : '--bind', from, to];
  });
}

/** Runs until it is stopped, as `docker run` does. */
function run() {
  const [name = ''] = valuesOf('--name');
  if (args.at(-1) === 'no/such-image') {
    process.stderr.write('Unable to find image\n');
    process.exit(125);
  }
  const emacs = ['emacs', '-Q', '--batch', '-l', EMACS, '-f', 'lisply-run'];
  const child = spawn(
    'bwrap',
    ['--die-with-parent', '--dev-bind', '/', '/', '--tmpfs', '/mnt', ...mounts(), '--', ...emacs],
    {
      stdio: ['ignore', 'inherit', 'pipe'],
    },
  );
  createInterface(child.stderr).on('line', (line) => {
    const ports = { '9080/tcp': new URL(line).host };
    writeFileSync(fileOf(name), JSON.stringify({ pid: child.pid, ports }));
  });
  child.on('exit', () => {
    rmSync(fileOf(name), { force: true });
    process.exit(0);
  });
}

appendFileSync(fileOf('asked'), `${JSON.stringify([operation, ...args])}\n`);
if (operation === 'run') run();
else if (operation === 'port') {
  const [name = '', port = ''] = args;
  if (!existsSync(fileOf(name))) process.exit(1);
  process.stdout.write(`${kept(name).ports[port] ?? ''}\n`);
} else if (operation === 'stop') process.kill(kept(args.at(-1) ?? '').pid, 'SIGKILL');
