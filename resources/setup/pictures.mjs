/** `npm run pictures`: writes a screenshot of every view to test-results/pictures. */
import { root } from './checkout.mjs';
import { endWith } from './console.mjs';
import { readyElectron } from './electron.mjs';
import { ensureBuild, ensureDependencies } from './prepare.mjs';
import { installPackages, missingPrograms } from './system-packages.mjs';
import { displayPrograms, runPlaywright } from './test-runs.mjs';

await endWith(async () => {
  await ensureDependencies(root, 'all');
  await installPackages(missingPrograms([...displayPrograms, 'sbcl']));
  await ensureBuild(root);
  const electron = await readyElectron(root);
  return runPlaywright('test/pictures.config.ts', {
    cwd: root,
    env: { ...process.env, ELECTRON_BIN: electron },
  });
});
