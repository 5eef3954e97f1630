#!/usr/bin/env node
/**
 * Makes deb and rpm packages for electron-builder, which asks for fpm: a program that it would download. This one takes the options
 * that electron-builder gives fpm and no others, and has dpkg-deb or rpmbuild do the work, so that packing needs no network.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

/**
 * @typedef {{ options: Map<string, string>, depends: string[], recommends: string[], tags: string[], files: [from: string, to: string][] }} Request
 */

/** By fpm's name of a compression, rpm's. */
const PAYLOADS = new Map([
  ['none', 'gzdio'],
  ['gzip', 'gzdio'],
  ['bzip2', 'bzdio'],
  ['xz', 'xzdio'],
  ['xzmt', 'xzdio'],
  ['zstd', 'zstdio'],
]);

/** Those without a value. */
const SWITCHES = new Set(['force', 'debug']);

/**
 * @param {string[]} words
 * @returns {Request}
 */
function read(words) {
  /** @type {Request} */
  const request = { options: new Map(), depends: [], recommends: [], tags: [], files: [] };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const name = /^--?([a-z-]+)$/.exec(word)?.[1];
    if (name === undefined) {
      const place = word.lastIndexOf('=');
      request.files.push([word.slice(0, place), word.slice(place + 1)]);
    } else if (!SWITCHES.has(name)) {
      at += 1;
      const value = words[at] ?? '';
      if (name === 'd') request.depends.push(value);
      else if (name === 'deb-recommends') request.recommends.push(value);
      else if (name === 'rpm-tag') request.tags.push(value);
      else request.options.set(name, value);
    }
  }
  return request;
}

/**
 * Lays the files out as they will be installed, with the modes that they need whoever packs them.
 * @param {Request} request
 * @param {string} root
 */
function layOut({ files }, root) {
  for (const [from, to] of files) {
    const target = path.join(root, to);
    mkdirSync(path.dirname(target), { recursive: true });
    if (from.endsWith('/')) cpSync(from, target, { recursive: true, verbatimSymlinks: true });
    else copyFileSync(from, target);
  }
  for (const file of below(root)) {
    const stat = lstatSync(file);
    if (stat.isSymbolicLink()) continue;
    chmodSync(file, stat.isDirectory() || (stat.mode & 0o111) !== 0 ? 0o755 : 0o644);
  }
}

/**
 * Every file and folder in it.
 * @param {string} folder
 * @returns {string[]}
 */
function below(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name));
}

/** @param {string} root */
const plainFiles = (root) => below(root).filter((file) => lstatSync(file).isFile());

/**
 * @param {Request} request
 * @param {string} name
 */
function needed({ options }, name) {
  const value = options.get(name);
  if (value === undefined || value === '') throw new Error(`packing needs --${name}`);
  return value;
}

/**
 * The first line is the summary.
 * @param {Request} request
 */
function description(request) {
  return needed(request, 'description')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/**
 * @param {Request} request
 * @param {string} root
 */
function makeDeb(request, root) {
  const files = plainFiles(root);
  const size = files.reduce((sum, file) => sum + lstatSync(file).size, 0);
  const [summary = '', ...more] = description(request);
  const fields = {
    Package: needed(request, 'name'),
    Version: needed(request, 'version'),
    Architecture: needed(request, 'architecture'),
    Maintainer: needed(request, 'maintainer'),
    'Installed-Size': String(Math.ceil(size / 1024)),
    Depends: request.depends.join(', '),
    Recommends: request.recommends.join(', '),
    Section: request.options.get('category') ?? 'devel',
    Priority: request.options.get('deb-priority') ?? 'optional',
    Homepage: needed(request, 'url'),
    Description: [summary, ...more.map((line) => ` ${line}`)].join('\n'),
  };
  const lines = Object.entries(fields).flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}\n`]));
  const sums = files.map((file) => `${md5(file)}  ${path.relative(root, file)}\n`);
  const control = path.join(root, 'DEBIAN');
  mkdirSync(control);
  writeFileSync(path.join(control, 'control'), lines.join(''));
  writeFileSync(path.join(control, 'md5sums'), sums.join(''));
  for (const [option, script] of [
    ['after-install', 'postinst'],
    ['before-remove', 'prerm'],
    ['after-remove', 'postrm'],
  ]) {
    const file = path.join(control, script ?? '');
    copyFileSync(needed(request, option ?? ''), file);
    chmodSync(file, 0o755);
  }
  const asked = request.options.get('deb-compression') ?? 'xz';
  // fpm and dpkg-deb have two names for one thing.
  const compression = asked === 'gz' ? 'gzip' : asked;
  const level = request.options.get('deb-compression-level');
  const how = [`-Z${compression}`, ...(level === undefined ? [] : [`-z${level}`])];
  run('dpkg-deb', ['--build', '--root-owner-group', ...how, root, needed(request, 'package')]);
}

/** @param {string} file */
const md5 = (file) => createHash('md5').update(readFileSync(file)).digest('hex');

/**
 * @param {Request} request
 * @param {string} root
 * @param {string} work a folder to work in
 */
function makeRpm(request, root, work) {
  const architecture = needed(request, 'architecture');
  const target = architecture === 'amd64' ? 'x86_64' : architecture;
  const text = description(request);
  const spec = path.join(work, 'package.spec');
  writeFileSync(
    spec,
    [
      `Name: ${needed(request, 'name')}`,
      // A dash separates version and release.
      `Version: ${needed(request, 'version').replaceAll('-', '~')}`,
      'Release: 1',
      `Summary: ${request.options.get('rpm-summary') ?? text[0]}`,
      `License: ${needed(request, 'license')}`,
      `URL: ${needed(request, 'url')}`,
      ...request.depends.map((name) => `Requires: ${name}`),
      ...request.tags,
      'AutoReqProv: no',
      // The files are packed as they are: nothing is stripped, and no links to build ids are added.
      '%define _build_id_links none',
      '%define __os_install_post %{nil}',
      '%define debug_package %{nil}',
      `%define _binary_payload ${payload(request)}`,
      '%description',
      ...text,
      '%post -p /bin/sh',
      script(needed(request, 'after-install')),
      '%preun -p /bin/sh',
      script(needed(request, 'before-remove')),
      '%postun -p /bin/sh',
      script(needed(request, 'after-remove')),
      '%files',
      '%defattr(-,root,root,-)',
      ...request.files.map(([, to]) => `"${to}"`),
      '',
    ].join('\n'),
  );
  const places = ['--buildroot', root, '--define', `_topdir ${work}/rpm`];
  run('rpmbuild', ['-bb', '--quiet', '--target', target, ...places, '--noclean', spec]);
  const made = path.join(work, 'rpm/RPMS', target);
  copyFileSync(path.join(made, readdirSync(made)[0] ?? ''), needed(request, 'package'));
}

/**
 * How the files are compressed, in rpm's words: the level, as many threads as there are processors, and the way.
 * @param {Request} request
 */
function payload({ options }) {
  const asked = options.get('rpm-compression') ?? 'xzmt';
  const way = PAYLOADS.get(asked);
  if (way === undefined) throw new Error(`--rpm-compression ${asked} is none of ${[...PAYLOADS.keys()].join(', ')}`);
  const level = options.get('rpm-compression-level') ?? '6';
  return asked === 'none' ? `w0.${way}` : `w${level}${/^(xz|zstd)/.test(way) ? 'T0' : ''}.${way}`;
}

/** A script as it may stand in a spec file. @param {string} file */
const script = (file) => readFileSync(file, 'utf8').replaceAll('%', '%%');

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

const request = read(process.argv.slice(2));
const work = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-package-'));
try {
  const root = path.join(work, 'root');
  layOut(request, root);
  if (needed(request, 't') === 'deb') makeDeb(request, root);
  else makeRpm(request, root, work);
} finally {
  rmSync(work, { recursive: true, force: true });
}
