/** Names with which a client may request paths outside its project from the file tools. */
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { Place } from './attack';

const beside = ({ project, outside }: Place) => path.relative(project, outside);

/** Disguised names of outside paths. */
export const HOSTILE_PATHS: readonly (readonly [why: string, file: (place: Place) => string])[] = [
  ['an absolute path', ({ outside }) => `${outside}/kept`],
  ['..', (place) => `${beside(place)}/kept`],
  ['.. after a folder that is there', (place) => `src/../${beside(place)}/kept`],
  ['.. after a folder that is not', (place) => `none/../${beside(place)}/kept`],
  ['.. after a link', ({ outside }) => `linked/../${path.basename(outside)}/kept`],
  ['many ..', () => '../../../../../../../../etc/passwd'],
  ['a linked folder', () => 'linked/kept'],
  ['a link to a link', () => 'linked-twice/kept'],
  ['a linked file', () => 'linked-file'],
  ['the root of a process', ({ outside }) => `root${outside}/kept`],
  ['/proc/self/root', ({ outside }) => `/proc/self/root${outside}/kept`],
  ['/proc/self/cwd', () => '/proc/self/cwd/package.json'],
  ['/dev/fd', () => '/dev/fd/0'],
  ['the harbor’s own environment', () => '/proc/self/environ'],
  ['slashes that are doubled', ({ outside }) => `/${outside}//kept`],
  ['a key', ({ home }) => `${home}/.ssh/id_decoy`],
  ['a key in another case', ({ home }) => `${home}/.SSH/ID_DECOY`],
  ['a key, with a character that is not seen', ({ home }) => `${home}/.s\u200bsh/id_decoy`],
  ['a key, as a full-width path', ({ home }) => `${home}\uff0f.ssh/id_decoy`],
  ['full-width dots', (place) => `${beside(place)}/kept`.replaceAll('.', '\uff0e')],
  ['two dots in one character', (place) => `${beside(place)}/kept`.replaceAll('..', '\u2025')],
  ['backslashes', (place) => `${beside(place)}/kept`.replaceAll('/', '\\')],
  ['a drive', () => 'C:\\Windows\\win.ini'],
  ['a device path of Windows', () => '\\\\?\\C:\\Windows\\win.ini'],
  ['another computer', () => '//server/share/kept'],
  ['a stream', () => 'own.lisp::$DATA'],
  ['a NUL', (place) => `own.lisp\0/../${beside(place)}/kept`],
  ['a line end', (place) => `own.lisp\n${beside(place)}/kept`],
  ['the settings', ({ data }) => `${data}/settings.json`],
  ['the bridge secret', ({ data }) => `${data}/bridge.secret`],
  ['another session’s folder', ({ data }) => `${data}/sessions/other/home/file`],
  ['a project that begins alike', ({ project }) => `${project}-2/kept`],
  ['a circle of links', () => 'circle'],
  ['a home by its short name', () => '~/.ssh/id_decoy'],
];

/** Links that the paths pass through. */
export function makeLinks(place: Place): void {
  const inProject = (name: string) => path.join(place.project, name);
  symlinkSync(place.outside, inProject('linked'));
  symlinkSync('linked', inProject('linked-twice'));
  symlinkSync(`${place.outside}/kept`, inProject('linked-file'));
  symlinkSync(`${place.outside}/new`, inProject('dangling'));
  symlinkSync('/proc/self/root', inProject('root'));
  symlinkSync('circle', inProject('circle'));
  symlinkSync('.git', inProject('gits'));
  mkdirSync(inProject('src'));
}
