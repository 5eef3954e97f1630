/**
 * Questions to the session bus of a Linux desktop. They go through a program beside us: what answers on the bus may hang, and
 * then Electron's own calls would hold up the whole harbor, 25 seconds each.
 */
import { runAlone } from '../host/child-process';

export interface BusMethod {
  /** The name of who is asked, such as `org.freedesktop.Notifications`; its object's path has the same parts. */
  service: string;
  method: string;
  /** One text at most. */
  argument?: string;
}

/** Milliseconds for an answer. */
const PATIENCE_MS = 2000;

/** What a method answers, as a program prints it; null when nobody answers in time, or there is no bus. */
export async function askSessionBus(asked: BusMethod): Promise<string | null> {
  for (const [program, args] of questions(asked)) {
    const answer = await output(program, args);
    if (answer !== null) return answer;
  }
  return null;
}

/** By the two programs that ask the session bus, of which a desktop has at least one. */
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

/** Standard output of a program that ended well, else null. */
function output(program: string, args: string[]): Promise<string | null> {
  return runAlone(program, args, { timeout: PATIENCE_MS }).then(
    ({ stdout }) => stdout,
    () => null,
  );
}
