/** Agents for the terminal, and desktop programs for models. Pure. */
import { json, jsonc } from '../formats/json-format';
import { sexp } from '../formats/sexp-format';
import { toml } from '../formats/toml-format';
import { yaml, yamlList } from '../formats/yaml-format';
import {
  authorization,
  type ClientProgram,
  type ComputerFacts,
  type ConfigKind,
  type ConfigPaths,
  commandArgsEnv,
  dotConfig,
  fileAtHome,
  fileIn,
  given,
  joinOf,
  type Notation,
  SERVER_NAME,
  settingsFolder,
  std,
  typed,
  typedUrlHeaders,
  urlHeaders,
} from './client-program';
import { named } from './editors';

const MCP_SERVERS = ['mcpServers'];

export const codex: ClientProgram = {
  name: 'codex',
  title: 'Codex',
  calls: 'codex-mcp-client',
  paths: (computer) => fileIn(computer, computer.env.CODEX_HOME || atHome(computer, '.codex'), 'config.toml'),
  keyPath: ['mcp_servers'],
  format: toml,
  notation: {
    stdio: commandArgsEnv,
    http: (address) => ({ url: address.url, http_headers: authorization(address) }),
  },
  verified: { by: 'run', version: '0.169.0' },
  afterwards: 'Restart Codex; /mcp shows lisp.',
  whenRemoved: 'Codex rewrote its file; connect again',
};

const geminiNotation: Notation = {
  stdio: commandArgsEnv,
  // `url` alone would be read as the address of the old SSE transport.
  http: (address) => ({ httpUrl: address.url, headers: authorization(address) }),
};

export const geminiCli: ClientProgram = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  calls: 'gemini-cli-mcp-client',
  paths: (computer) =>
    fileIn(
      computer,
      joinOf(computer)(computer.env.GEMINI_CLI_HOME || computer.home, '.gemini'),
      'settings.json',
    ),
  project: { file: '.gemini/settings.json', keyPath: MCP_SERVERS, format: jsonc, notation: geminiNotation },
  keyPath: MCP_SERVERS,
  format: jsonc,
  notation: geminiNotation,
  verified: { by: 'run', version: '0.61.0' },
  afterwards: 'Restart Gemini CLI; /mcp shows lisp.',
  whenRemoved: 'Gemini CLI rewrote its file; connect again',
  trap: 'Gemini CLI connects no servers in a folder that it does not trust.',
};

export const qwenCode: ClientProgram = {
  name: 'qwen-code',
  title: 'Qwen Code',
  calls: 'qwen-cli-mcp-client-lisp',
  paths: (computer) => fileIn(computer, computer.env.QWEN_HOME || atHome(computer, '.qwen'), 'settings.json'),
  project: { file: '.qwen/settings.json', keyPath: MCP_SERVERS, format: jsonc, notation: geminiNotation },
  keyPath: MCP_SERVERS,
  format: jsonc,
  notation: geminiNotation,
  verified: { by: 'run', version: '0.24.4' },
  afterwards: 'Restart Qwen Code; /mcp shows lisp.',
  whenRemoved: 'Qwen Code rewrote its file; connect again',
};

export const continueCli: ClientProgram = {
  name: 'continue',
  title: 'Continue',
  calls: 'continue-cli-client',
  paths: (computer) =>
    fileIn(computer, computer.env.CONTINUE_GLOBAL_DIR || atHome(computer, '.continue'), 'config.yaml'),
  keyPath: MCP_SERVERS,
  format: yamlList,
  notation: {
    stdio: (command) => ({ name: SERVER_NAME, type: 'stdio', ...commandArgsEnv(command) }),
    http: (address) => ({
      name: SERVER_NAME,
      type: 'streamable-http',
      url: address.url,
      requestOptions: { headers: authorization(address) },
    }),
  },
  verified: { by: 'run', version: '1.5.47' },
  afterwards: 'Restart cn, or reload the editor’s window.',
  whenRemoved: 'Continue’s file was rewritten; connect again',
};

export const clineCli: ClientProgram = {
  name: 'cline',
  title: 'Cline CLI',
  calls: '@cline/core',
  paths: clinePaths,
  keyPath: MCP_SERVERS,
  format: json,
  notation: {
    stdio: (command) => ({ transport: { type: 'stdio', ...commandArgsEnv(command) } }),
    http: (address) => ({ transport: { type: 'streamableHttp', ...urlHeaders(address) } }),
  },
  verified: { by: 'run', version: '3.0.65' },
  afterwards: 'Restart Cline.',
  whenRemoved: 'Cline rewrote its file; connect again',
};

const OPENCODE_SETTINGS: ConfigKind = {
  keyPath: ['mcp'],
  format: jsonc,
  notation: {
    stdio: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      ...given('environment', env),
      enabled: true,
    }),
    http: (address) => ({ type: 'remote', ...urlHeaders(address), enabled: true }),
  },
};

export const opencode: ClientProgram = {
  name: 'opencode',
  title: 'opencode',
  calls: 'opencode',
  paths: opencodePaths,
  project: { file: 'opencode.json', ...OPENCODE_SETTINGS },
  ...OPENCODE_SETTINGS,
  verified: { by: 'run', version: '1.18.33' },
  afterwards: 'Restart opencode.',
  whenRemoved: 'opencode’s file was rewritten; connect again',
};

export const goose: ClientProgram = {
  name: 'goose',
  title: 'Goose',
  calls: 'goose',
  paths(computer) {
    const folder = joinOf(computer)(
      ...(computer.platform === 'win32'
        ? [settingsFolder(computer), 'Block', 'goose', 'config']
        : [dotConfig(computer), 'goose']),
    );
    return fileIn(computer, folder, 'config.yaml');
  },
  keyPath: ['extensions'],
  format: yaml,
  notation: {
    stdio: ({ command, args, env }) => ({
      ...{ name: SERVER_NAME, type: 'stdio', cmd: command, args: [...args] },
      ...{ envs: { ...env }, enabled: true, timeout: 300 },
    }),
    http: (address) => ({
      ...{ name: SERVER_NAME, type: 'streamable_http', uri: address.url, headers: authorization(address) },
      ...{ envs: {}, enabled: true, timeout: 300 },
    }),
  },
  verified: { by: 'documentation', at: 'block.github.io/goose/docs/guides/config-files' },
  afterwards: 'Start a new session of Goose.',
  whenRemoved: 'Goose rewrote its file; connect again',
};

export const amp: ClientProgram = {
  name: 'amp',
  title: 'Amp',
  calls: 'amp-mcp-client',
  paths(computer) {
    const file = computer.env.AMP_SETTINGS_FILE;
    if (file) return { special: [], usual: { file, evidence: [file] } };
    return fileIn(computer, joinOf(computer)(dotConfig(computer), 'amp'), 'settings.json');
  },
  keyPath: ['amp.mcpServers'],
  format: jsonc,
  notation: std,
  verified: { by: 'run', version: '0.0.1790142911' },
  afterwards: 'Restart Amp.',
  whenRemoved: 'Amp rewrote its file; connect again',
};

const everyTool = { tools: ['*'] };

export const copilotCli: ClientProgram = {
  name: 'copilot-cli',
  title: 'Copilot CLI',
  calls: 'github-copilot-developer',
  paths: (computer) =>
    fileIn(computer, computer.env.COPILOT_HOME || atHome(computer, '.copilot'), 'mcp-config.json'),
  keyPath: MCP_SERVERS,
  format: json,
  notation: {
    stdio: (command) => ({ type: 'local', ...commandArgsEnv(command), ...everyTool }),
    http: (address) => ({ ...typedUrlHeaders(address), ...everyTool }),
  },
  verified: { by: 'run', version: '1.0.102' },
  afterwards: 'Restart Copilot; /mcp shows lisp.',
  whenRemoved: 'Copilot CLI rewrote its file; connect again',
};

export const crush: ClientProgram = {
  name: 'crush',
  title: 'Crush',
  calls: 'crush',
  paths(computer) {
    const { platform, env } = computer;
    const folder =
      platform === 'win32' ? env.LOCALAPPDATA || atHome(computer, 'AppData', 'Local') : dotConfig(computer);
    return fileIn(computer, joinOf(computer)(folder, 'crush'), 'crush.json');
  },
  project: { file: 'crush.json', keyPath: ['mcp'], format: json, notation: typed },
  keyPath: ['mcp'],
  format: json,
  notation: typed,
  verified: { by: 'documentation', at: 'github.com/charmbracelet/crush, docs/config' },
  afterwards: 'Restart Crush.',
  whenRemoved: 'Crush’s file was rewritten; connect again',
  trap: 'Crush reads $ in a path as the beginning of a variable.',
};

export const eca: ClientProgram = {
  name: 'eca',
  title: 'ECA',
  calls: 'eca',
  paths: (computer) => fileIn(computer, joinOf(computer)(dotConfig(computer), 'eca'), 'config.json'),
  project: { file: '.eca/config.json', keyPath: MCP_SERVERS, format: jsonc, notation: std },
  keyPath: MCP_SERVERS,
  format: jsonc,
  notation: std,
  verified: { by: 'documentation', at: 'github.com/editor-code-assistant/eca, docs/config/tools.md' },
  afterwards: 'ECA starts the server when the file changes; its MCP list shows lisp.',
  whenRemoved: 'ECA rewrote its file; connect again',
  trap: 'A file named by --config-file is read instead of this one.',
};

export const autolith: ClientProgram = {
  name: 'autolith',
  title: 'Autolith',
  calls: 'autolith',
  paths: (computer) => fileIn(computer, joinOf(computer)(dotConfig(computer), 'autolith'), 'mcp.sexp'),
  keyPath: ['servers'],
  format: sexp,
  // Headers of an address are read from environment variables only, so a token cannot be written.
  notation: {
    stdio: ({ command, args }) => ({
      name: SERVER_NAME,
      transport: { type: ':stdio', command, arguments: [...args], directory: ':workspace' },
    }),
  },
  verified: { by: 'documentation', at: 'github.com/lambda-symbolics/autolith, docs/mcp.org' },
  afterwards: 'In Autolith, /mcp refresh connects lisp.',
  whenRemoved: 'Autolith’s file was rewritten; connect again',
};

export const lmStudio: ClientProgram = {
  name: 'lm-studio',
  title: 'LM Studio',
  calls: 'lmstudio-mcp-bridge',
  paths(computer) {
    const { usual } = fileAtHome('.lmstudio', 'mcp.json')(computer);
    const { usual: older } = fileIn(computer, atHome(computer, '.cache', 'lm-studio'), 'mcp.json');
    return { special: [usual, older], usual };
  },
  keyPath: MCP_SERVERS,
  format: json,
  notation: std,
  verified: { by: 'documentation', at: 'lmstudio.ai/docs/app/mcp' },
  afterwards: 'In LM Studio’s Program tab, switch lisp on.',
  whenRemoved: 'LM Studio rewrote its file; connect again',
  link: (entry) => `lmstudio://add_mcp?${named(entry)}`,
};

function atHome(computer: ComputerFacts, ...path: string[]): string {
  return joinOf(computer)(computer.home, ...path);
}

/** Returns the path of the CLI’s own file. The editor extension has another one. */
function clinePaths(computer: ComputerFacts): ConfigPaths {
  const { CLINE_MCP_SETTINGS_PATH: file, CLINE_DATA_DIR, CLINE_DIR } = computer.env;
  if (file) return { special: [], usual: { file, evidence: [file] } };
  const join = joinOf(computer);
  const folder = CLINE_DIR || atHome(computer, '.cline');
  const settings = join(CLINE_DATA_DIR || join(folder, 'data'), 'settings');
  return {
    special: [],
    usual: { file: join(settings, 'cline_mcp_settings.json'), evidence: [folder, settings] },
  };
}

/** It reads both files. If the one with comments exists, it is the one that users edit. */
function opencodePaths(computer: ComputerFacts): ConfigPaths {
  const folder = joinOf(computer)(dotConfig(computer), 'opencode');
  const withComments = joinOf(computer)(folder, 'opencode.jsonc');
  const { usual } = fileIn(computer, folder, 'opencode.json');
  return { special: [{ file: withComments, evidence: [withComments] }], usual };
}
