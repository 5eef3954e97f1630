/**
 * What a path must not look like before any file is touched: names of another system, characters that nobody sees, and
 * text that becomes another path once it is normalised. Pure.
 */

/** Control characters, zero-width ones, marks that turn the writing direction: file systems drop or keep them, people do not see them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f/u;

/** Half of a character, which no file name can hold: encoding would make another name of it. */
const LONE_SURROGATE = /\p{Cs}/u;

/** `C:`, `\\server`, `\\?\`, `\\.\`, and the same with slashes where Windows reads them alike. */
const WINDOWS_DRIVE = /^[a-z]:/i;
const WINDOWS_DEVICE = /^[\\/]{2}/;

/** A second stream of a file (NTFS): `a.lisp:hidden`, `a.lisp::$DATA`. */
const STREAM = /:[^:\\/]*:?\$\w+$/i;

/** Windows takes these names for devices in every folder, whatever their extension. */
const DEVICE_NAME = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\..*)?$/i;

/** A name in the short form of old Windows (`PROGRA~1`), under which another name hides. */
const SHORT_NAME = /^[^~.]{1,6}~\d+(\.[^.]{0,3})?$/;

/** @returns why the path is not taken, as the end of "it …"; null when its text is fine */
export function refusedText(file: string, platform: NodeJS.Platform): string | null {
  if (file === '') return 'is empty';
  if (LONE_SURROGATE.test(file)) return 'is not text that a file name can hold';
  if (INVISIBLE.test(file)) return 'holds characters that cannot be seen';
  const normal = segmentThatNormalises(file);
  if (normal !== null) return `holds ${JSON.stringify(normal)}, which reads like another path`;
  if (STREAM.test(file)) return 'names a stream of a file, not a file';
  return platform === 'win32' ? refusedOnWindows(file) : refusedOnUnix(file);
}

function refusedOnUnix(file: string): string | null {
  if (WINDOWS_DRIVE.test(file) && /^..($|[\\/])/.test(file)) return 'begins with a drive of Windows';
  if (file.startsWith('//')) return 'names another computer';
  return file.includes('\\') ? 'is written with backslashes; separate folders with /' : null;
}

function refusedOnWindows(file: string): string | null {
  if (WINDOWS_DEVICE.test(file)) return 'names a device or another computer';
  if (/^[a-z]:(?![\\/])/i.test(file)) return 'is relative to a drive; name it from the root of the drive';
  const rest = file.replace(WINDOWS_DRIVE, '');
  if (rest.includes(':')) return 'names a stream of a file, not a file';
  for (const segment of rest.split(/[\\/]/)) {
    if (/[. ]$/.test(segment) && !/^\.{1,2}$/.test(segment))
      return 'has a name that ends with a dot or a blank';
    if (DEVICE_NAME.test(segment)) return `names the device ${segment}`;
    if (SHORT_NAME.test(segment)) return `holds the short name ${segment}; write the whole name`;
  }
  return null;
}

/** A segment that is not, but under compatibility normalisation becomes, `.`, `..` or something with a separator. */
function segmentThatNormalises(file: string): string | null {
  const segments = file.split(/[\\/]/);
  const hidden = (segment: string) => {
    const normal = segment.normalize('NFKC');
    return normal !== segment && (/[\\/:\0]/.test(normal) || /^\.{1,2}$/.test(normal));
  };
  return segments.find(hidden) ?? null;
}
