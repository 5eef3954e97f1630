/** Editors with an agent. Pure. */
import { json, jsonc } from '../formats/json-format';
import { shellLine } from '../transport';
import {
  authorization,
  type ClientProgram,
  type ComputerFacts,
  type ConfigKind,
  type ConfigPath,
  type ConfigPaths,
  commandArgsEnv,
  dotConfig,
  fileAtHome,
  fileIn,
  joinOf,
  SERVER_NAME,
  settingsFolder,
  std,
  typed,
  typedCommandArgsEnv,
  urlHeaders,
} from './client-program';

const MCP_SERVERS = ['mcpServers'];

export const vscode: ClientProgram = {
  name: 'vscode',
  title: 'VS Code',
  calls: 'Visual Studio Code',
  // The folder of the default profile.
  paths: (computer) =>
    fileIn(computer, joinOf(computer)(settingsFolder(computer), 'Code'), 'User', 'mcp.json'),
  project: { file: '.vscode/mcp.json', keyPath: ['servers'], format: jsonc, notation: typed },
  keyPath: ['servers'],
  format: jsonc,
  notation: typed,
  verified: { by: 'documentation', at: 'code.visualstudio.com/docs/copilot/reference/mcp-configuration' },
  afterwards:
    'In VS Code, “MCP: List Servers” starts lisp and shows whether it runs. For a single project, put the snippet into its .vscode/mcp.json, or use --project DIR at the command line.',
  whenRemoved: 'VS Code or its settings sync rewrote its file; connect again',
  shellLine: (command, platform) =>
    shellLine(
      ['code', '--add-mcp', JSON.stringify({ name: SERVER_NAME, ...typedCommandArgsEnv(command) })],
      platform,
    ),
  link: (entry) =>
    `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: SERVER_NAME, ...entry }))}`,
};

export const cursor: ClientProgram = {
  name: 'cursor',
  title: 'Cursor',
  calls: 'cursor-vscode',
  paths: fileAtHome('.cursor', 'mcp.json'),
  project: { file: '.cursor/mcp.json', keyPath: MCP_SERVERS, format: jsonc, notation: std },
  keyPath: MCP_SERVERS,
  format: jsonc,
  notation: std,
  verified: { by: 'documentation', at: 'cursor.com/docs/context/mcp' },
  afterwards: 'In Cursor’s settings, under MCP, switch lisp on. It may ask for confirmation.',
  whenRemoved: 'Cursor rewrote its file; connect again',
  link: (entry) => `cursor://anysphere.cursor-deeplink/mcp/install?${named(entry)}`,
};

export const windsurf: ClientProgram = {
  name: 'windsurf',
  title: 'Windsurf',
  calls: 'windsurf-client',
  paths: fileAtHome('.codeium', 'windsurf', 'mcp_config.json'),
  keyPath: MCP_SERVERS,
  format: json,
  notation: {
    stdio: commandArgsEnv,
    // Windsurf does not read `url`.
    http: (address) => ({ serverUrl: address.url, headers: authorization(address) }),
  },
  verified: { by: 'documentation', at: 'docs.windsurf.com/windsurf/cascade/mcp' },
  afterwards: 'In Windsurf’s Cascade, refresh the list of MCP servers.',
  whenRemoved: 'Windsurf rewrote its file; connect again',
};

const ZED_SETTINGS: ConfigKind = {
  keyPath: ['context_servers'],
  format: jsonc,
  notation: { stdio: (command) => ({ source: 'custom', ...commandArgsEnv(command) }), http: urlHeaders },
};

export const zed: ClientProgram = {
  name: 'zed',
  title: 'Zed',
  calls: 'Zed',
  paths: zedPaths,
  project: { file: '.zed/settings.json', ...ZED_SETTINGS },
  ...ZED_SETTINGS,
  verified: { by: 'documentation', at: 'zed.dev/docs/ai/mcp' },
  afterwards: 'Zed reads it immediately. The settings of its agent panel show whether lisp runs.',
  whenRemoved: 'Zed’s settings were rewritten; connect again',
};

export const kiro: ClientProgram = {
  name: 'kiro',
  title: 'Kiro',
  calls: 'Kiro',
  paths: fileAtHome('.kiro', 'settings', 'mcp.json'),
  project: { file: '.kiro/settings/mcp.json', keyPath: MCP_SERVERS, format: json, notation: std },
  keyPath: MCP_SERVERS,
  format: json,
  notation: std,
  verified: { by: 'documentation', at: 'kiro.dev/docs/mcp/configuration' },
  afterwards: 'Kiro connects when the file is saved; its MCP panel shows lisp.',
  whenRemoved: 'Kiro rewrote its file; connect again',
};

export const clineExtension: ClientProgram = {
  name: 'cline-vscode',
  title: 'Cline in an editor',
  calls: 'Cline',
  paths: clineExtensionPaths,
  keyPath: MCP_SERVERS,
  format: json,
  notation: {
    stdio: (command) => ({ ...commandArgsEnv(command), disabled: false }),
    http: (address) => ({ type: 'streamableHttp', ...urlHeaders(address), disabled: false }),
  },
  verified: { by: 'documentation', at: 'docs.cline.bot/mcp/configuring-mcp-servers' },
  afterwards: 'Cline connects when the file is saved; its list of MCP servers shows lisp.',
  whenRemoved: 'Cline rewrote its file; connect again',
};

export const junie: ClientProgram = {
  name: 'junie',
  title: 'Junie',
  calls: 'junie',
  paths: fileAtHome('.junie', 'mcp', 'mcp.json'),
  project: { file: '.junie/mcp/mcp.json', keyPath: MCP_SERVERS, format: json, notation: std },
  keyPath: MCP_SERVERS,
  format: json,
  notation: std,
  verified: { by: 'documentation', at: 'junie.jetbrains.com/docs/junie-cli-mcp-configuration.html' },
  afterwards: 'Restart Junie; /mcp shows lisp.',
  whenRemoved: 'Junie rewrote its file; connect again',
};

export const jetbrainsAi: ClientProgram = {
  name: 'jetbrains-ai',
  title: 'JetBrains AI Assistant',
  calls: 'JetBrains',
  keyPath: MCP_SERVERS,
  format: json,
  notation: std,
  verified: { by: 'documentation', at: 'jetbrains.com/help/ai-assistant/mcp.html' },
  afterwards:
    'In the IDE’s settings under Tools, AI Assistant, Model Context Protocol (MCP), press Add, choose JSON and paste it.',
  whenRemoved: 'it was removed in the IDE',
};

/** Returns a query string with the name, and the entry in base64. */
export function named(entry: object): string {
  const config = Buffer.from(JSON.stringify(entry)).toString('base64');
  return new URLSearchParams({ name: SERVER_NAME, config }).toString();
}

function zedPaths(computer: ComputerFacts): ConfigPaths {
  const { platform, home } = computer;
  const join = joinOf(computer);
  if (platform === 'win32') return fileIn(computer, join(settingsFolder(computer), 'Zed'), 'settings.json');
  const { usual } = fileIn(computer, join(dotConfig(computer), 'zed'), 'settings.json');
  const boxed = join(home, '.var', 'app', 'dev.zed.Zed', 'config', 'zed');
  const flatpak = {
    file: join(boxed, 'settings.json'),
    evidence: [boxed],
    note: 'Zed is installed as a Flatpak and reads this file.',
  };
  return { special: [usual, flatpak], usual };
}

/** Returns the path in the first editor that has the extension. */
function clineExtensionPaths(computer: ComputerFacts): ConfigPaths {
  const join = joinOf(computer);
  const editors = ['Code', 'Code - Insiders', 'Cursor', 'Windsurf', 'VSCodium'];
  const [usual, ...others] = editors.map((editor): ConfigPath => {
    const storage = join(settingsFolder(computer), editor, 'User', 'globalStorage', 'saoudrizwan.claude-dev');
    return {
      file: join(storage, 'settings', 'cline_mcp_settings.json'),
      evidence: [storage],
      note: `It is the file of ${editor}.`,
    };
  });
  const first = usual ?? { file: '', evidence: [] };
  return { special: [first, ...others], usual: first };
}
