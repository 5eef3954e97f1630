/** The programs that can be connected, a row each; `client-program.ts` says what is in one. Pure. */
import { HarborError } from '../../contract/errors';
import { thereAre } from '../../contract/names-there';
import { claudeCode, claudeDesktop } from './claude';
import type { ClientProgram } from './client-program';
import { clineExtension, cursor, jetbrainsAi, junie, kiro, vscode, windsurf, zed } from './editors';
import {
  amp,
  clineCli,
  codex,
  continueCli,
  copilotCli,
  crush,
  geminiCli,
  goose,
  lmStudio,
  opencode,
  qwenCode,
} from './terminals';

export const CLIENT_PROGRAMS: readonly ClientProgram[] = [
  ...[claudeDesktop, claudeCode, vscode, cursor, codex, geminiCli, copilotCli, opencode, windsurf, zed],
  ...[continueCli, clineCli, clineExtension, amp, goose, kiro, lmStudio, qwenCode, crush, junie, jetbrainsAi],
];

/** @throws HarborError `client_unknown` */
export function programNamed(name: string): ClientProgram {
  const program = CLIENT_PROGRAMS.find((candidate) => candidate.name === name);
  if (program) return program;
  const names = CLIENT_PROGRAMS.map((candidate) => candidate.name);
  throw new HarborError('client_unknown', `No program "${name}" is known here. ${thereAre(name, names)}`);
}
