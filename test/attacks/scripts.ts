/**
 * Building blocks of attack scripts: bash where possible, Perl for system calls, because each runs hundreds
 * of times.
 */

/** Prints ESCAPED if the command succeeds. */
export const got = (command: string) => `if ${command}; then echo ESCAPED; fi`;

/** Prints ESCAPED if there is a character to read. */
export const reads = (file: string) => got(`read -rN1 _ < ${file}`);

export const writes = (file: string) => got(`echo decoy > ${file}`);

/** Opens an existing file for reading and writing without changing it. */
export const opens = (file: string) => got(`[ -e ${file} ] && (exec 9<>${file})`);

export const lists = (folder: string) => got(`[ -n "$(ls -A ${folder})" ]`);

/** @param code without `'` */
export const perl = (code: string) => `perl -e '${code}'`;

/** System call numbers on x86-64 and arm64; null if the call does not exist there. */
export type Call = readonly [x64: number, arm64: number | null];

/** The number on this machine; -1, which is invalid, if there is none. */
const numberOf = ([x64, arm64]: Call): number => (process.arch === 'arm64' ? (arm64 ?? -1) : x64);

/** Makes a system call in Perl, which cannot pass constant strings to one. @param args in Perl */
export const called = (call: Call, args: string) =>
  `syscall(${numberOf(call)}, ${args.replaceAll(/"[^"]*"/g, (text, at) => `my $s${at} = ${text}`)})`;

/** A system call that fails with anything but a permission error. LACKING: the kernel does not have it. */
export const syscall = (call: Call, args = '0, 0, 0, 0') => perl(`my $r = ${called(call, args)}; ${VERDICT}`);

/**
 * ENODEV, ENOSYS, EPROTONOSUPPORT, ESOCKTNOSUPPORT, EOPNOTSUPP and EAFNOSUPPORT mean that the feature is
 * missing.
 */
const VERDICT =
  'print "LACKING\\n" if $r == -1 && grep { $! == $_ } 19, 38, 93..95, 97; print "ESCAPED\\n" unless $r == -1 && grep { $! == $_ } 1, 19, 38, 93..95, 97';

export const SETXATTR: Call = [188, 5];

/** Sockets by Linux numbers, because Perl's module takes too long to load. */
export const STREAM = 1;
export const DATAGRAM = 2;
export const SEQUENCED = 5;

/** Connects a unix socket. @param address in Perl */
export const connects = (address: string, type = STREAM) =>
  perl(`socket(my $s, 1, ${type}, 0) or exit; print "ESCAPED\\n" if connect($s, pack("Sa*", 1, ${address}))`);

/** A unix socket in a folder. */
export const connectsTo = (file: string, type = STREAM) => connects(`"${file}\\0"`, type);

/** Connects to an IPv4 address and port. @param protocol of a stream */
export const connectsInternet = (address: string, port: number, protocol = 0) =>
  perl(
    `socket(my $s, 2, 1, ${protocol}) or exit; print "ESCAPED\\n" if connect($s, pack("SnC4x8", 2, ${port}, ${address.replaceAll('.', ',')}))`,
  );
