/** `npm run pictures`: a picture of every view in test-results/pictures. */
import { installPackages } from './apt.mjs';
import { ensureBuild } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { readyElectron } from './electron-ready.mjs';
import { root } from './places.mjs';
import { displayPrograms, runPlaywright } from './playwright.mjs';
import { endWith } from './setup-error.mjs';
import { missingPrograms } from './system-packages.mjs';

await endWith(async () => {
  await ensureDependencies(root);
  await installPackages(missingPrograms([...displayPrograms, 'sbcl']));
  await ensureBuild(root);
  const electron = await readyElectron(root);
  return runPlaywright('test/pictures.config.ts', {
    cwd: root,
    env: { ...process.env, ELECTRON_BIN: electron },
  });
});
