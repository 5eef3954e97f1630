/** `manual`: the manual page, for man(1). */
import { optionLines } from '../host/option-row';
import { OPTIONS } from '../host/option-table';
import { VERSION } from '../host/places';
import { isTyped, type ListedCommand } from './command-list';
import type { WordsCommand } from './subcommand';

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

/** In the macros of man(7). */
export function manualPage(commands: readonly ListedCommand[]): string {
  const lines = [
    `.TH LISP-HARBOR 1 "" "Lisp Harbor ${VERSION}"`,
    '.SH NAME',
    'lisp-harbor \\- Lisp images for people and their AI agents',
    '.SH SYNOPSIS',
    ...commands.map(({ usage }) => `.B lisp-harbor\n${roff(usage)}\n.br`),
    '.SH DESCRIPTION',
    roff(
      'Keeps Lisp images, supervised and sandboxed, and serves them to AI agents over MCP on localhost. Without a command the window opens; without a display the harbor serves headless.',
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
    'Of the window, of serve and of stdio.',
    '.nf',
    roff(optionLines(OPTIONS)),
    '.fi',
    '.SH EXIT STATUS',
    roff(
      '0; 1 for an error, in Lisp or in what was asked; 2 for a wrong command line; 3 where it goes on as a job; 130 after Ctrl+C.',
    ),
    '.SH FILES',
    '.TP',
    '.I ~/.local/share/lisp\\-harbor',
    roff('the data folder: history, settings.json, tokens as hashes, logs. $XDG_DATA_HOME moves it.'),
  ];
  return `${lines.join('\n')}\n`;
}

/** Text as it is, in roff: no line of it is a request. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&');
}
