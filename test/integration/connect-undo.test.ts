/** Disconnecting after the program rewrote its file: our entry goes, and nothing else. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { config, connect, entry, folder, NAME, newForEachTest, state, write } from './connect-fixture';

newForEachTest();

describe('undo after the program rewrote its file', () => {
  it('cuts our entry only, and keeps a backup of what was there', async () => {
    write('{"a":1}');
    await connect().add(NAME);
    const rewritten = `${JSON.stringify({ ...JSON.parse(readFileSync(config, 'utf8')), added: true }, null, 4)}\n`;
    write(rewritten);
    expect((await connect().remove(NAME)).state).toBe('ready');
    expect(readFileSync(config, 'utf8')).toBe('{\n    "a": 1,\n    "added": true\n}\n');
    const backups = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(backups.sort()).toEqual(['{"a":1}', rewritten].sort());
  });

  it('keeps an mcpServers that was there before us', async () => {
    write('{"mcpServers":{}}');
    await connect().add(NAME);
    write(`${readFileSync(config, 'utf8')}\n`);
    await connect().remove(NAME);
    expect(readFileSync(config, 'utf8')).toBe('{"mcpServers":{}}\n');
  });

  it.each(['lost', 'changed'])('does not trust a backup that was %s', async (fate) => {
    write('{"a":1}');
    await connect().add(NAME);
    const [backup = ''] = readdirSync(folder).filter((name) => name.endsWith('.backup'));
    if (fate === 'lost') rmSync(join(folder, backup));
    else writeFileSync(join(folder, backup), '{"a":2}');
    await connect().remove(NAME);
    expect(readFileSync(config, 'utf8')).toBe('{"a":1}');
  });

  it('works by the shape of the entry when the records are lost', async () => {
    write('{"a":1,"mcpServers":{"b":{}}}');
    await connect().add(NAME);
    rmSync(folder, { recursive: true });
    expect(await state()).toBe('connected');
    await connect().remove(NAME);
    expect(readFileSync(config, 'utf8')).toBe('{"a":1,"mcpServers":{"b":{}}}');
  });

  it('works by the shape of the entry when the record is damaged', async () => {
    await connect().add(NAME);
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{');
    expect((await connect().remove(NAME)).state).toBe('ready');
    expect(entry()).toBeUndefined();
  });
});
