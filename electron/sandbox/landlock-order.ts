/**
 * What resources/sandbox/landlock.lisp reads: the ruleset, its rules, the program to become, and the filter of system
 * calls. Words end with a NUL, so that nothing is quoted and nothing decoded. Pure.
 */
import type { ConfinedProgram } from './bubblewrap-arguments';
import type { Grant } from './landlock-grants';
import { landlockRights, landlockRuleset } from './landlock-ruleset';

export interface LandlockOrder {
  program: ConfinedProgram;
  grants: readonly Grant[];
  network: boolean;
  /** Of Landlock in the kernel. */
  version: number;
  /** Of system calls (seccomp(2)); null for none. */
  filter: Uint8Array | null;
}

/** @throws Error when a word has a null byte, which no argument of a program can have */
export function landlockOrder({ program, grants, network, version, filter }: LandlockOrder): Uint8Array {
  const { bytes, files, network: ports, scopes } = landlockRuleset(version, network);
  const rules = grants.flatMap((grant) => [String(landlockRights(grant, version)), grant.path]);
  const environment = Object.entries(program.env).map(([name, value]) => `${name}=${value}`);
  const words = [
    ...[bytes, files, ports, scopes, grants.length].map(String),
    ...rules,
    ...counted([program.command, ...program.args]),
    ...counted(environment),
  ];
  if (words.some((word) => word.includes('\0')))
    throw new Error('The arguments of a program must be without null bytes.');
  return Buffer.concat([Buffer.from(words.map((word) => `${word}\0`).join('')), filter ?? new Uint8Array()]);
}

function counted(words: readonly string[]): string[] {
  return [String(words.length), ...words];
}
