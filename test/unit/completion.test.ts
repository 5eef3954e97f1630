/** What shells and man(1) are told of the command line: all of it, and nothing that is not there. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { actionsOf, commandList, isTyped } from '../../electron/command-line/command-list';
import { completion } from '../../electron/command-line/completion';
import { manualPage } from '../../electron/command-line/manual';
import { SUBCOMMANDS } from '../../electron/command-line/run-command';
import { optionLines } from '../../electron/host/command-line';

const commands = commandList(SUBCOMMANDS);

/** What the command prints. */
async function printed(shell: string): Promise<string> {
  let text = '';
  const write = process.stdout.write;
  process.stdout.write = (chunk: string | Uint8Array) => {
    text += String(chunk);
    return true;
  };
  try {
    await completion.runWords([shell], commands);
  } finally {
    process.stdout.write = write;
  }
  return text;
}

describe('completion in bash', () => {
  const offered = async (...words: string[]) => {
    const script = `${await printed('bash')}
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lisp_harbor; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const said = execFileSync('bash', ['-c', script, 'bash', 'lisp-harbor', ...words], {
      encoding: 'utf8',
      cwd: '/',
    });
    return said.split('\n').filter((line) => line !== '');
  };

  it('offers the commands, the actions of one, and its options', async () => {
    expect(await offered('')).toEqual(commands.filter(isTyped).map(({ name }) => name));
    expect(await offered('agent', 'i')).toEqual(['install']);
    expect(await offered('job', '')).toEqual(['wait', 'status', 'output', 'cancel']);
    expect(await offered('eval', '--pa')).toEqual(['--package']);
    expect(await offered('--iss')).toEqual(['--issue-token']);
  });

  it('offers files where files are meant', async () => {
    expect(await offered('load', '/et')).toEqual(['/etc']);
    expect(await offered('eval', '--data', '/us')).toEqual(['/usr']);
  });
});

it.each(['bash', 'zsh', 'fish'])('%s is told of every command and option', async (shell) => {
  const script = await printed(shell);
  for (const { name, options } of commands.filter(isTyped)) {
    expect(script).toMatch(new RegExp(`\\b${name}\\b`));
    for (const option of Object.keys(options))
      expect(script).toContain(shell === 'fish' ? `-l ${option}` : `--${option}`);
  }
});

it('says which shells there are', async () => {
  await expect(completion.runWords(['tcsh'], commands)).rejects.toMatchObject({
    code: 'bad_arguments',
    message: expect.stringContaining('bash|zsh|fish'),
  });
});

it('finds the words that have to follow a command', () => {
  expect(actionsOf({ name: 'agent', usage: 'agent list | diff NAME | install NAME' })).toEqual([
    'list',
    'diff',
    'install',
  ]);
  expect(actionsOf({ name: 'eval', usage: 'eval FORM|FILE|-' })).toEqual([]);
  expect(actionsOf({ name: 'find', usage: 'find QUERY' })).toEqual([]);
});

it('tells every command in the manual, and no line of a text is a request to roff', () => {
  const page = manualPage([
    {
      name: 'odd',
      usage: 'odd',
      about: ".so /etc/passwd\n'br \\fB",
      options: {},
      help: '',
      callsTool: false,
    },
    ...commands,
  ]);
  expect(page).toContain("\\&.so /etc/passwd\n\\&'br \\efB");
  for (const { usage } of commands) expect(page).toContain(usage.replaceAll('-', '\\-'));
});

it('man(1) is told of every option of every command', () => {
  const page = manualPage(commands).replaceAll('\\-', '-');
  for (const { name, options } of commands)
    for (const line of optionLines(options).split('\n')) expect(page, name).toContain(line);
});

it('an option that means something else to a command is told so', () => {
  const helpOf = (wanted: string) => commands.find(({ name }) => name === wanted)?.help;
  for (const command of ['clients', 'agent']) expect(helpOf(command)).toContain('--project DIR');
  for (const command of ['clients', 'agent']) expect(helpOf(command)).not.toContain('sessions may write to');
  expect(helpOf('clients')).not.toContain('default: default');
});
