/**
 * Programs with a model behind them, each from npm: how it is told of our server and of a model on this computer, and run
 * once without a person. They call themselves as `electron/endpoints/mcp/model-clients.ts` has it.
 */
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Where one run of a program happens. */
export interface Place {
  /** In which npm has installed it. */
  folder: string;
  /** HOME of the program, and the folder that it works in. */
  home: string;
  work: string;
  /** URL of the model, without a path. */
  model: string;
  /** Our server, as programs start it that speak over stdio; absent: their files are written by somebody else. */
  server?: Server;
}

interface Server {
  command: string;
  args: string[];
  env: Record<string, string>;
}

export interface Run {
  /** The file that runs, or `node`, and its arguments. */
  command: [string, ...string[]];
  env: Record<string, string>;
}

export interface Program {
  /** Of the folder in which npm has installed it. */
  name: string;
  /** As `model-clients.ts` calls it; null for what is not there. */
  program: string | null;
  /** How often it shows the text of an error by itself; absent: once. */
  errorsTold?: number;
  /** Writes its configuration. */
  prepare(place: Place): Run;
}

/** What each is asked to do; what happens is the model's script. */
const PROMPT = 'Evaluate it.';

/** For programs that want one; nobody looks at it. */
const KEY = 'made-up';

/** Under that key, where there is a server. */
const serversIn = (key: string, server: Server | undefined, entry: (server: Server) => unknown): object =>
  server ? { [key]: { lisp: entry(server) } } : {};

function writeJson(file: string, content: object): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
}

const program = (folder: string, name: string): string => path.join(folder, 'node_modules/.bin', name);

/** @param file what Node runs, seen from its folder */
export const claudeCode = (file: string): Program => ({
  name: 'claude-code',
  program: 'Claude Code',
  prepare({ folder, work, model, server }) {
    const config = path.join(work, 'mcp.json');
    if (server) writeJson(config, { mcpServers: { lisp: { type: 'stdio', ...server } } });
    const given = server ? ['--mcp-config', config, '--strict-mcp-config'] : [];
    const servers = [...given, '--allowedTools', 'mcp__lisp__eval'];
    return {
      command: ['node', path.join(folder, file), '-p', PROMPT, ...servers],
      env: {
        ANTHROPIC_BASE_URL: model,
        ANTHROPIC_API_KEY: KEY,
        DISABLE_AUTOUPDATER: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
    };
  },
});

const codex: Program = {
  name: 'codex',
  program: 'Codex',
  prepare({ folder, home, model, server }) {
    const folderOf = path.join(home, '.codex');
    mkdirSync(folderOf, { recursive: true });
    // A string of JSON is one of TOML.
    const own = ({ command, args, env }: Server) => `
      [mcp_servers.lisp]
      command = ${JSON.stringify(command)}
      args = ${JSON.stringify(args)}
      env = { ${Object.entries(env).map(([key, value]) => `${key} = ${JSON.stringify(value)}`)} }`;
    const config = `
      model = "scripted"
      model_provider = "scripted"
      approval_policy = "never"
      sandbox_mode = "danger-full-access"
      [model_providers.scripted]
      name = "scripted"
      base_url = "${model}/v1"
      wire_api = "responses"
      ${server ? own(server) : ''}`;
    writeFileSync(path.join(folderOf, 'config.toml'), config);
    // Nobody is there who could be asked.
    const approved = ['-c', 'mcp_servers.lisp.default_tools_approval_mode="approve"'];
    return {
      command: [program(folder, 'codex'), 'exec', ...approved, '--skip-git-repo-check', PROMPT],
      env: { CODEX_HOME: folderOf },
    };
  },
};

const gemini: Program = {
  name: 'gemini-cli',
  program: 'Gemini CLI',
  prepare({ folder, home, model, server }) {
    writeJson(path.join(home, '.gemini/settings.json'), {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      ...serversIn('mcpServers', server, (each) => ({ ...each, trust: true })),
    });
    return {
      command: [program(folder, 'gemini'), '--yolo', '--model', 'gemini-2.5-flash', '-p', PROMPT],
      env: { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: model, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    };
  },
};

const qwen: Program = {
  name: 'qwen-code',
  program: 'Qwen Code',
  errorsTold: 2,
  prepare({ folder, home, model, server }) {
    writeJson(path.join(home, '.qwen/settings.json'), {
      security: { auth: { selectedType: 'openai' } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      // Else the model has to look for a server's tools first, and calls them through another.
      tools: { toolSearch: { enabled: false } },
      ...serversIn('mcpServers', server, (each) => ({ ...each, trust: true })),
    });
    return {
      command: [program(folder, 'qwen'), '--yolo', '-p', PROMPT],
      env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${model}/v1`, OPENAI_MODEL: 'scripted' },
    };
  },
};

const opencode: Program = {
  name: 'opencode',
  program: 'opencode',
  prepare({ folder, work, model, server }) {
    const options = { baseURL: `${model}/v1`, apiKey: KEY };
    const models = { scripted: { name: 'scripted', tool_call: true } };
    writeJson(path.join(work, 'opencode.json'), {
      autoupdate: false,
      share: 'disabled',
      model: 'scripted/scripted',
      provider: { scripted: { npm: '@ai-sdk/openai-compatible', name: 'scripted', options, models } },
      ...serversIn('mcp', server, ({ command, args, env }) => ({
        ...{ type: 'local', command: [command, ...args], environment: env, enabled: true },
      })),
    });
    return {
      command: [program(folder, 'opencode'), 'run', PROMPT],
      env: { OPENCODE_DISABLE_MODELS_FETCH: '1' },
    };
  },
};

const copilot: Program = {
  name: 'copilot',
  program: 'Copilot CLI',
  prepare({ folder, work, model, server }) {
    const config = path.join(work, 'mcp.json');
    if (server) writeJson(config, { mcpServers: { lisp: { type: 'local', ...server, tools: ['*'] } } });
    const given = server ? ['--additional-mcp-config', `@${config}`] : [];
    const servers = ['--disable-builtin-mcps', ...given];
    return {
      command: [program(folder, 'copilot'), '--allow-all-tools', ...servers, '-p', PROMPT],
      env: {
        COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
        COPILOT_PROVIDER_API_KEY: KEY,
        COPILOT_MODEL: 'scripted',
        COPILOT_OFFLINE: 'true',
        COPILOT_AUTO_UPDATE: 'false',
      },
    };
  },
};

const continueCli: Program = {
  name: 'continue',
  program: 'Continue CLI',
  prepare({ folder, home, model, server }) {
    const config = path.join(home, '.continue/config.yaml');
    const provider = { provider: 'openai', apiBase: `${model}/v1`, apiKey: KEY };
    const models = [
      { name: 'scripted', model: 'scripted', ...provider, roles: ['chat'], capabilities: ['tool_use'] },
    ];
    // JSON is YAML.
    writeJson(config, {
      ...{ name: 'scripted', version: '1.0.0', schema: 'v1', models },
      ...(server && { mcpServers: [{ name: 'lisp', type: 'stdio', ...server }] }),
    });
    return {
      command: [program(folder, 'cn'), '--config', config, '--auto', '-p', PROMPT],
      env: { CONTINUE_GLOBAL_DIR: path.join(home, '.continue'), CONTINUE_TELEMETRY_ENABLED: '0' },
    };
  },
};

const cline: Program = {
  name: 'cline',
  program: 'Cline CLI',
  prepare({ folder, home, model, server }) {
    const settings = path.join(home, '.cline/data/settings');
    const provider = {
      provider: 'openai-compatible',
      apiKey: KEY,
      model: 'scripted',
      baseUrl: `${model}/v1`,
    };
    writeJson(path.join(settings, 'providers.json'), {
      ...{ version: 1, modes: {}, lastUsedProvider: provider.provider },
      providers: {
        [provider.provider]: { settings: provider, updatedAt: '2026-11-01T00:00:00Z', tokenSource: 'manual' },
      },
    });
    if (server) writeJson(path.join(settings, 'cline_mcp_settings.json'), { mcpServers: { lisp: server } });
    return {
      command: [program(folder, 'cline'), '-P', provider.provider, '--auto-approve', 'true', PROMPT],
      env: {},
    };
  },
};

const aiSdk: Program = {
  name: 'ai-sdk',
  program: null,
  prepare({ folder, work, model, server }) {
    // Modules are looked for beside the file that asks for them.
    symlinkSync(path.join(folder, 'node_modules'), path.join(work, 'node_modules'));
    const agent = path.join(work, 'agent.mjs');
    copyFileSync(path.join(import.meta.dirname, 'ai-sdk-agent.mjs'), agent);
    const asked = { prompt: PROMPT, baseURL: `${model}/v1`, apiKey: KEY, server };
    return { command: ['node', agent, JSON.stringify(asked)], env: {} };
  },
};

export const PROGRAMS: readonly Program[] = [
  // The file in `bin` is there only where npm runs what packages bring to run when they are installed.
  claudeCode('node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs'),
  codex,
  gemini,
  qwen,
  opencode,
  copilot,
  continueCli,
  cline,
  aiSdk,
];
