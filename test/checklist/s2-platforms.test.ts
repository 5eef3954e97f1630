/**
 * The row about systems: one build, of JavaScript alone, is the app on each of them. What differs by system comes from
 * npm: the one native module, and the programs that build. Installers are another matter.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { call, values } from '../evaluation';
import { ROOT, StartedHarbor, WAYS } from '../started-harbor';

interface LockedPackage {
  optionalDependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
}

const LOCKED = (
  JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  }
).packages;

/** What the first bytes of a library say that is for the system: its format, and the machine in it. */
const TARGETS = [
  { os: 'linux', cpu: 'x64', format: 'ELF 3e' },
  { os: 'linux', cpu: 'arm64', format: 'ELF b7' },
  { os: 'darwin', cpu: 'x64', format: 'Mach-O 1000007' },
  { os: 'darwin', cpu: 'arm64', format: 'Mach-O 100000c' },
  { os: 'win32', cpu: 'x64', format: 'PE 8664' },
];

/** By the headers of ELF, Mach-O (64 bits) and PE. */
function formatOf(library: Buffer): string {
  const first = library.readUInt32BE(0);
  if (first === 0x7f454c46) return `ELF ${library.readUInt16LE(18).toString(16)}`;
  if (first === 0xcffaedfe) return `Mach-O ${library.readUInt32LE(4).toString(16)}`;
  return `PE ${library.readUInt16LE(library.readUInt32LE(0x3c) + 4).toString(16)}`;
}

/** Packages that come in one part for each system, and those parts. */
function inParts(): [name: string, parts: LockedPackage[]][] {
  return Object.entries(LOCKED).flatMap(([name, { optionalDependencies = {} }]) => {
    const parts = Object.keys(optionalDependencies)
      .map((part) => LOCKED[`${name}/node_modules/${part}`] ?? LOCKED[`node_modules/${part}`])
      .filter((part) => part?.os !== undefined)
      .filter((part) => part !== undefined);
    return parts.some(({ os }) => os?.includes('linux')) ? [[name, parts]] : [];
  });
}

/** What the build takes from elsewhere when it runs. */
function imported(): string[] {
  const folder = path.join(ROOT, 'out/electron');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  );
  const names = files.flatMap((file) =>
    [...readFileSync(path.join(folder, file), 'utf8').matchAll(/^import .*?from ?"([^".][^"]*)";$/gm)].map(
      ([, name = '']) => name,
    ),
  );
  return [...new Set(names)]
    .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
    .sort();
}

describe('the app builds for', () => {
  it.each(WAYS)('S2-9 this system, where it serves over %s', async (way) => {
    const harbor = await StartedHarbor.start();
    onTestFinished(async () => {
      await harbor.stop();
    });
    const client = await harbor.over(way);
    expect(await values(client, '(+ 1 2)')).toEqual(['3']);
    const { structured } = await call<{ rows: unknown[] }>(client, 'history', { query: '+ 1 2' });
    expect(structured.rows).toHaveLength(1);
  });

  it('every other, because the build holds JavaScript and asks for one native module', () => {
    expect(imported()).toEqual(['better-sqlite3', 'electron']);
  });

  it.each(TARGETS)('$os on $cpu, with a native module that is for it', ({ os, cpu, format }) => {
    const file = path.join(ROOT, `node_modules/better-sqlite3/prebuilds/${os}-${cpu}.node`);
    expect(formatOf(readFileSync(file))).toBe(format);
  });

  it.each(TARGETS)('$os on $cpu, by programs that run there', ({ os, cpu }) => {
    const parts = inParts();
    const names = parts.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(['node_modules/rolldown', 'node_modules/lightningcss']));
    const lacking = parts.filter(
      ([, of]) => !of.some((part) => part.os?.includes(os) && part.cpu?.includes(cpu)),
    );
    expect(lacking).toEqual([]);
  });
});
