/** What code in a confined nbb can reach. */
import { readFile, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BubblewrapLauncher, readHostLayout } from '../../electron/launchers/bubblewrap';

import { ROOT } from '../started-harbor';
import { evaluate, folder, IMAGE_FILE, newForEachTest, project, start } from './nbb-fixture';

newForEachTest();

describe('nbb in a sandbox', () => {
  it('reads and writes its project, and nothing else', async () => {
    const image = await start(new BubblewrapLauncher(readHostLayout()));
    await writeFile(path.join(project, 'data.txt'), 'mine');
    await writeFile(path.join(folder, 'secret.txt'), 'secret');
    const allowed = await evaluate(
      image,
      `(require '["node:fs" :as fs]) (fs/writeFileSync "new.txt" "made") (str (fs/readFileSync "data.txt"))`,
    );
    expect(allowed).toMatchObject({ outcome: 'ok', condition: null });
    expect(allowed.values.at(-1)).toBe('"mine"');
    expect(await readFile(path.join(project, 'new.txt'), 'utf8')).toBe('made');
    for (const code of [
      '(fs/readFileSync "/etc/passwd")',
      `(fs/readFileSync "${folder}/secret.txt")`,
      '(fs/writeFileSync "/usr/made" "")',
      `(fs/writeFileSync "${IMAGE_FILE}" "")`,
    ]) {
      expect((await evaluate(image, code)).condition?.message, code).toMatch(/ENOENT|EROFS|EACCES/);
    }
    const home = process.env.HOME ?? '/root';
    const [toApp = ''] = path.relative(home, ROOT).split(path.sep);
    const listed = await evaluate(image, `(try (vec (fs/readdirSync "${home}")) (catch :default _ []))`);
    // Of the home folder, only the path to the app is visible, if the app is in it.
    expect(listed.values.at(-1)).toMatch(toApp === '..' ? /^\[\]$/ : new RegExp(`^\\[(?:"${toApp}")?\\]$`));
  });

  it('reaches no network', async () => {
    const server = net.createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const image = await start(new BubblewrapLauncher(readHostLayout()));
    const code = `(require '["node:net" :as net])
      (js/Promise. (fn [resolve] (let [s (net/connect ${port} "127.0.0.1")]
        (.on s "connect" #(resolve "connected")) (.on s "error" #(resolve (.-code %))))))`;
    expect((await evaluate(image, code)).values.at(-1)).toBe('"ECONNREFUSED"');
  });
});
