/** Reads or lists what is outside the project. */
import path from 'node:path';
import { attacks } from '../attack';
import { type Call, called, got, lists, perl, reads } from '../scripts';

/** Names are visible under Landlock, by any method. */
const SEEN = { open: { Landlock: 'names of files and processes are visible' } };

const GETXATTR: Call = [191, 8];
const LGETXATTR: Call = [192, 9];
const OPENAT2: Call = [437, 437];
const INOTIFY_INIT: Call = [294, 26];
const INOTIFY_ADD: Call = [254, 27];

/** The attribute of the decoys. */
export const ATTRIBUTE = 'user.decoy';

const attributeOf = (file: string, call: Call) =>
  perl(
    `my $b = " " x 64; my $r = ${called(call, `"${file}", "${ATTRIBUTE}", $b, 64`)}; print $r > 0 ? "ESCAPED\\n" : $! == 95 || $! == 61 ? "LACKING\\n" : ""`,
  );

/** struct open_how, 24 bytes: flags, mode and resolve. */
const openedAnew = (file: string) =>
  perl(
    `my $how = pack("QQQ", 0, 0, 0); my $r = ${called(OPENAT2, `-100, "${file}", $how, 24`)}; print "ESCAPED\\n" if $r >= 0`,
  );

/** Opens with O_PATH, which needs no permission, and then through that descriptor. */
const openedByName = (file: string) =>
  perl(
    `my $fd = ${called([257, 56], `-100, "${file}", 010000000, 0`)}; open(my $f, "<", "/proc/self/fd/$fd") or exit; print "ESCAPED\\n" if defined getc $f`,
  );

const watched = (folder: string) =>
  perl(
    `my $w = ${called(INOTIFY_INIT, '0')}; print "ESCAPED\\n" if ${called(INOTIFY_ADD, `$w, "${folder}", 0x100`)} >= 0`,
  );

export const READING = attacks('a decoy is read', [
  ['reads who uses this computer', () => reads('/etc/passwd')],
  ['reads the shadow file', () => reads('/etc/shadow'), { takes: 'CAP_DAC_OVERRIDE' }],
  ['reads an SSH key by ..', ({ project }) => reads(`${project}/../home/.ssh/id_decoy`)],
  ['reads an SSH key by a link in the home folder', ({ home }) => reads(`${home}/key`)],
  ['lists the home folder', ({ home }) => lists(home)],
  ['reads the bridge secret', ({ data }) => reads(`${data}/bridge.secret`)],
  ['reads the settings', ({ data }) => reads(`${data}/settings.json`)],
  ['reads the history', ({ data }) => reads(`${data}/history.db`)],
  ['reads another session’s folder', ({ data }) => reads(`${data}/sessions/other/home/file`)],
  ['lists what sessions there are', ({ data }) => got(`ls -A ${data}/sessions | grep -q other`)],
  ['reads beside the project', ({ outside }) => reads(`${outside}/kept`)],
  ['lists what is beside the project', ({ outside }) => lists(outside)],
  ['reads a project that begins alike', ({ project }) => reads(`${project}-2/kept`)],
  ['reads through a symbolic link', ({ outside }) => `ln -s ${outside} way-out; ${reads('way-out/kept')}`],
  [
    'reads through a link to a link',
    ({ outside }) => `ln -s ${outside} one; ln -s one two; ${reads('two/kept')}`,
  ],
  [
    'reads by .. behind a link',
    ({ outside }) => `ln -s ${outside} way; ${reads('way/../../home/.ssh/id_decoy')}`,
  ],
  ['reads through a hard link', ({ outside }) => got(`ln ${outside}/kept hard && cat hard`)],
  [
    'reads from its working folder upwards',
    ({ work, outside }) => reads(`/proc/self/cwd/${path.relative(work, outside)}/kept`),
  ],
  ['reads from the root of its own process', ({ outside }) => reads(`/proc/self/root${outside}/kept`)],
  ['reads from a folder that it enters', ({ outside }) => `cd ${outside} && ${reads('kept')}`],
  ['reads what it opens by a newer call', ({ outside }) => openedAnew(`${outside}/kept`)],
  ['reads what it opened as a name alone', ({ outside }) => openedByName(`${outside}/kept`)],
  [
    'reads an attribute of a file outside',
    ({ outside }) => attributeOf(`${outside}/kept`, GETXATTR),
    { mayLack: true },
  ],
  [
    'reads an attribute without following links',
    ({ outside }) => attributeOf(`${outside}/kept`, LGETXATTR),
    { mayLack: true },
  ],
  ['runs a program outside', ({ home }) => `${home}/.local/bin/decoy`],
  ['runs a script outside as its own', ({ home }) => `. ${home}/.local/bin/decoy`],
  [
    'reads the kernel’s log',
    () => `[ -e /dev/kmsg ] || echo LACKING; ${got('(exec 9</dev/kmsg)')}`,
    { takes: 'CAP_SYSLOG', mayLack: true },
  ],
  [
    'reads the memory of the kernel',
    () => opensToRead('/proc/kcore'),
    { takes: 'CAP_SYS_ADMIN', mayLack: true },
  ],
  [
    'reads the messages of the kernel',
    () => opensToRead('/proc/kmsg'),
    { takes: 'CAP_SYSLOG', mayLack: true },
  ],
]);

function opensToRead(file: string): string {
  return `[ -e ${file} ] || echo LACKING; ${got(`(exec 9<${file})`)}`;
}

export const READING_PROCESSES = attacks('a decoy is read', [
  ['reads the environment of a process outside', ({ victim }) => reads(`/proc/${victim.pid}/environ`)],
  ['reads the command line of a process outside', ({ victim }) => reads(`/proc/${victim.pid}/cmdline`)],
  ['reads the memory map of a process outside', ({ victim }) => reads(`/proc/${victim.pid}/maps`)],
  ['opens the memory of a process outside', ({ victim }) => opensToRead(`/proc/${victim.pid}/mem`)],
  [
    'reads through the root of a process',
    ({ victim }) => reads(`/proc/${victim.pid}/root${victim.folder}/kept`),
  ],
  ['reads in the working folder of a process', ({ victim }) => reads(`/proc/${victim.pid}/cwd/kept`)],
  ['reads what a process has open', ({ victim }) => reads(`/proc/${victim.pid}/fd/${victim.descriptor}`)],
  ['lists what a process has open', ({ victim }) => lists(`/proc/${victim.pid}/fd`)],
  ['runs the program of a process outside', ({ victim }) => got(`/proc/${victim.pid}/exe -e 1`)],
  ['reads the harbor’s environment', ({ harbor }) => reads(`/proc/${harbor}/environ`)],
  ['reads the harbor’s memory map', ({ harbor }) => reads(`/proc/${harbor}/maps`)],
  ['lists what the harbor has open', ({ harbor }) => lists(`/proc/${harbor}/fd`)],
]);

export const SEEING = attacks('what is outside is seen', [
  ['sees processes outside', ({ victim }) => got(`test -e /proc/${victim.pid}/status`), SEEN],
  ['sees that a file outside is there', ({ outside }) => got(`test -e ${outside}/kept`), SEEN],
  ['sees how large a file outside is', ({ outside }) => got(`test -s ${outside}/kept`), SEEN],
  ['sees where a link outside leads', ({ home }) => got(`readlink ${home}/key`), SEEN],
  ['hears when files outside change', ({ outside }) => watched(outside)],
  [
    'learns to which group a process outside belongs',
    ({ victim }) => perl(`print "ESCAPED\\n" if getpgrp(${victim.pid}) > 0`),
    SEEN,
  ],
]);
