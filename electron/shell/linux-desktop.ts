/**
 * Linux desktop integration. D-Bus queries run in a subprocess: a service that hangs would block Electron's
 * own calls, and the whole app, for 25 seconds each.
 */
import { runAlone } from '../host/child-process';
import { system } from '../host/system';

interface BusMethod {
  /** Name of the service, such as `org.freedesktop.Notifications`. Its object path has the same parts. */
  service: string;
  method: string;
  /** At most one string argument. */
  argument?: string;
}

/** Timeout of an answer in milliseconds. */
const ANSWER_TIMEOUT_MS = 2000;

/** Returns the answer of a method as the program prints it; null after the timeout or without a bus. */
export async function querySessionBus(request: BusMethod): Promise<string | null> {
  for (const [program, args] of questions(request)) {
    const answer = await output(program, args);
    if (answer !== null) return answer;
  }
  return null;
}

/** Commands for the two programs that can query the session bus. A desktop has at least one of them. */
function questions({ service, method, argument }: BusMethod): [program: string, args: string[]][] {
  const path = `/${service.replaceAll('.', '/')}`;
  const given = argument === undefined ? [] : [argument];
  const called = `${service}.${method}`;
  return [
    ['gdbus', ['call', '--session', '-d', service, '-o', path, '-m', called, ...given]],
    [
      'dbus-send',
      [
        '--session',
        '--print-reply',
        `--dest=${service}`,
        path,
        called,
        ...given.map((text) => `string:${text}`),
      ],
    ],
  ];
}

/** Returns standard output of a program that succeeded, else null. */
function output(program: string, args: string[]): Promise<string | null> {
  return runAlone(program, args, { timeout: ANSWER_TIMEOUT_MS }).then(
    ({ stdout }) => stdout,
    () => null,
  );
}

const WATCHER = 'org.kde.StatusNotifierWatcher';

/**
 * Reports whether a tray icon is visible. Electron creates a Tray on any desktop and does not report whether
 * it is shown, so on Linux the session bus is asked for the StatusNotifier watcher
 * (https://www.freedesktop.org/wiki/Specifications/StatusNotifierItem/). Without an answer there is none.
 */
export async function trayIsShown(): Promise<boolean> {
  if (!system.hasSessionBus) return true;
  const request = { service: 'org.freedesktop.DBus', method: 'NameHasOwner', argument: WATCHER };
  return (await querySessionBus(request))?.includes('true') ?? false;
}

/** Marks an autostart file that the app wrote. */
const OURS = 'X-Lisp-Harbor=true';

/**
 * Returns the desktop entry that starts the app at login:
 * https://specifications.freedesktop.org/desktop-entry-spec/latest/
 */
export function autostartEntry(command: readonly string[]): string {
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Lisp Harbor',
    'Comment=Lisp images for people and their AI agents',
    // A desktop ignores the entry once the program is gone.
    `TryExec=${escaped(command[0] ?? '')}`,
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

/**
 * Quotes an argument for `Exec`: doubles percent signs, which start field codes, then escapes it as a value.
 */
function execWord(word: string): string {
  const quoted = `"${word.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;
  return escaped(quoted);
}

/** Escapes the value of a key. */
const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
