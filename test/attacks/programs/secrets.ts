/** Reads personal data in the home folder, in addition to the known secrets of `home-in-project.test.ts`. */
import { attacks } from '../attack';
import { reads } from '../scripts';

/** Relative to the home folder. */
export const HOME_FILES = [
  ...['.ssh/id_decoy', '.bashrc', '.profile', '.zshrc', '.gitconfig', '.config/hub', '.sbclrc'],
  ...['.bash_history', '.zsh_history', '.local/share/fish/fish_history', '.python_history', '.psql_history'],
  ...['.node_repl_history', '.slime-history.eld', '.lesshst', '.viminfo', '.local/share/recently-used.xbel'],
  ...['.Xauthority', '.ICEauthority', '.mozilla/firefox/decoy/key4.db', '.aws/credentials', '.kube/config'],
] as const;

export const SECRETS = attacks(
  'a decoy is read',
  HOME_FILES.map((file) => [`reads ~/${file}`, ({ home }) => reads(`${home}/${file}`)]),
);
