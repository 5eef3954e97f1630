/** Tries a sandbox once, with every option that an image is started with. Where it fails, it says what to do. */
import { text } from 'node:stream/consumers';
import type { Launched, Launcher } from './launcher';

export type Probe = { ok: true } | { ok: false; reason: string };

/** `reason` is one or two sentences for people: the sandbox's own message and the remedy. */
export async function probe(launcher: Launcher): Promise<Probe> {
  const launched = launcher.launch(
    { command: '/usr/bin/env', args: ['true'], env: { PATH: '/usr/bin:/bin' }, cwd: '/', needs: [] },
    { writable: [], readable: [], network: false },
  );
  const said = text(launched.stderr);
  const end = await launched.ended;
  if (end.code === 0) return { ok: true };
  const message = (await said).trim();
  const { launcher: name } = launcher.sandbox;
  const reason =
    name === 'bubblewrap'
      ? refusal(end, message)
      : `${name} does not work here (${message || end.error || 'it says nothing'})`;
  return { ok: false, reason };
}

/** What became of the trial, as a person needs to hear it. */
export function refusal(end: Awaited<Launched['ended']>, said: string): string {
  if (end.error?.includes('ENOENT')) {
    return 'bubblewrap is not installed; on Debian and Ubuntu: apt install bubblewrap';
  }
  const message = said || end.error || `bwrap ended with ${end.signal ?? `code ${end.code ?? '(unknown)'}`}`;
  return `bubblewrap does not work here (${message})${remedy(message)}`;
}

function remedy(message: string): string {
  if (/unknown option/i.test(message)) return '; version 0.8 or later is needed';
  if (/uid map|RTM_NEWADDR|new namespace|Operation not permitted|Permission denied/i.test(message)) {
    return (
      '; where Ubuntu restricts user namespaces: apt install apparmor-profiles, copy' +
      ' /usr/share/apparmor/extra-profiles/bwrap-userns-restrict into /etc/apparmor.d and load it with' +
      ' apparmor_parser -r'
    );
  }
  return '';
}
