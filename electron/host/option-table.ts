/** Every option, said once: what is read from a command line and what `--help` prints both come from this table. */
import { flag, type OptionRow, optionLines, value } from './option-row';
import { PORT_OPTIONS } from './port-options';

export const OPTIONS = {
  data: value('DIR', 'data folder (history, settings, tokens)'),
  project: value('DIR', 'folder that sessions may write to (default: the working directory)'),
  port: value('N', 'port of the HTTP endpoint (default 4617; 0 = any free one)'),
  ...PORT_OPTIONS,
  'bridge-socket': value('PATH', 'serves the ACL2 Bridge at a unix socket, which only you can open'),
  'lisply-prefix': value('P', "where Lisply's paths begin (default: lisply)"),
  'https-port': value('N', 'the HTTP endpoint over TLS as well (default: off; 0 = any free port), with'),
  cert: value('FILE', '  its certificate, which names localhost or 127.0.0.1, and'),
  key: value('FILE', '  the key of that; both in PEM'),
  profile: value('NAME', 'set of tools that agents see (default: default)'),
  engine: value('NAME', 'engine of new sessions (sbcl, acl2, clojure, ecl, abcl, ccl, nbb)'),
  books: value('DIR', "ACL2's community books, which :dir :system names (default: those beside ACL2)"),
  'trust-tags': value('NAMES', "trust tags that ACL2's certified system books may use, with commas between"),
  client: value('KEY', 'who speaks over stdio (default: stdio)'),
  session: value('NAME', 'a session that stays when the REPL ends (repl)'),
  'issue-token': value('NAME', 'prints a token for a client of that name and ends'),
  unconfined: flag('no sandbox around images; every result then says so'),
  hidden: flag('start without showing a window, or any ready line'),
  debug: flag('log to stderr, as MCP_DEBUG=true does'),
  help: { ...flag('print this and do nothing else'), short: 'h' },
} satisfies Record<string, OptionRow>;

export type OptionName = keyof typeof OPTIONS;

/** The lines of `--help` about them. */
export const USAGE = `Options:\n${optionLines(OPTIONS)}`;
