/**
 * Code in an image passes descriptors (SCM_RIGHTS, unix(7)) over each socket that it has: the harbor receives none
 * of them and no file stays open, and what was written with them is ordinary text.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { outcome } from '../integration/launch-place';
import { PATIENT, temporaryFolder } from '../started-harbor';
import { defaultList } from './confined-session';
import { NOTHING, SANDBOXES } from './launchers';
import { called } from './scripts';

/** Sends `x` a hundred times, each with 100 descriptors of `kept`, over descriptors 1 to 3. */
const PASSING = `
open(my $kept, "<", "kept") or die "kept: $!";
my @fds = map { open(my $f, "<&", $kept) or die "dup: $!"; $f } 1..100;
my $rights = pack("Qll l100", 16 + 400, 1, 1, map { fileno $_ } @fds);
my $text = "x";
my $piece = pack("PQ", $text, 1);
for my $socket (1, 2, 3) {
  for (1..100) {
    my $message = pack("QQPQPQQ", 0, 0, $piece, 1, $rights, length $rights, 0);
    ${called([46, 211], '$socket, $message, 0')} == 1 or print STDERR "refused: $!\\n";
  }
}
`;

const open = () => readdirSync('/proc/self/fd').length;

describe.each([...SANDBOXES, NOTHING])('in $name', ({ launcher: choose }) => {
  it('no descriptor is passed to the harbor', async () => {
    const launcher = await choose();
    const root = temporaryFolder('descriptors');
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const [project, home, data] = ['project', 'home', 'data'].map((name) => path.join(root, name)) as [
      string,
      string,
      string,
    ];
    for (const folder of [project, home, data]) mkdirSync(folder);
    writeFileSync(path.join(project, 'kept'), 'kept');
    writeFileSync(path.join(project, 'pass.pl'), PASSING);
    const before = open();
    const perl = { command: '/usr/bin/perl', args: ['pass.pl'], env: { PATH: '/usr/bin:/bin' } };
    const launched = launcher.launch(
      { ...perl, cwd: project, needs: [] },
      defaultList({ home, data }).confinement(project),
    );
    const { stdout, stderr } = await outcome(launched);
    // Where the descriptor is a pipe, nothing can be passed.
    expect(stdout + stderr).toMatch(/x|refused/);
    await expect.poll(open, PATIENT).toBeLessThanOrEqual(before);
  });
});
