/** The file by which desktops start the app at login. Pure. */

/** By this key it is known as ours. */
const OURS = 'X-Lisp-Harbor=true';

/** https://specifications.freedesktop.org/desktop-entry-spec/latest/ */
export function autostartEntry(command: readonly string[]): string {
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Lisp Harbor',
    'Comment=Lisp images for people and their AI agents',
    `Exec=${command.map(execWord).join(' ')}`,
    'Icon=lisp-harbor',
    'Terminal=false',
    OURS,
  ];
  return `${lines.join('\n')}\n`;
}

export function isAutostartEntry(text: string): boolean {
  return text.split('\n').includes(OURS);
}

/** Quoted, with a doubled percent sign, which would begin a field code; then escaped once more as the value of any key. */
function execWord(word: string): string {
  const quoted = `"${word.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;
  return quoted.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
