/**
 * The files in a project that programs outside the sandbox execute or obey by themselves: when a shell enters
 * the folder, an editor opens it, an agent starts in it, or a server receives it. Everything that protects
 * them is derived from this table. Pure.
 *
 * Files that a person runs on purpose, such as a Makefile, a build file or a script of package.json, are not
 * in it.
 */

/** Why a place is protected, as the end of "is read-only: …". */
const REASONS = {
  git: 'Git runs its hooks and settings outside the sandbox',
  versions: 'your version control runs what it names outside the sandbox',
  hooks: 'its commands run outside the sandbox when you commit',
  shell: 'your shell runs it outside the sandbox when it enters the folder',
  editor: 'your editor executes it outside the sandbox when it opens the folder',
  agent: 'agents obey it and start the servers that it names, outside the sandbox',
  ci: 'a server runs it with your keys after you push it',
  packages: 'package managers run what it names outside the sandbox',
  programs: 'its programs run outside the sandbox under common names',
  start: 'its program executes it outside the sandbox when it starts in the folder',
} as const;

type Row = readonly [program: string, source: string, ...places: string[]];

/** The reason of each row, the program, where its documentation says so, and the places. */
const TABLE = {
  git: [
    [
      'Git',
      'git-scm.com/docs/gitrepository-layout',
      ...['.git', '.gitmodules', '.gitattributes', '.gitconfig', '.lfsconfig'],
    ],
  ],
  versions: [
    ['Mercurial', 'mercurial-scm.org/help/topics/config', '.hg'],
    ['Jujutsu', 'docs.jj-vcs.dev/latest/config', '.jj'],
    ['Sapling', 'sapling-scm.com/docs/introduction', '.sl'],
    ['Subversion', 'svnbook.red-bean.com, svn.advanced.confarea', '.svn'],
    ['Bazaar', 'documentation.breezy-vcs.org, branch.conf', '.bzr'],
    ['Pijul', 'pijul.org/manual/configuration.html', '.pijul'],
  ],
  hooks: [
    ['Husky', 'typicode.github.io/husky/how-to.html', '.husky', '.huskyrc*'],
    ['Git, by core.hooksPath', 'git-scm.com/docs/githooks', '.githooks', '.git-hooks', '.hooks'],
    [
      'pre-commit',
      'pre-commit.com',
      ...['.pre-commit-config.yaml', '.pre-commit-config.yml', '.pre-commit-hooks.yaml', 'prek.toml'],
    ],
    [
      'Lefthook',
      'lefthook.dev/configuration',
      ...[
        'lefthook.*',
        'lefthook-local.*',
        '.lefthook.*',
        '.lefthook-local.*',
        '.lefthook',
        '.lefthook-local',
      ],
      ...['.config/lefthook.*', '.config/lefthook-local.*'],
    ],
    ['Overcommit', 'github.com/sds/overcommit, README', '.overcommit.yml'],
    ['hk', 'hk.jdx.dev/configuration', 'hk.pkl', 'hk.local.pkl', '.config/hk.pkl'],
    ['simple-git-hooks', 'github.com/toplenboren/simple-git-hooks, README', '*simple-git-hooks.*'],
    ['lint-staged', 'github.com/lint-staged/lint-staged, README', '.lintstagedrc*', 'lint-staged.config.*'],
    ['commitlint', 'commitlint.js.org/reference/configuration', '.commitlintrc*', 'commitlint.config.*'],
    ['CaptainHook', 'captainhook-git.github.io/captainhook/configure.html', 'captainhook.json'],
  ],
  shell: [
    ['direnv', 'direnv.net/man/direnv.1.html', '.envrc', '.envrc.*', '.direnv'],
    [
      'mise',
      'mise.jdx.dev/configuration.html',
      ...[
        'mise.toml',
        'mise.*.toml',
        '.mise.toml',
        '.mise.*.toml',
        'mise/config.toml',
        '.mise',
        '.miserc.toml',
      ],
      ...['.config/mise.toml', '.config/mise.*.toml', '.config/mise', '.rtx.toml', '.rtx.*.toml'],
    ],
    ['asdf', 'asdf-vm.com/manage/configuration.html', '.tool-versions'],
    ['RVM', 'rvm.io/workflow/rvmrc', '.rvmrc'],
    ['Shadowenv', 'shopify.github.io/shadowenv', '.shadowenv.d'],
    ['autoenv', 'github.com/hyperupcall/autoenv, README', '.autoenv*'],
    ['smartcd', 'github.com/cxreg/smartcd, README', '.smartcd', '.bash_enter', '.bash_leave'],
  ],
  editor: [
    ['VS Code', 'code.visualstudio.com/docs/configure/settings', '.vscode', '*.code-workspace'],
    ['Visual Studio', 'learn.microsoft.com/visualstudio/ide/customize-build-and-debug-tasks', '.vs'],
    ['JetBrains IDEs', 'jetbrains.com/help/idea/configuring-project-and-ide-settings.html', '.idea', '.run'],
    ['JetBrains IDEs', 'jetbrains.com/help/fleet/project-settings.html', '.fleet'],
    ['Zed', 'zed.dev/docs/configuring-zed', '.zed'],
    ['Emacs', 'gnu.org/software/emacs/manual, Directory Variables', '.dir-locals.el', '.dir-locals-2.el'],
    [
      'Vim and Neovim',
      'neovim.io/doc/user/options.html, exrc',
      ...['.exrc', '_exrc', '.vimrc', '_vimrc', '.gvimrc', '_gvimrc', '.nvimrc', '.nvim.lua'],
      ...['.lvimrc', '.local.vimrc', '.lnvim.fnl', '.neoconf.json', '.nlsp-settings'],
    ],
    ['Helix', 'docs.helix-editor.com/configuration.html', '.helix'],
    ['Lapce', 'docs.lapce.dev', '.lapce'],
    ['Sublime Text', 'sublimetext.com/docs/projects.html', '*.sublime-project', '*.sublime-workspace'],
    [
      'Eclipse',
      'help.eclipse.org, Project description file',
      ...['.project', '.settings', '.externaltoolbuilders', '.classpath'],
    ],
    ['NetBeans', 'netbeans.apache.org', 'nbproject'],
    ['Theia', 'theia-ide.org/docs/preferences', '.theia'],
    [
      'Dev containers',
      'containers.dev/implementors/spec',
      ...['.devcontainer', '.devcontainer.json', '.gitpod', '.gitpod.yml', '.idx', '.replit'],
    ],
    ['clojure-lsp', 'clojure-lsp.io/settings, classpath-cmd', '.lsp'],
    ['Calva', 'calva.io/customizing', '.calva'],
    ['Joyride', 'github.com/BetterThanTomorrow/joyride, README', '.joyride'],
    ['Metals and IntelliJ', 'build-server-protocol.github.io, BSP connection', '.bsp'],
    ['Python for VS Code', 'code.visualstudio.com/docs/python/environments', '.venv'],
    ['rust-analyzer', 'doc.rust-lang.org/cargo/reference/config.html', '.cargo'],
  ],
  agent: [
    [
      'many agents',
      'agents.md',
      ...['agents.md', 'agents.override.md', 'agents.local.md', 'agent.md', '.agents', '.agent', '.agent.md'],
    ],
    [
      'Claude Code',
      'code.claude.com/docs/en/settings',
      ...['.claude', '.mcp.json', 'claude.md', 'claude.local.md', '.claude.json', '.claude-plugin'],
    ],
    ['Cursor', 'cursor.com/docs/context/rules', '.cursor', '.cursorrules', '.cursorignore'],
    ['Cursor', 'cursor.com/docs/context/ignore-files', '.cursorindexingignore'],
    ['Codex', 'developers.openai.com/codex/config-reference', '.codex'],
    ['Gemini CLI', 'geminicli.com/docs/reference/configuration', '.gemini', 'gemini.md', '.geminiignore'],
    ['Gemini Code Assist', 'developers.google.com/gemini-code-assist', '.aiexclude'],
    ['Copilot', 'docs.github.com/copilot/customizing-copilot', '.copilot', 'copilot-instructions.md'],
    ['Kiro', 'kiro.dev/docs/steering', '.kiro', '.kiroignore'],
    ['Amazon Q', 'docs.aws.amazon.com/amazonq/latest/qdeveloper-ug', '.amazonq', 'amazonq.md'],
    ['Junie', 'jetbrains.com/help/junie/customize-guidelines.html', '.junie', '.aiignore', '.noai'],
    ['JetBrains AI Assistant', 'jetbrains.com/help/ai-assistant', '.aiassistant'],
    ['opencode', 'opencode.ai/docs/config', 'opencode.json', 'opencode.jsonc', '.opencode'],
    [
      'Crush',
      'github.com/charmbracelet/crush, README',
      ...['crush.json', '.crush.json', '.crush', 'crush.md', 'crush.local.md', '.crushignore'],
    ],
    ['ECA', 'github.com/editor-code-assistant/eca, docs/config', '.eca', '.eca-plugin'],
    ['Autolith', 'github.com/lambda-symbolics/autolith, docs/mcp.org', '.autolith'],
    ['Windsurf', 'docs.windsurf.com/windsurf/cascade/memories', '.windsurf', '.windsurfrules', '.codeium'],
    ['Windsurf', 'docs.windsurf.com/context-awareness/windsurf-ignore', '.codeiumignore'],
    ['Devin', 'docs.devin.ai/cli/extensibility/rules', '.devin', '.cognition'],
    ['Cline', 'docs.cline.bot/features/cline-rules', '.cline', '.clinerules', '.clineignore'],
    ['Roo Code', 'docs.roocode.com/features/custom-instructions', '.roo', '.roorules*', '.roomodes'],
    ['Roo Code', 'docs.roocode.com/features/rooignore', '.rooignore', '.rooprotected'],
    ['Kilo Code', 'kilo.ai/docs/customize/custom-rules', '.kilocode', '.kilo', '.kilocode*', 'kilo.json*'],
    ['Continue', 'docs.continue.dev/reference', '.continue', '.continuerc.json', '.continuerules'],
    ['Continue', 'docs.continue.dev/customize/deep-dives/codebase', '.continueignore'],
    ['Zed', 'zed.dev/docs/ai/rules', '.rules'],
    ['Qwen Code', 'qwenlm.github.io/qwen-code-docs', '.qwen', 'qwen.md', '.qwenignore'],
    ['iFlow', 'platform.iflow.cn/en/cli', '.iflow', 'iflow.md'],
    ['Amp', 'ampcode.com/manual', '.amp'],
    ['Goose', 'block.github.io/goose/docs/guides/using-goosehints', '.goosehints', '.goose', '.gooseignore'],
    ['Aider', 'aider.chat/docs/config/aider_conf.html', '.aider*'],
    ['Factory', 'docs.factory.ai/cli/configuration', '.factory'],
    ['Warp', 'docs.warp.dev, Project rules', '.warp', 'warp.md'],
    ['Trae', 'docs.trae.ai/ide/rules', '.trae'],
    ['Augment', 'docs.augmentcode.com/setup-augment/guidelines', '.augment', '.augment*'],
    ['Qoder', 'docs.qoder.com/user-guide/rules', '.qoder'],
    ['OpenHands', 'docs.openhands.dev, Repository customization', '.openhands', '.openhands_instructions'],
    ['CodeBuddy', 'codebuddy.ai/docs', '.codebuddy', 'codebuddy.md'],
    ['Cody', 'sourcegraph.com/docs/cody', '.cody', '.sourcegraph'],
    ['Tabnine', 'docs.tabnine.com, Guidelines', '.tabnine'],
    ['Grok CLI', 'github.com/superagent-ai/grok-cli, README', '.grok', 'grok.md'],
    ['Mistral Vibe', 'github.com/mistralai/mistral-vibe, README', '.vibe'],
    ['Rovo Dev', 'support.atlassian.com/rovo', '.rovodev'],
    ['Antigravity', 'antigravity.google/docs', '.antigravity'],
  ],
  ci: [
    ['GitHub', 'docs.github.com/actions/reference/workflows-and-actions', '.github'],
    ['GitLab', 'docs.gitlab.com/ci/yaml', '.gitlab-ci.yml', '.gitlab-ci', '.gitlab'],
    ['CircleCI', 'circleci.com/docs/reference/configuration-reference', '.circleci'],
    ['Travis', 'docs.travis-ci.com/user/customizing-the-build', '.travis.yml'],
    ['Buildkite', 'buildkite.com/docs/pipelines/configure/defining-steps', '.buildkite', 'buildkite.y*ml'],
    ['Woodpecker', 'woodpecker-ci.org/docs/usage/workflows', '.woodpecker', '.woodpecker.y*ml'],
    ['Forgejo', 'forgejo.org/docs/latest/user/actions', '.forgejo'],
    ['Gitea', 'docs.gitea.com/usage/actions', '.gitea'],
    ['Drone', 'docs.drone.io/pipeline/configuration', '.drone.*'],
    ['Azure', 'learn.microsoft.com/azure/devops/pipelines', 'azure-pipelines*', '.azure-pipelines'],
    ['Bitbucket', 'support.atlassian.com/bitbucket-cloud', 'bitbucket-pipelines.yml'],
    ['Jenkins', 'jenkins.io/doc/book/pipeline/jenkinsfile', 'jenkinsfile*'],
    ['AppVeyor', 'appveyor.com/docs/appveyor-yml', 'appveyor.yml', '.appveyor.yml'],
    ['Cirrus', 'cirrus-ci.org/guide/writing-tasks', '.cirrus.*'],
    ['Semaphore', 'docs.semaphore.io/reference/pipeline-yaml', '.semaphore'],
    ['SourceHut', 'man.sr.ht/builds.sr.ht', '.build.yml', '.builds'],
    ['TeamCity', 'jetbrains.com/help/teamcity/kotlin-dsl.html', '.teamcity'],
    ['Tekton', 'pipelinesascode.com/docs', '.tekton'],
    ['Zuul', 'zuul-ci.org/docs/zuul/latest/project-config.html', '.zuul.*', 'zuul.yaml', 'zuul.d'],
    ['Codefresh', 'codefresh.io/docs', '.codefresh', 'codefresh.yml'],
    ['Google Cloud Build', 'cloud.google.com/build/docs', 'cloudbuild.y*ml', 'cloudbuild.json'],
    ['AWS CodeBuild', 'docs.aws.amazon.com/codebuild/latest/userguide', 'buildspec.y*ml'],
    ['Read the Docs', 'docs.readthedocs.com/platform/stable/config-file', '.readthedocs.y*ml'],
    ['Netlify', 'docs.netlify.com/build/configure-builds/file-based-configuration', 'netlify.toml'],
    ['Vercel', 'vercel.com/docs/project-configuration', 'vercel.json'],
    ['Render', 'render.com/docs/blueprint-spec', 'render.yaml'],
    ['Wercker', 'devcenter.wercker.com', 'wercker.yml'],
  ],
  packages: [
    ['npm', 'docs.npmjs.com/cli/configuring-npm/npmrc', '.npmrc'],
    ['Yarn', 'yarnpkg.com/configuration/yarnrc', '.yarnrc', '.yarnrc.yml', '.yarn', '.pnp.*'],
    ['pnpm', 'pnpm.io/pnpmfile', '.pnpmfile.*'],
    ['Bun', 'bun.com/docs/runtime/bunfig', 'bunfig.toml'],
    ['Bundler', 'bundler.io/man/bundle-config.1.html', '.bundle'],
    ['Maven', 'maven.apache.org/configure.html', '.mvn'],
    ['Leiningen', 'codeberg.org/leiningen/leiningen, PROFILES.md', '.lein'],
  ],
  programs: [['npm', 'docs.npmjs.com/cli/configuring-npm/folders', 'node_modules/.bin']],
  start: [
    [
      'ACL2',
      'cs.utexas.edu/~moore/acl2/manuals, ACL2-CUSTOMIZATION',
      ...['acl2-customization.lsp', 'acl2-customization.lisp'],
    ],
    ['GCL', 'gnu.org/software/gcl/manual, Initialization', 'init.lsp', 'acl2-init.lsp'],
    ['GDB', 'sourceware.org/gdb/current/onlinedocs, Init File in the Current Directory', '.gdbinit'],
    ['LLDB', 'lldb.llvm.org/man/lldb.html', '.lldbinit'],
    ['R', 'stat.ethz.ch/R-manual, Startup', '.rprofile', '.renviron'],
    ['GHCi', 'downloads.haskell.org/ghc/latest/docs/users_guide/ghci.html', '.ghci'],
    ['OCaml', 'ocaml.org/manual/toplevel.html', '.ocamlinit'],
    ['IEx', 'hexdocs.pm/iex/IEx.html', '.iex.exs'],
    ['Ruby', 'docs.ruby-lang.org, IRB', '.irbrc', '.pryrc'],
    ['Octave', 'docs.octave.org, Startup Files', '.octaverc'],
  ],
} as const satisfies Readonly<Record<keyof typeof REASONS, readonly Row[]>>;

type PlacesOf<R> = R extends readonly [string, string, ...infer Places] ? Places[number] : never;
type KnownPlace = PlacesOf<(typeof TABLE)[keyof typeof TABLE][number]>;

/** A file of a project that the table protects. */
export type ProtectedFile = KnownPlace | `${KnownPlace}/${string}`;

export interface ProtectedPlace {
  /** In a folder, in lower case; `/` separates, and `*` stands for any characters of a name. */
  place: string;
  /** Why it is read-only, as the end of "is read-only: …". */
  reason: string;
  program: string;
  /** Where the documentation of the program says that it reads the place. */
  source: string;
}

export const PROTECTED_PLACES: readonly ProtectedPlace[] = Object.entries(TABLE).flatMap(([reason, rows]) =>
  rows.flatMap(([program, source, ...places]) =>
    places.map((place) => ({
      place,
      reason: REASONS[reason as keyof typeof REASONS],
      program,
      source,
    })),
  ),
);
