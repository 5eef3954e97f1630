/** Agents in a terminal, and desktop programs for models. Pure. */
import { json, jsonc } from '../formats/json-format';
import { toml } from '../formats/toml-format';
import { yaml, yamlList } from '../formats/yaml-format';
import {
  type ClientProgram,
  type ComputerFacts,
  type ConfigKind,
  dotConfig,
  fileAtHome,
  fileIn,
  joinOf,
  type Places,
  SERVER_NAME,
  settingsFolder,
} from './client-program';
import { named } from './editors';
import {
  authorization,
  commandArgsEnv,
  given,
  type Notation,
  std,
  typed,
  typedUrlHeaders,
  urlHeaders,
} from './notation';

const MCP_SERVERS = ['mcpServers'];

export const codex: ClientProgram = {
  name: 'codex',
  title: 'Codex',
  calls: 'codex-mcp-client',
  places: (computer) =>
    fileIn(computer, computer.env.CODEX_HOME || atHome(computer, '.codex'), 'config.toml'),
  keyPath: ['mcp_servers'],
  format: toml,
  notation: {
    stdio: commandArgsEnv,
    http: (address) => ({ url: address.url, http_headers: authorization(address) }),
  },
  verified: { by: 'run', version: '0.169.0' },
  afterwards: 'Start Codex anew; /mcp in it shows lisp.',
  whenGone: 'Codex has written its file anew; connect again',
};

const geminiNotation: Notation = {
  stdio: commandArgsEnv,
  // `url` alone is read as the address of the old SSE transport.
  http: (address) => ({ httpUrl: address.url, headers: authorization(address) }),
};

export const geminiCli: ClientProgram = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  calls: 'gemini-cli-mcp-client',
  places: (computer) =>
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
  afterwards: 'Start Gemini CLI anew; /mcp in it shows lisp.',
  whenGone: 'Gemini CLI has written its file anew; connect again',
  trap: 'Gemini CLI connects no servers in a folder that it was not told to trust.',
};

export const qwenCode: ClientProgram = {
  name: 'qwen-code',
  title: 'Qwen Code',
  calls: 'qwen-cli-mcp-client-lisp',
  places: (computer) =>
    fileIn(computer, computer.env.QWEN_HOME || atHome(computer, '.qwen'), 'settings.json'),
  project: { file: '.qwen/settings.json', keyPath: MCP_SERVERS, format: jsonc, notation: geminiNotation },
  keyPath: MCP_SERVERS,
  format: jsonc,
  notation: geminiNotation,
  verified: { by: 'run', version: '0.24.4' },
  afterwards: 'Start Qwen Code anew; /mcp in it shows lisp.',
  whenGone: 'Qwen Code has written its file anew; connect again',
};

export const continueCli: ClientProgram = {
  name: 'continue',
  title: 'Continue',
  calls: 'continue-cli-client',
  places: (computer) =>
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
  afterwards: 'Start cn anew, or reload the editor’s window.',
  whenGone: 'Continue’s file was written anew; connect again',
};

export const clineCli: ClientProgram = {
  name: 'cline',
  title: 'Cline CLI',
  calls: '@cline/core',
  places: clinePlaces,
  keyPath: MCP_SERVERS,
  format: json,
  notation: {
    stdio: (command) => ({ transport: { type: 'stdio', ...commandArgsEnv(command) } }),
    http: (address) => ({ transport: { type: 'streamableHttp', ...urlHeaders(address) } }),
  },
  verified: { by: 'run', version: '3.0.65' },
  afterwards: 'Start Cline anew.',
  whenGone: 'Cline has written its file anew; connect again',
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
  places: opencodePlaces,
  project: { file: 'opencode.json', ...OPENCODE_SETTINGS },
  ...OPENCODE_SETTINGS,
  verified: { by: 'run', version: '1.18.33' },
  afterwards: 'Start opencode anew.',
  whenGone: 'opencode’s file was written anew; connect again',
};

export const goose: ClientProgram = {
  name: 'goose',
  title: 'Goose',
  calls: 'goose',
  places(computer) {
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
  whenGone: 'Goose has written its file anew; connect again',
};

export const amp: ClientProgram = {
  name: 'amp',
  title: 'Amp',
  calls: 'amp-mcp-client',
  places(computer) {
    const file = computer.env.AMP_SETTINGS_FILE;
    if (file) return { special: [], usual: { file, evidence: [file] } };
    return fileIn(computer, joinOf(computer)(dotConfig(computer), 'amp'), 'settings.json');
  },
  keyPath: ['amp.mcpServers'],
  format: jsonc,
  notation: std,
  verified: { by: 'run', version: '0.0.1790142911' },
  afterwards: 'Start Amp anew.',
  whenGone: 'Amp has written its file anew; connect again',
};

const everyTool = { tools: ['*'] };

export const copilotCli: ClientProgram = {
  name: 'copilot-cli',
  title: 'Copilot CLI',
  calls: 'github-copilot-developer',
  places: (computer) =>
    fileIn(computer, computer.env.COPILOT_HOME || atHome(computer, '.copilot'), 'mcp-config.json'),
  keyPath: MCP_SERVERS,
  format: json,
  notation: {
    stdio: (command) => ({ type: 'local', ...commandArgsEnv(command), ...everyTool }),
    http: (address) => ({ ...typedUrlHeaders(address), ...everyTool }),
  },
  verified: { by: 'run', version: '1.0.102' },
  afterwards: 'Start Copilot anew; /mcp in it shows lisp.',
  whenGone: 'Copilot CLI has written its file anew; connect again',
};

export const crush: ClientProgram = {
  name: 'crush',
  title: 'Crush',
  calls: 'crush',
  places(computer) {
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
  afterwards: 'Start Crush anew.',
  whenGone: 'Crush’s file was written anew; connect again',
  trap: 'Crush takes $ in a path for the beginning of a variable.',
};

export const lmStudio: ClientProgram = {
  name: 'lm-studio',
  title: 'LM Studio',
  calls: 'lmstudio-mcp-bridge',
  places(computer) {
    const { usual } = fileAtHome('.lmstudio', 'mcp.json')(computer);
    const { usual: older } = fileIn(computer, atHome(computer, '.cache', 'lm-studio'), 'mcp.json');
    return { special: [usual, older], usual };
  },
  keyPath: MCP_SERVERS,
  format: json,
  notation: std,
  verified: { by: 'documentation', at: 'lmstudio.ai/docs/app/mcp' },
  afterwards: 'In LM Studio’s Program tab, switch lisp on.',
  whenGone: 'LM Studio has written its file anew; connect again',
  link: (entry) => `lmstudio://add_mcp?${named(entry)}`,
};

function atHome(computer: ComputerFacts, ...path: string[]): string {
  return joinOf(computer)(computer.home, ...path);
}

/** Its CLI's own; the extension in an editor has another. */
function clinePlaces(computer: ComputerFacts): Places {
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

/** It reads both files; where there is one with comments that is the one which people keep. */
function opencodePlaces(computer: ComputerFacts): Places {
  const folder = joinOf(computer)(dotConfig(computer), 'opencode');
  const withComments = joinOf(computer)(folder, 'opencode.jsonc');
  const { usual } = fileIn(computer, folder, 'opencode.json');
  return { special: [{ file: withComments, evidence: [withComments] }], usual };
}
