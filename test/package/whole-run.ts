/** Around all tests of the package: it is made and installed before them, and gone after them. */
import { ensureInstalled, installedVersion, makePackage, uninstall } from './package-files';

export default function begin(): () => void {
  makePackage();
  if (installedVersion() !== undefined) uninstall();
  ensureInstalled();
  return uninstall;
}
