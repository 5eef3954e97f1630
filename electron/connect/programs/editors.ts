/** Editors with an agent in them. Pure. */
import { json, jsonc } from '../formats/json-format';
import { shellLine } from '../stdio-command';
import {
  type ClientProgram,
  type ComputerFacts,
  type ConfigKind,
  dotConfig,
  fileAtHome,
  fileIn,
  joinOf,
  type Place,
  type Places,
  SERVER_NAME,
  settingsFolder,
} from './client-program';
import { authorization, commandArgsEnv, std, typed, typedCommandArgsEnv, urlHeaders } from './notation';

const MCP_SERVERS = ['mcpServers'];

export const vscode: ClientProgram = {
  name: 'vscode',
  title: 'VS Code',
  calls: 'Visual Studio Code',
  // The folder of its default profile.
  places: (computer) =>
    fileIn(computer, joinOf(computer)(settingsFolder(computer), 'Code'), 'User', 'mcp.json'),
  project: { file: '.vscode/mcp.json', keyPath: ['servers'], format: jsonc, notation: typed },
  keyPath: ['servers'],
  format: jsonc,
  notation: typed,
  verified: { by: 'documentation', at: 'code.visualstudio.com/docs/copilot/reference/mcp-configuration' },
  afterwards:
    'In VS Code, “MCP: List Servers” starts lisp and shows whether it runs. For one project alone, put the snippet into its .vscode/mcp.json, or add --project DIR at the command line.',
  whenGone: 'VS Code or its settings sync has written its file anew; connect again',
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
  places: fileAtHome('.cursor', 'mcp.json'),
  project: { file: '.cursor/mcp.json', keyPath: MCP_SERVERS, format: jsonc, notation: std },
  keyPath: MCP_SERVERS,
  format: jsonc,
  notation: std,
  verified: { by: 'documentation', at: 'cursor.com/docs/context/mcp' },
  afterwards: 'In Cursor’s settings, under MCP, switch lisp on; it may ask first.',
  whenGone: 'Cursor has written its file anew; connect again',
  link: (entry) => `cursor://anysphere.cursor-deeplink/mcp/install?${named(entry)}`,
};

export const windsurf: ClientProgram = {
  name: 'windsurf',
  title: 'Windsurf',
  calls: 'windsurf-client',
  places: fileAtHome('.codeium', 'windsurf', 'mcp_config.json'),
  keyPath: MCP_SERVERS,
  format: json,
  notation: {
    stdio: commandArgsEnv,
    // `url` would not be read.
    http: (address) => ({ serverUrl: address.url, headers: authorization(address) }),
  },
  verified: { by: 'documentation', at: 'docs.windsurf.com/windsurf/cascade/mcp' },
  afterwards: 'In Windsurf’s Cascade, refresh the list of MCP servers.',
  whenGone: 'Windsurf has written its file anew; connect again',
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
  places: zedPlaces,
  project: { file: '.zed/settings.json', ...ZED_SETTINGS },
  ...ZED_SETTINGS,
  verified: { by: 'documentation', at: 'zed.dev/docs/ai/mcp' },
  afterwards: 'Zed reads it at once; its agent panel’s settings show whether lisp runs.',
  whenGone: 'Zed’s settings were written anew; connect again',
};

export const kiro: ClientProgram = {
  name: 'kiro',
  title: 'Kiro',
  calls: 'Kiro',
  places: fileAtHome('.kiro', 'settings', 'mcp.json'),
  project: { file: '.kiro/settings/mcp.json', keyPath: MCP_SERVERS, format: json, notation: std },
  keyPath: MCP_SERVERS,
  format: json,
  notation: std,
  verified: { by: 'documentation', at: 'kiro.dev/docs/mcp/configuration' },
  afterwards: 'Kiro connects when the file is saved; its MCP panel shows lisp.',
  whenGone: 'Kiro has written its file anew; connect again',
};

export const clineExtension: ClientProgram = {
  name: 'cline-vscode',
  title: 'Cline in an editor',
  calls: 'Cline',
  places: clineExtensionPlaces,
  keyPath: MCP_SERVERS,
  format: json,
  notation: {
    stdio: (command) => ({ ...commandArgsEnv(command), disabled: false }),
    http: (address) => ({ type: 'streamableHttp', ...urlHeaders(address), disabled: false }),
  },
  verified: { by: 'documentation', at: 'docs.cline.bot/mcp/configuring-mcp-servers' },
  afterwards: 'Cline connects when the file is saved; its list of MCP servers shows lisp.',
  whenGone: 'Cline has written its file anew; connect again',
};

export const junie: ClientProgram = {
  name: 'junie',
  title: 'Junie',
  calls: 'junie',
  places: fileAtHome('.junie', 'mcp', 'mcp.json'),
  project: { file: '.junie/mcp/mcp.json', keyPath: MCP_SERVERS, format: json, notation: std },
  keyPath: MCP_SERVERS,
  format: json,
  notation: std,
  verified: { by: 'documentation', at: 'junie.jetbrains.com/docs/junie-cli-mcp-configuration.html' },
  afterwards: 'Start Junie anew; /mcp in it shows lisp.',
  whenGone: 'Junie has written its file anew; connect again',
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
  whenGone: 'it was removed in the IDE',
};

/** As a query: the name, and the entry in base64. */
export function named(entry: object): string {
  const config = Buffer.from(JSON.stringify(entry)).toString('base64');
  return new URLSearchParams({ name: SERVER_NAME, config }).toString();
}

function zedPlaces(computer: ComputerFacts): Places {
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

/** Of the first editor that has the extension. */
function clineExtensionPlaces(computer: ComputerFacts): Places {
  const join = joinOf(computer);
  const editors = ['Code', 'Code - Insiders', 'Cursor', 'Windsurf', 'VSCodium'];
  const [usual, ...others] = editors.map((editor): Place => {
    const storage = join(settingsFolder(computer), editor, 'User', 'globalStorage', 'saoudrizwan.claude-dev');
    return {
      file: join(storage, 'settings', 'cline_mcp_settings.json'),
      evidence: [storage],
      note: `It is that of ${editor}.`,
    };
  });
  const first = usual ?? { file: '', evidence: [] };
  return { special: [first, ...others], usual: first };
}
