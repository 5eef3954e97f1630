/** Around all tests of the package: it is made and installed before them, and gone after them. */
import { ensureInstalled, makePackage, uninstall } from './package-files';

export default function begin(): () => void {
  makePackage();
  uninstall();
  ensureInstalled();
  return uninstall;
}
