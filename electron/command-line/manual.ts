/** `manual`: the manual page, for man(1). */
import { optionLines } from '../host/command-line';
import { OPTIONS } from '../host/options';
import { VERSION } from '../host/paths';
import { isTyped, type ListedCommand, type WordsCommand } from './command-list';

const ABOUT = 'prints the manual page: lisp-harbor manual | man -l -';

export const manual: WordsCommand = {
  usage: '',
  about: ABOUT,
  help: `Usage: lisp-harbor manual\n\n${ABOUT}\n`,
  options: {},
  async runWords(_words, commands) {
    process.stdout.write(manualPage(commands));
    return 0;
  },
};

/** Formats the page with the macros of man(7). */
export function manualPage(commands: readonly ListedCommand[]): string {
  const lines = [
    `.TH LISP-HARBOR 1 "" "Lisp Harbor ${VERSION}"`,
    '.SH NAME',
    'lisp-harbor \\- Lisp images for people and their AI agents',
    '.SH SYNOPSIS',
    ...commands.map(({ usage }) => `.B lisp-harbor\n${roff(usage)}\n.br`),
    '.SH DESCRIPTION',
    roff(
      'Keeps Lisp images, supervised and sandboxed, and serves them to AI agents over MCP on localhost. Without a command it opens the window, or without a display it serves headless.',
    ),
    '.SH COMMANDS',
    ...commands
      .filter(isTyped)
      .flatMap(({ usage, about, options }) => [
        '.TP',
        `.B ${roff(usage)}`,
        roff(about),
        ...(options === OPTIONS || Object.keys(options).length === 0
          ? []
          : ['.nf', roff(optionLines(options)), '.fi']),
      ]),
    '.SH OPTIONS',
    'Options of the window, serve and stdio.',
    '.nf',
    roff(optionLines(OPTIONS)),
    '.fi',
    '.SH EXIT STATUS',
    roff(
      '0 success; 1 an error, in Lisp or of the command; 2 a wrong command line; 3 the call continues as a job; 4 the result of tests is unknown; 130 after Ctrl+C.',
    ),
    '.SH FILES',
    '.TP',
    '.I ~/.local/share/lisp\\-harbor',
    roff('the data folder: history, settings.json, tokens as hashes, logs. $XDG_DATA_HOME moves it.'),
  ];
  return `${lines.join('\n')}\n`;
}

/** Escapes text for roff, so that no line is read as a request. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&');
}
