/** Words to a line that a person can paste into a shell. Pure. */

const PLAIN_WORD = /^[\w\-+=:.,/@]+$/;
const PLAIN_WINDOWS_WORD = /^[\w\-+=:.,/\\]+$/;

/** Quotes for POSIX shells, or for cmd.exe and PowerShell on Windows, and only where a word needs it. */
export function shellLine(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map(platform === 'win32' ? windowsWord : posixWord).join(' ');
}

function posixWord(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function windowsWord(word: string): string {
  return PLAIN_WINDOWS_WORD.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`;
}
