/** Files of a release for places where people find MCP servers: a plugin of Claude Code, and the entry of the MCP registry. */

/** @typedef {import('./installers.mjs').Publisher} Publisher */

const SUMMARY =
  'Live, sandboxed Lisp images: evaluate, load, test, debug and prove in Common Lisp, ACL2, Clojure';

/** The installed app. It starts a harbor if none runs. */
const SERVER = { command: 'lisp-harbor', args: ['--mcp-stdio', '--client', 'claude-code'] };

/**
 * Returns the files of a marketplace with one plugin, by path (code.claude.com/docs/en/plugins-reference).
 * @param {string} version
 * @param {Publisher} publisher
 * @returns {Map<string, string>}
 */
export function pluginFiles(version, { name, homepage }) {
  const about = { name: 'lisp-harbor', description: SUMMARY };
  const plugin = { ...about, version, author: { name, url: homepage }, homepage, license: 'MIT' };
  const marketplace = {
    name: 'lisp-harbor',
    owner: { name },
    plugins: [{ ...about, source: './lisp-harbor' }],
  };
  return new Map([
    ['.claude-plugin/marketplace.json', json(marketplace)],
    ['lisp-harbor/.claude-plugin/plugin.json', json(plugin)],
    ['lisp-harbor/.mcp.json', json({ mcpServers: { lisp: SERVER } })],
  ]);
}

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/**
 * Returns the entry of the MCP registry. It names no package: the app is installed from its page.
 * @param {string} version
 * @param {Publisher} publisher
 */
export function registryEntry(version, { homepage }) {
  const domain = new URL(homepage).hostname.split('.').reverse().join('.');
  return json({
    $schema: SCHEMA,
    name: `${domain}/lisp-harbor`,
    title: 'Lisp Harbor',
    description: SUMMARY,
    version,
    websiteUrl: homepage,
  });
}

/** @param {object} value */
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
