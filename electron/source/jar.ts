/**
 * Reads files in a jar, which contains the sources of Clojure libraries (PKWARE's APPNOTE, without ZIP64).
 */

export interface JarEntry {
  /** Path in the jar. */
  name: string;
  method: number;
  compressedSize: number;
  /** Offset of its local header. */
  offset: number;
}

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;
/** A comment may follow the end of the directory. */
const LONGEST_END = 22 + 0xffff;
/** Maximum size of a file in bytes. Larger files are no source, or a zip bomb. */
const LARGEST = 16 * 1024 * 1024;

/** Returns its files, without folders; empty if it is no jar. */
export function jarEntries(jar: Uint8Array): JarEntry[] {
  const bytes = Buffer.from(jar.buffer, jar.byteOffset, jar.byteLength);
  const end = endOfDirectory(bytes);
  if (end === null) return [];
  const entries: JarEntry[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== DIRECTORY_ENTRY) break;
    const named = at + 46 + bytes.readUInt16LE(at + 28);
    entries.push({
      name: bytes.toString('utf8', at + 46, named),
      method: bytes.readUInt16LE(at + 10),
      compressedSize: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    });
    at = named + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries.filter(({ name }) => !name.endsWith('/'));
}

/** Returns the content of a file in it; null if it cannot be read. */
export function jarFile(jar: Uint8Array, { method, compressedSize, offset }: JarEntry): Uint8Array | null {
  const bytes = Buffer.from(jar.buffer, jar.byteOffset, jar.byteLength);
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== LOCAL_HEADER) return null;
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  const packed = bytes.subarray(start, start + compressedSize);
  if (method === STORED) return packed;
  if (method !== DEFLATED) return null;
  try {
    // Loaded on demand, because most starts read no jar.
    return process.getBuiltinModule('node:zlib').inflateRawSync(packed, { maxOutputLength: LARGEST });
  } catch {
    return null;
  }
}

function endOfDirectory(bytes: Buffer): number | null {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - LONGEST_END); at -= 1)
    if (bytes.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  return null;
}

/** Splits `lib/clojure.jar!/clojure/core.clj`, with or without the prefix `jar:file:`. */
export function pathInJar(path: string): { jar: string; name: string } | null {
  const place = path.replace(/^jar:file:/i, '');
  const end = place.search(/\.jar!\//i) + '.jar'.length;
  const [jar, name] = [place.slice(0, end), place.slice(end + '!/'.length)];
  return end <= '.jar'.length || name === '' ? null : { jar, name };
}
