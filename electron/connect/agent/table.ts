/** The programs whose agents can be told of Lisp Harbor, a row each, and the places that they have for it. Pure. */
import { posix, win32 } from 'node:path';
import type { ComputerFacts } from '../programs/client-program';
import { shellLine } from '../stdio-command';
import { hookEntry } from './hook-entry';
import { opencodePlugin } from './opencode-plugin';
import { type Piece, wholeFile } from './piece';
import { skillText } from './skill';

export interface AgentSite {
  computer: Omit<ComputerFacts, 'packages'>;
  /** The program and its words that run `lisp-harbor`, by absolute paths. */
  launcher: readonly string[];
  /** A project's folder; undefined: for all of this user's. */
  project: string | undefined;
}

export interface AgentProgram {
  name: string;
  title: string;
  pieces(site: AgentSite): Piece[];
  /** What a person does after it. */
  afterwards: string;
}

export const AGENT_PROGRAMS: readonly AgentProgram[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    pieces(site) {
      const join = joinOf(site);
      const { env, home } = site.computer;
      const folder = site.project
        ? join(site.project, '.claude')
        : env.CLAUDE_CONFIG_DIR || join(home, '.claude');
      // A project's settings are everybody's, and the path of the app is not.
      const settings = site.project ? 'settings.local.json' : 'settings.json';
      return [
        skill(join(folder, 'skills'), site),
        hookEntry(join(folder, settings), 'Edit|Write|MultiEdit', hook(site)),
      ];
    },
    afterwards: 'Start Claude Code anew; /skills and /hooks in it show what was added.',
  },
  {
    name: 'codex',
    title: 'Codex',
    pieces(site) {
      const join = joinOf(site);
      const { env, home } = site.computer;
      const folder = site.project ? join(site.project, '.codex') : env.CODEX_HOME || join(home, '.codex');
      return [
        skill(join(folder, 'skills'), site),
        hookEntry(join(folder, 'hooks.json'), 'apply_patch|Edit|Write', hook(site)),
      ];
    },
    afterwards: 'Start Codex anew, and trust the hook with /hooks: Codex runs none before.',
  },
  {
    name: 'opencode',
    title: 'opencode',
    pieces(site) {
      const join = joinOf(site);
      const { env, home } = site.computer;
      const settings = env.XDG_CONFIG_HOME || join(home, '.config');
      const folder = site.project ? join(site.project, '.opencode') : join(settings, 'opencode');
      const plugin = join(folder, 'plugins', 'lisp-harbor.js');
      return [
        skill(join(folder, 'skills'), site),
        wholeFile('plugin', plugin, opencodePlugin(site.launcher)),
      ];
    },
    afterwards: 'Start opencode anew.',
  },
];

function joinOf({ computer }: AgentSite): (...parts: string[]) => string {
  return (computer.platform === 'win32' ? win32 : posix).join;
}

function skill(folder: string, site: AgentSite): Piece {
  const file = joinOf(site)(folder, 'lisp-harbor', 'SKILL.md');
  return wholeFile('skill', file, skillText(shellLine(site.launcher, site.computer.platform)));
}

function hook({ launcher, computer }: AgentSite): string {
  return shellLine([...launcher, 'fix', '--hook'], computer.platform);
}
