import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { HarborError } from '../../electron/contract/errors';
import { isElectronApp } from '../../electron/host/command-line';
import { parseOptions } from '../../electron/host/options';

describe('options', () => {
  it('takes options before the environment', () => {
    expect(parseOptions(['--port', '0'], { MCP_HTTP_PORT: '9000' }).port).toBe(0);
    expect(parseOptions([], { MCP_HTTP_PORT: '9000' }).port).toBe(9000);
    expect(parseOptions([], {}).port).toBeUndefined();
  });

  it('opens a port for Emacs only when it is asked for, by option or by both variables', () => {
    expect(parseOptions(['--swank-port', '4005'], { START_SWANK: 'false' }).ports.swank).toBe(4005);
    expect(parseOptions([], { START_SWANK: 'true', SWANK_PORT: '4200' }).ports.swank).toBe(4200);
    for (const env of [
      {},
      { SWANK_PORT: '4200' },
      { START_SWANK: 'true' },
      { START_SWANK: 'true', SWANK_PORT: '' },
    ])
      expect(parseOptions([], env).ports.swank, JSON.stringify(env)).toBeUndefined();
    expect(() => parseOptions(['--swank-port', 'x'], {})).toThrow(/--swank-port x/);
  });

  it('opens the port of the ACL2 Bridge only when the option asks for it', () => {
    expect(parseOptions(['--bridge-port', '55433'], {}).ports.bridge).toBe(55_433);
    expect(parseOptions([], { BRIDGE_PORT: '55433' }).ports.bridge).toBeUndefined();
    expect(() => parseOptions(['--bridge-port', '-1'], {})).toThrow(HarborError);
  });

  it('opens the port of Lisply when the option asks for it, or its variables do', () => {
    expect(parseOptions(['--lisply-port', '9081'], {}).ports.lisply).toBe(9081);
    expect(parseOptions([], { START_HTTP: 'true', HTTP_PORT: '9080' }).ports.lisply).toBe(9080);
    expect(parseOptions([], { HTTP_PORT: '9080' }).ports.lisply).toBeUndefined();
    expect(parseOptions([], { START_HTTP: 'false', HTTP_PORT: '9080' }).ports.lisply).toBeUndefined();
    expect(() => parseOptions(['--lisply-port', 'x'], {})).toThrow(/--lisply-port x/);
  });

  it('takes a prefix for the paths of Lisply with or without its slashes', () => {
    expect(parseOptions([], {}).lisplyPrefix).toBe('lisply');
    expect(parseOptions(['--lisply-prefix', '/x/'], {}).lisplyPrefix).toBe('x');
    expect(parseOptions(['--lisply-prefix', 'a/b'], {}).lisplyPrefix).toBe('a/b');
    for (const prefix of ['', '/', 'mcp', 'health/x', 'a//b', 'a b', '?'])
      expect(() => parseOptions(['--lisply-prefix', prefix], {})).toThrow(/--lisply-prefix/);
  });

  it('refuses an unknown option by its name and shows those there are', () => {
    expect(() => parseOptions(['--prot', '1'], {})).toThrow(/--prot[\s\S]*--port N/);
    expect(() => parseOptions(['stray'], {})).toThrow(HarborError);
  });

  it('refuses values that cannot be meant', () => {
    expect(() => parseOptions(['--port', '70000'], {})).toThrow(/70000/);
    expect(() => parseOptions(['--engine', 'scheme'], {})).toThrow(/sbcl/);
    for (const option of ['--project', '--books'])
      expect(() => parseOptions([option, '/no/such/folder'], {})).toThrow(
        `${option} /no/such/folder is not a folder`,
      );
  });

  it('takes names of trust tags with commas between', () => {
    expect(parseOptions(['--trust-tags', 'read-string, :oslib,'], {}).trustTags).toEqual([
      'read-string',
      ':oslib',
    ]);
    expect(parseOptions([], {}).trustTags).toEqual([]);
    expect(() => parseOptions(['--trust-tags', 'oslib,(all)'], {})).toThrow('--trust-tags (all)');
  });

  it('makes folders absolute', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-options-'));
    const relative = path.relative(process.cwd(), folder);
    expect(parseOptions(['--project', relative, '--books', relative], {})).toMatchObject({
      project: folder,
      books: folder,
    });
    expect(parseOptions([], {}).books).toBeUndefined();
  });

  it('shares its command line with Chromium in the app, not in Electron run as Node', () => {
    const versions = { electron: '45.0.0' };
    expect(isElectronApp({ versions, env: {} })).toBe(true);
    expect(isElectronApp({ versions, env: { ELECTRON_RUN_AS_NODE: '1' } })).toBe(false);
    expect(isElectronApp({ versions: {}, env: {} })).toBe(false);
  });

  it('passes over what belongs to Chromium or its driver, also when it looks like a value of ours', () => {
    const argv = ['/clone', '--no-sandbox', '--user-data-dir=/x', '--inspect=0', '--data', '/d', '--hidden'];
    const options = parseOptions(argv, {}, true);
    expect(options).toMatchObject({ data: '/d', hidden: true, port: undefined });
  });
});
