/** Changes or creates files outside the project. */
import { attacks } from '../attack';
import { type Call, called, got, opens, perl, SETXATTR, writes } from '../scripts';
import { ATTRIBUTE } from './reading';

/** Works on all files of this user; Landlock reports this gap. */
const OWNERS = {
  open: { Landlock: 'permissions, owners and dates of all files of this user can be changed' },
};

const RENAMEAT2: Call = [316, 276];
const LINKAT: Call = [265, 37];

/** Swaps two names with renameat2(2). */
const exchanged = (one: string, other: string) =>
  perl(
    `my ($a, $b) = ("${one}", "${other}"); print "ESCAPED\\n" if ${called(RENAMEAT2, '-100, $a, -100, $b, 2')} == 0`,
  );

/** A file without a name (O_TMPFILE), which is then linked. */
const named = (name: string) =>
  perl(
    `my $fd = ${called([257, 56], '-100, ".", 020200001, 0600')}; my ($from, $to) = ("/proc/self/fd/$fd", "${name}"); print "ESCAPED\\n" if $fd >= 0 && ${called(LINKAT, '-100, $from, -100, $to, 0x400')} == 0`,
  );

const attributeSet = (file: string, attribute: string) =>
  perl(
    `my $v = "decoy"; my $r = ${called(SETXATTR, `"${file}", "${attribute}", $v, 5, 0`)}; print $r == 0 ? "ESCAPED\\n" : $! == 95 ? "LACKING\\n" : ""`,
  );

/** struct file_attr, 24 bytes, with the flag that excludes a file from backups. */
const flagsSet = (file: string) =>
  perl(
    `my $flags = pack("QL4", 0x80, 0, 0, 0, 0); my $r = ${called([469, 469], `-100, "${file}", $flags, 24, 0`)}; print $r == 0 ? "ESCAPED\\n" : $! == 38 || $! == 95 ? "LACKING\\n" : ""`,
  );

const bound = (file: string) =>
  perl(`socket(my $s, 1, 1, 0) or exit; print "ESCAPED\\n" if bind($s, pack("Sa*", 1, "${file}\\0"))`);

export const CHANGING = attacks('a decoy is changed', [
  ['changes what is kept', ({ outside }) => writes(`${outside}/kept`)],
  ['appends to what is kept', ({ outside }) => got(`echo decoy >> ${outside}/kept`)],
  ['empties what is kept', ({ outside }) => got(`: > ${outside}/kept`)],
  [
    'empties what is kept without opening it',
    ({ outside }) => perl(`print "ESCAPED\\n" if truncate("${outside}/kept", 0)`),
  ],
  ['opens what is kept for writing', ({ outside }) => opens(`${outside}/kept`)],
  ['removes a file outside', ({ outside }) => got(`rm ${outside}/kept`)],
  ['renames a file outside', ({ outside }) => got(`mv ${outside}/kept ${outside}/moved`)],
  ['takes a file from outside', ({ outside }) => got(`mv ${outside}/kept .`)],
  [
    'renames a folder outside',
    ({ outside }) => got(`mv ${outside} ${outside}-moved && mv ${outside}-moved ${outside}`),
  ],
  ['removes a folder outside', ({ outside }) => got(`rmdir ${outside}/empty`)],
  [
    'puts its own file in the place of one outside',
    ({ outside }) => got(`echo decoy > own; mv own ${outside}/kept`),
  ],
  [
    'changes its own file and one outside for each other',
    ({ outside }) => `echo decoy > own; ${exchanged('own', `${outside}/kept`)}`,
  ],
  ['writes through a symbolic link', ({ outside }) => `ln -s ${outside}/kept way; ${writes('way')}`],
  ['writes through a hard link', ({ outside }) => got(`ln ${outside}/kept hard && echo decoy > hard`)],
  ['writes in the working folder of a process', ({ victim }) => opens(`/proc/${victim.pid}/cwd/kept`)],
  ['writes to what a process has open', ({ victim }) => opens(`/proc/${victim.pid}/fd/${victim.descriptor}`)],
  [
    'writes through the root of a process',
    ({ victim }) => opens(`/proc/${victim.pid}/root${victim.folder}/kept`),
  ],
  ['changes permissions outside', ({ outside }) => got(`chmod 600 ${outside}/kept`), OWNERS],
  ['changes dates outside', ({ outside }) => got(`touch -d 2001-01-01 ${outside}/kept`), OWNERS],
  [
    'changes the owner of a file outside',
    ({ outside }) => got(`chown 1 ${outside}/kept`),
    { takes: 'CAP_CHOWN' },
  ],
  [
    'changes an attribute of a file outside',
    ({ outside }) => attributeSet(`${outside}/kept`, ATTRIBUTE),
    { mayLack: true },
  ],
  ['changes the flags of a file outside', ({ outside }) => flagsSet(`${outside}/kept`), { mayLack: true }],
  ['changes the history', ({ data }) => opens(`${data}/history.db`)],
  ['allows itself more', ({ data }) => opens(`${data}/settings.json`)],
  ['changes what the shell does', ({ home }) => opens(`${home}/.bashrc`)],
  ['changes what SBCL does', ({ home }) => opens(`${home}/.sbclrc`)],
  ['changes what Git does', ({ home }) => opens(`${home}/.gitconfig`)],
]);

export const MAKING = attacks('a file appears outside', [
  ['writes beside the project', ({ outside }) => writes(`${outside}/new`)],
  [
    'writes by ..',
    ({ work, outside }) => writes(`${work}/../../../outside/${outside.split('/').at(-1)}/new`),
  ],
  [
    'writes a new file through a linked folder',
    ({ outside }) => `ln -s ${outside} way; ${writes('way/new')}`,
  ],
  [
    'writes a new file through a dangling link',
    ({ outside }) => `ln -s ${outside}/new way; ${writes('way')}`,
  ],
  ['makes a folder outside', ({ outside }) => got(`mkdir ${outside}/made`)],
  ['makes a link outside', ({ outside }) => got(`ln -s /nowhere ${outside}/made`)],
  ['makes a hard link outside', ({ outside }) => got(`touch own; ln own ${outside}/made`)],
  ['makes a pipe outside', ({ outside }) => got(`mkfifo ${outside}/made`)],
  ['makes a socket outside', ({ outside }) => bound(`${outside}/made`)],
  ['gives a name outside to a file without one', ({ outside }) => named(`${outside}/made`)],
  [
    'unpacks an archive outside',
    ({ outside }) => got(`touch own; tar -cf own.tar own; tar -xf own.tar -C ${outside}`),
  ],
  [
    'unpacks an archive that names what is outside',
    ({ outside }) => `touch own; tar -cPf own.tar --transform 's|.*|${outside}/made|' own; tar -xPf own.tar`,
  ],
  [
    'writes through the working folder of a process',
    ({ victim }) => `${writes(`/proc/${victim.pid}/cwd/new`)}; rm -f /proc/${victim.pid}/cwd/new`,
  ],
  ['adds a key to those that may log in', ({ home }) => passing(`${home}/.ssh/authorized_keys`)],
  [
    'makes a program that starts when the person logs in',
    ({ home }) => passing(`${home}/.config/autostart-decoy`),
  ],
  ['puts a program among those of the person', ({ home }) => passing(`${home}/.local/bin/made`)],
  [
    'makes a session’s folder',
    ({ data }) => got(`cd ${data}/sessions/other && mkdir ../made && rmdir ../made`),
  ],
  [
    'writes among the system’s programs',
    () => passing('/usr/bin/lisp-harbor-decoy'),
    { takes: 'CAP_DAC_OVERRIDE' },
  ],
  [
    'writes among the system’s settings',
    () => passing('/etc/lisp-harbor-decoy'),
    { takes: 'CAP_DAC_OVERRIDE' },
  ],
  ['writes into the root', () => passing('/lisp-harbor-decoy'), { takes: 'CAP_DAC_OVERRIDE' }],
  ['writes into /var', () => passing('/var/tmp/lisp-harbor-decoy')],
  ['fills the memory behind /dev/shm', () => passing('/dev/shm/lisp-harbor-decoy')],
  ['fills the memory behind /run', () => passing('/run/lisp-harbor-decoy'), { takes: 'CAP_DAC_OVERRIDE' }],
  [
    'writes into a /tmp without bounds',
    () =>
      got('touch /tmp/decoy.$$ && rm /tmp/decoy.$$ && test $(df --output=size -k /tmp | tail -1) -gt 262144'),
  ],
]);

/** Writes a file that was unlinked. */
function passing(file: string): string {
  return got(`echo decoy > ${file} && rm ${file}`);
}
