/** `health-check`: whether the harbor answers, through its socket and over HTTP. */
import { HarborError } from '../contract/errors';
import { VERSION } from '../host/places';
import { runningHarbor, type Subcommand } from './subcommand';

export const healthCheck: Subcommand = {
  usage: '[--data DIR]',
  about: 'exits with 0 when the harbor of the data folder answers, with 1 when it does not',
  positionals: 0,
  takes: ['data'],
  async run({ folder, say }) {
    const { url, pid, kind, sessions } = await runningHarbor(folder).summary();
    if (url === null)
      throw new HarborError('internal', `The harbor (process ${pid}) runs, but does not listen for HTTP.`);
    const { status, version } = await health(url);
    const count = sessions.length === 1 ? '1 session' : `${sessions.length} sessions`;
    say(`${status}: ${url}, version ${version}, ${kind}, process ${pid}, ${count}`);
    // A package manager replaces the files of a harbor that runs, and this command with them.
    if (version !== VERSION)
      say(
        `Version ${VERSION} is installed. "lisp-harbor stop" ends the one that runs, whose sessions fall asleep; the next start is the other.`,
      );
    return 0;
  },
};

/** What the address next to that of MCP says. @throws HarborError when nothing sound comes */
async function health(url: string): Promise<{ status: string; version: string }> {
  const place = new URL('/health', url);
  try {
    const response = await fetch(place);
    if (response.ok) return (await response.json()) as { status: string; version: string };
    throw new Error(`HTTP ${response.status}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HarborError('internal', `${place.href} does not answer: ${reason}.`);
  }
}
