/** `npm run bench`: runs the benchmarks of test/bench against the built app, in Electron's Node. */
import { root } from './checkout.mjs';
import { handOver } from './child-process.mjs';
import { endWith } from './console.mjs';
import { readyElectron } from './electron.mjs';
import { ensureBuild, ensureDependencies } from './prepare.mjs';

await endWith(async () => {
  await ensureDependencies(root, 'all');
  await ensureBuild(root);
  const electron = await readyElectron(root);
  return handOver(electron, ['test/bench/bench.ts', ...process.argv.slice(2)], {
    cwd: root,
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
});
