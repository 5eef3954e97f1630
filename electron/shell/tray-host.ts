/** Whether anything shows a tray icon. Only Linux desktops may have nothing that does. */
import { runAlone } from '../host/child-process';

const WATCHER = 'org.kde.StatusNotifierWatcher';
const BUS = 'org.freedesktop.DBus';

/** The two programs that ask the session bus, of which a desktop has at least one; both print `true` or `false`. */
const QUESTIONS: readonly [string, string[]][] = [
  [
    'gdbus',
    ['call', '--session', '-d', BUS, '-o', '/org/freedesktop/DBus', '-m', `${BUS}.NameHasOwner`, WATCHER],
  ],
  [
    'dbus-send',
    [
      '--session',
      '--print-reply',
      `--dest=${BUS}`,
      '/org/freedesktop/DBus',
      `${BUS}.NameHasOwner`,
      `string:${WATCHER}`,
    ],
  ],
];

/**
 * True when a tray icon is seen. Electron makes a Tray on any desktop and never says whether one shows it, so on
 * Linux the session bus is asked for the StatusNotifier watcher
 * (https://www.freedesktop.org/wiki/Specifications/StatusNotifierItem/). When nobody answers, there is none.
 */
export async function trayIsShown(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  for (const [program, args] of QUESTIONS) {
    const answer = await output(program, args);
    if (answer !== null) return answer.includes('true');
  }
  return false;
}

/** Standard output of a program that ended well, else null. */
function output(program: string, args: string[]): Promise<string | null> {
  return runAlone(program, args, { timeout: 2000 }).then(
    ({ stdout }) => stdout,
    () => null,
  );
}
