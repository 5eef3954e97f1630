/** Which file an app:// address names. Pure, so that every way out of the bundle's folder can be tried in a test. */
import path from 'node:path';
import { isAppUrl } from './origin';

/** The absolute path below `folder` that the address asks for, or null when it asks for anything else. */
export function bundleFile(folder: string, address: string): string | null {
  if (!isAppUrl(address)) return null;
  const name = decoded(new URL(address).pathname);
  if (name === null || /[\0\\]|\/$/.test(name)) return null;
  const file = path.resolve(folder, `.${name}`);
  return file.startsWith(folder + path.sep) ? file : null;
}

function decoded(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return null;
  }
}
