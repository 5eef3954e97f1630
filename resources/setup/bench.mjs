/** `npm run bench`: the measurements of test/bench, against the built harbor, in Electron's Node. */
import { ensureBuild } from './build.mjs';
import { handOver } from './child.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { readyElectron } from './electron-ready.mjs';
import { root } from './places.mjs';
import { endWith } from './setup-error.mjs';

await endWith(async () => {
  await ensureDependencies(root);
  await ensureBuild(root);
  const electron = await readyElectron(root);
  return handOver(electron, ['test/bench/bench.ts', ...process.argv.slice(2)], {
    cwd: root,
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
});
