import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { HarborError } from '../../electron/contract/errors';
import { isElectronApp, parseOptions } from '../../electron/options';

describe('options', () => {
  it('takes options before the environment', () => {
    expect(parseOptions(['--port', '0'], { MCP_HTTP_PORT: '9000' }).port).toBe(0);
    expect(parseOptions([], { MCP_HTTP_PORT: '9000' }).port).toBe(9000);
    expect(parseOptions([], {}).port).toBeUndefined();
  });

  it('opens a port for Emacs only when it is asked for, by option or by both variables', () => {
    expect(parseOptions(['--swank-port', '4005'], { START_SWANK: 'false' }).swankPort).toBe(4005);
    expect(parseOptions([], { START_SWANK: 'true', SWANK_PORT: '4200' }).swankPort).toBe(4200);
    for (const env of [
      {},
      { SWANK_PORT: '4200' },
      { START_SWANK: 'true' },
      { START_SWANK: 'true', SWANK_PORT: '' },
    ])
      expect(parseOptions([], env).swankPort, JSON.stringify(env)).toBeUndefined();
    expect(() => parseOptions(['--swank-port', 'x'], {})).toThrow(/--swank-port x/);
  });

  it('opens the port of the ACL2 Bridge only when the option asks for it', () => {
    expect(parseOptions(['--bridge-port', '55433'], {}).bridgePort).toBe(55_433);
    expect(parseOptions([], { BRIDGE_PORT: '55433' }).bridgePort).toBeUndefined();
    expect(() => parseOptions(['--bridge-port', '-1'], {})).toThrow(HarborError);
  });

  it('refuses an unknown option by its name and shows those there are', () => {
    expect(() => parseOptions(['--prot', '1'], {})).toThrow(/--prot[\s\S]*--port N/);
    expect(() => parseOptions(['stray'], {})).toThrow(HarborError);
  });

  it('refuses values that cannot be meant', () => {
    expect(() => parseOptions(['--port', '70000'], {})).toThrow(/70000/);
    expect(() => parseOptions(['--engine', 'scheme'], {})).toThrow(/sbcl/);
    expect(() => parseOptions(['--project', '/no/such/folder'], {})).toThrow(/not a folder/);
  });

  it('makes folders absolute', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-options-'));
    expect(parseOptions(['--project', path.relative(process.cwd(), folder)], {}).project).toBe(folder);
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
