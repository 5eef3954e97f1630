/** The commands of `lisp-harbor`. */
import { agent } from './agent';
import { clients } from './clients';
import { completion } from './completion';
import { fix } from './fix';
import { healthCheck } from './health-check';
import { listTools } from './list-tools';
import { manual } from './manual';
import { repl } from './repl';
import { stop } from './stop';
import type { Subcommand, WordsCommand } from './subcommand';
import { telnetCode } from './telnet-code';
import { testEval } from './test-eval';

export const SUBCOMMANDS: Readonly<Record<string, Subcommand | WordsCommand>> = {
  agent,
  clients,
  fix,
  repl,
  stop,
  'health-check': healthCheck,
  'test-eval': testEval,
  'list-tools': listTools,
  'telnet-code': telnetCode,
  completion,
  manual,
};
