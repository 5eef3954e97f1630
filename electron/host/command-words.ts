/** The command line that this process was started with, before anything is made of it. */

/** Whether this is Electron with Chromium in it, which reads the same command line; not Electron run as Node. */
export function isElectronApp({
  versions,
  env,
}: {
  versions: { electron?: string };
  env: NodeJS.ProcessEnv;
}): boolean {
  return versions.electron !== undefined && !env.ELECTRON_RUN_AS_NODE;
}

/** The words after the program's own name, whether that is an installed app, Electron or Node with a script. */
export function commandLine(from: NodeJS.Process): string[] {
  // Electron sets defaultApp when it was given an app to run, as from a clone.
  const installed = isElectronApp(from) && !Reflect.has(from, 'defaultApp');
  return from.argv.slice(installed ? 1 : 2);
}
