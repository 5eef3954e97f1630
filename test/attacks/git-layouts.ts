/**
 * Layouts in which Git runs a program that an agent wrote, as data. In each, `git status` in `at` starts a
 * program that leaves a mark.
 */

/** Files by path relative to the project. `%MARK%` is the command that leaves the mark. */
export interface GitLayout {
  name: string;
  /** Commands of the user that prepare the project; without them there is no repository. */
  prepare?: string;
  /** What the agent writes, in this order. */
  files: readonly (readonly [file: string, content: string])[];
  /** A shell command that does what file tools cannot, such as making a link. Code in an image runs it. */
  command?: string;
  /** Where the user runs Git, relative to the project. */
  at: string;
  /** Whether the files exist before the image starts, so that code cannot write them. */
  isClosed?: true;
}

const MONITOR = '[core]\n\tfsmonitor = %MARK%\n';
const CONFIG = `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = %MARK%\n`;
const BARE_CONFIG = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = %MARK%\n`;
const HEAD = 'ref: refs/heads/main\n';

const repository = (folder: string, config = BARE_CONFIG) =>
  [
    [`${folder}/config`, config],
    [`${folder}/objects/info/packs`, '\n'],
    [`${folder}/refs/heads/.keep`, ''],
    [`${folder}/HEAD`, HEAD],
  ] as const;

export const GIT_LAYOUTS: readonly GitLayout[] = [
  { name: 'a bare repository in a subfolder', files: repository('sub/bare'), at: 'sub/bare' },
  {
    name: 'a bare repository whose HEAD comes first',
    files: repository('bare').toReversed(),
    at: 'bare',
  },
  {
    name: 'a repository with a folder for what it shares',
    files: [
      ['shared/config', '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n'],
      ['tree/config.worktree', '[core]\n\tbare = false\n\tworktree = ..\n\tfsmonitor = %MARK%\n'],
      ['shared/objects/info/packs', '\n'],
      ['shared/refs/heads/.keep', ''],
      ['tree/commondir', '../shared\n'],
      ['tree/HEAD', HEAD],
    ],
    at: 'tree',
  },
  { name: 'a .git in a subfolder', files: repository('sub/.git', CONFIG), at: 'sub' },
  {
    name: '.git as a link',
    files: repository('sub/store', CONFIG),
    command: 'ln -s store sub/.git',
    at: 'sub',
  },
  {
    name: '.git as a file',
    files: [...repository('store', CONFIG), ['sub/.git', 'gitdir: ../store\n']],
    at: 'sub',
  },
  {
    name: 'a git folder in the project of --separate-git-dir',
    prepare: 'git init -q --separate-git-dir store sub',
    files: [['store/config', CONFIG]],
    at: 'sub',
    isClosed: true,
  },
  {
    name: 'include.path',
    prepare: 'git init -q . && git config include.path ../.gitsettings',
    files: [['.gitsettings', MONITOR]],
    at: '.',
  },
  {
    name: 'includeIf.path',
    prepare: 'git init -q sub && git -C sub config includeIf.gitdir:**.path ../../more/settings',
    files: [['more/settings', MONITOR]],
    at: 'sub',
  },
  {
    name: 'an included file that includes another',
    prepare: 'git init -q . && git config include.path ../one && printf "[include]\\n\\tpath = two\\n" > one',
    files: [['two', MONITOR]],
    at: '.',
  },
  {
    name: 'core.fsmonitor with a program in the project',
    prepare: 'git init -q . && git config core.fsmonitor tools/monitor',
    files: [['tools/monitor', '#!/bin/sh\n%MARK%\n']],
    command: 'chmod +x tools/monitor',
    at: '.',
  },
  {
    name: 'core.hooksPath in the project',
    prepare:
      'git init -q . && git config core.hooksPath scripts/git && touch tracked && git add tracked && touch -d tomorrow tracked',
    files: [['scripts/git/post-index-change', '#!/bin/sh\n%MARK%\n']],
    command: 'chmod +x scripts/git/post-index-change',
    at: '.',
  },
  {
    name: 'a filter with a program in the project',
    prepare:
      'git init -q . && git config filter.x.clean "sh tools/clean %f" && touch tracked && git add tracked && echo "* filter=x" > .gitattributes && echo changed > tracked',
    files: [['tools/clean', '%MARK%\ncat\n']],
    at: '.',
  },
  {
    name: 'the settings of a submodule',
    prepare:
      'git init -q . && mkdir .git/modules && git init -q --separate-git-dir .git/modules/part part && git config -f .git/modules/part/config include.path ../../../shared',
    files: [['shared', MONITOR]],
    at: 'part',
  },
  {
    name: 'the settings of another work tree',
    prepare:
      'git init -q main && git -C main -c user.name=x -c user.email=x@x commit -q --allow-empty -m x && git -C main worktree add -q ../second && git -C main config include.path ../../common',
    files: [['common', MONITOR]],
    at: 'second',
  },
];
