/** `completion bash|zsh|fish`: shell completion for `lisp-harbor`. */
import { HarborError } from '../contract/errors';
import { actionsOf, isTyped, type ListedCommand, takesFile, type WordsCommand } from './command-list';

const USAGE = 'bash|zsh|fish';
const ABOUT = 'prints the completion script of a shell';

const HELP = `Usage: lisp-harbor completion ${USAGE}

${ABOUT}. Installed packages include it. From a clone:

  eval "$(lisp-harbor completion bash)"      in ~/.bashrc
  eval "$(lisp-harbor completion zsh)"       in ~/.zshrc, after compinit
  lisp-harbor completion fish | source       in ~/.config/fish/config.fish
`;

export const completion: WordsCommand = {
  usage: USAGE,
  about: ABOUT,
  help: HELP,
  options: {},
  async runWords([shell = ''], commands) {
    const write = WRITERS.get(shell);
    if (write === undefined)
      throw new HarborError('bad_arguments', `There is no completion for "${shell}".\n\n${HELP}`);
    process.stdout.write(write(commands));
    return 0;
  },
};

type Commands = readonly ListedCommand[];

const WRITERS: ReadonlyMap<string, (commands: Commands) => string> = new Map(
  Object.entries({ bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }),
);

function fileOptions(commands: Commands): string[] {
  const files = commands.flatMap(({ options }) =>
    Object.entries(options).flatMap(([name, row]) => (takesFile(row) ? [`--${name}`] : [])),
  );
  return [...new Set(files)];
}

const optionWords = ({ options }: ListedCommand) => Object.keys(options).map((name) => `--${name}`);

/** Completes options after a dash, actions after a command, and files elsewhere. */
function bashCompletion(commands: Commands): string {
  const rows = commands
    .filter(isTyped)
    .map(
      (command) =>
        `    ${command.name}) actions='${actionsOf(command).join(' ')}' options='${optionWords(command).join(' ')}' ;;`,
    );
  const app = commands.find((command) => !isTyped(command));
  return `# Completion of lisp-harbor for bash.
_lisp_harbor() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} actions options
  case \${COMP_WORDS[1]} in
${rows.join('\n')}
    *) actions='' options='${app === undefined ? '' : optionWords(app).join(' ')}' ;;
  esac
  compopt +o filenames 2>/dev/null
  if [[ " ${fileOptions(commands).join(' ')} " == *" $before "* ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
  elif ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W '${commands
      .filter(isTyped)
      .map(({ name }) => name)
      .join(' ')}' -- "$word")
  elif ((COMP_CWORD == 2)) && [[ -n $actions ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$actions" -- "$word")
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -F _lisp_harbor lisp-harbor
`;
}

function zshCompletion(commands: Commands): string {
  const described = commands.filter(isTyped).map(({ name, about }) => `    ${zshWord(`${name}:${about}`)}`);
  const rows = commands.filter(isTyped).map((command) => {
    const specs = Object.entries(command.options).map(([name, row]) =>
      zshWord(
        `--${name}[${row.does.trim().replaceAll(/[[\]]/g, '')}]${row.takes === undefined ? '' : `:${row.takes}:${takesFile(row) ? '_files' : ' '}`}`,
      ),
    );
    const actions = actionsOf(command);
    const first =
      actions.length === 0 ? `'*:file:_files'` : `'1:action:(${actions.join(' ')})' '*:file:_files'`;
    return `        ${command.name}) _arguments ${[...specs, first].join(' ')} ;;`;
  });
  return `#compdef lisp-harbor
# Completion of lisp-harbor for zsh.
_lisp_harbor() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe command commands
  else
    local command=\${words[2]}
    shift words
    ((CURRENT -= 1))
    case $command in
${rows.join('\n')}
    esac
  fi
}
if [[ $funcstack[1] == _lisp_harbor ]]; then _lisp_harbor "$@"; else compdef _lisp_harbor lisp-harbor; fi
`;
}

const zshWord = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function fishCompletion(commands: Commands): string {
  const lines = commands.filter(isTyped).flatMap((command) => {
    const inIt = `-n '__fish_seen_subcommand_from ${command.name}'`;
    return [
      `complete -c lisp-harbor -n __fish_use_subcommand -a ${command.name} -d ${fishWord(command.about)}`,
      ...actionsOf(command).map((action) => `complete -c lisp-harbor ${inIt} -f -a ${action}`),
      ...Object.entries(command.options).map(([name, row]) => {
        const value = row.takes === undefined ? '' : takesFile(row) ? ' -r' : ' -x';
        return `complete -c lisp-harbor ${inIt} -l ${name}${value} -d ${fishWord(row.does.trim())}`;
      }),
    ];
  });
  return `# Completion of lisp-harbor for fish.\n${lines.join('\n')}\n`;
}

const fishWord = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
