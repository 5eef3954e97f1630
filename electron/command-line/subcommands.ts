/** The commands of `lisp-harbor` that speak to a harbor which runs, or to a hidden one. */
import { clients } from './clients';
import { healthCheck } from './health-check';
import { listTools } from './list-tools';
import { repl } from './repl';
import { stop } from './stop';
import type { Subcommand } from './subcommand';
import { telnetCode } from './telnet-code';
import { testEval } from './test-eval';

export const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  clients,
  repl,
  stop,
  'health-check': healthCheck,
  'test-eval': testEval,
  'list-tools': listTools,
  'telnet-code': telnetCode,
};
