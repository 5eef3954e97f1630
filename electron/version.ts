/** The app's version, from package.json, taken into the bundle when it is built. */
import packageJson from '../package.json' with { type: 'json' };

export const VERSION: string = packageJson.version;
