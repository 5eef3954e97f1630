/** The scripts of attacks: bash alone where it can do it, Perl for system calls, because each of them runs hundreds of times. */

/** Prints ESCAPED when the command succeeds. */
export const got = (command: string) => `if ${command}; then echo ESCAPED; fi`;

/** Prints ESCAPED when there is a character to read. */
export const reads = (file: string) => got(`read -rN1 _ < ${file}`);

export const writes = (file: string) => got(`echo decoy > ${file}`);

/** Opens a file that is there for reading and writing, and leaves it as it is. */
export const opens = (file: string) => got(`[ -e ${file} ] && (exec 9<>${file})`);

export const lists = (folder: string) => got(`[ -n "$(ls -A ${folder})" ]`);

/** @param code without `'` */
export const perl = (code: string) => `perl -e '${code}'`;

/** Numbers of a system call on x86-64 and arm64; null where it has none. */
export type Call = readonly [x64: number, arm64: number | null];

/** On this machine; -1, which is no call, where it has none. */
const numberOf = ([x64, arm64]: Call): number => (process.arch === 'arm64' ? (arm64 ?? -1) : x64);

/** In Perl, which hands no string that cannot be written to a system call. @param args in Perl */
export const called = (call: Call, args: string) =>
  `syscall(${numberOf(call)}, ${args.replaceAll(/"[^"]*"/g, (text, at) => `my $s${at} = ${text}`)})`;

/** A system call of which the kernel says something else than that it is not permitted. LACKING: it does not have it. */
export const syscall = (call: Call, args = '0, 0, 0, 0') => perl(`my $r = ${called(call, args)}; ${VERDICT}`);

/** ENODEV, ENOSYS, EPROTONOSUPPORT, ESOCKTNOSUPPORT, EOPNOTSUPP and EAFNOSUPPORT mean that nothing is there. */
const VERDICT =
  'print "LACKING\\n" if $r == -1 && grep { $! == $_ } 19, 38, 93..95, 97; print "ESCAPED\\n" unless $r == -1 && grep { $! == $_ } 1, 19, 38, 93..95, 97';

export const SETXATTR: Call = [188, 5];

/** Sockets by the numbers of Linux: Perl's module for them takes longer to load than all else. */
export const STREAM = 1;
export const DATAGRAM = 2;
export const SEQUENCED = 5;

/** Connects a unix socket. @param address in Perl */
export const connects = (address: string, type = STREAM) =>
  perl(`socket(my $s, 1, ${type}, 0) or exit; print "ESCAPED\\n" if connect($s, pack("Sa*", 1, ${address}))`);

/** A unix socket in a folder. */
export const connectsTo = (file: string, type = STREAM) => connects(`"${file}\\0"`, type);

/** Connects to an address of IPv4 and a port. @param protocol of a stream */
export const connectsInternet = (address: string, port: number, protocol = 0) =>
  perl(
    `socket(my $s, 2, 1, ${protocol}) or exit; print "ESCAPED\\n" if connect($s, pack("SnC4x8", 2, ${port}, ${address.replaceAll('.', ',')}))`,
  );
