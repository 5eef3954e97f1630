/** Configuration files that are symbolic links. */
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { config, connect, entry, NAME, newForEachTest, root, viewed, write } from './connect-fixture';

newForEachTest();

describe('symbolic links', () => {
  it('are followed and stay links', async () => {
    const dotfile = join(root, 'dotfiles', 'claude.json');
    write('{"a":1}', dotfile);
    mkdirSync(dirname(config), { recursive: true });
    symlinkSync('../../dotfiles/claude.json', config);
    await connect().add(NAME);
    expect(readlinkSync(config)).toBe('../../dotfiles/claude.json');
    expect(entry(dotfile)).toBeDefined();
    expect(readdirSync(dirname(dotfile))).toEqual(['claude.json']);
    await connect().remove(NAME);
    expect(readFileSync(dotfile, 'utf8')).toBe('{"a":1}');
    expect(readlinkSync(config)).toBe('../../dotfiles/claude.json');
  });

  it('whose target does not exist yet get one', async () => {
    const dotfile = join(root, 'dotfiles', 'claude.json');
    mkdirSync(dirname(config), { recursive: true });
    symlinkSync(dotfile, config);
    await connect().add(NAME);
    expect(entry(dotfile)).toBeDefined();
    await connect().remove(NAME);
    expect(existsSync(dirname(dotfile))).toBe(false);
    expect(readlinkSync(config)).toBe(dotfile);
  });

  it('in a circle are unreadable', async () => {
    mkdirSync(dirname(config), { recursive: true });
    symlinkSync('claude_desktop_config.json', config);
    expect(await viewed()).toMatchObject({ state: 'unreadable', detail: expect.stringContaining('loop') });
  });
});
