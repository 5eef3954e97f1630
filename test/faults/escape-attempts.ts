/**
 * What code in a session may try in order to reach beyond its project, as scripts for bash: each prints ESCAPED when it
 * has done so, and does no harm even then. They touch decoys only, fork little and write little.
 */

/** What there is outside for them to reach. */
export interface EscapePlace {
  /** A folder beside the project, with the file `kept` in it. */
  outside: string;
  /** Of the person: `.ssh/id_decoy`, and `.bashrc`. */
  home: string;
  /** The harbor's own: `bridge.secret`, `settings.json`, `sessions/other/home/file`. */
  data: string;
  /** With `.git/config` and the folder `.git/hooks` in it. */
  project: string;
  /** A folder of the project that is there already, where attempts begin: Landlock lets nothing new stand beside `.git`. */
  work: string;
  /** A process of the host which may be killed. */
  victim: number;
  /** Listens on 127.0.0.1. */
  port: number;
  /** Listens in the abstract namespace of unix sockets. */
  abstractSocket: string;
  /** A unix socket in the folder outside. */
  socket: string;
}

export interface Attempt {
  name: string;
  script: string;
  /** Whether it succeeds, harmlessly, where nothing confines it and root runs it: that shows that it tries at all. */
  provable: boolean;
}

const got = (command: string) => `if ${command}; then echo ESCAPED; fi`;
const reads = (file: string) => got(`head -c 1 ${file} | grep -q .`);
const writes = (file: string) => got(`echo decoy > ${file}`);
const perl = (code: string) => `perl -e '${code}'`;
const connect = (address: string) =>
  perl(
    `use Socket; socket(my $s, PF_UNIX, SOCK_STREAM, 0); print "ESCAPED\\n" if connect($s, sockaddr_un(${address}))`,
  );

/** A system call by its numbers on x86-64 and arm64: not EPERM, whatever else it is, means that the kernel looked at it. */
function syscall(x64: number, arm64: number, args = '0, 0, 0, 0'): string {
  const number = process.arch === 'arm64' ? arm64 : x64;
  return perl(
    `my $r = syscall(${number}, ${args}); print "ESCAPED\\n" unless $r == -1 && ($! == 1 || $! == 38)`,
  );
}

export function attempts(place: EscapePlace): Attempt[] {
  const provable = [...reading(place), ...writing(place), ...repository(place), ...reaching(place)];
  const blind = [...kernel(place), ...others(place)];
  return [
    ...provable.map(([name, script]) => ({ name, script, provable: true })),
    ...blind.map(([name, script]) => ({ name, script, provable: false })),
  ];
}

type Named = readonly [name: string, script: string];

function reading({ home, data, outside, project, victim }: EscapePlace): Named[] {
  return [
    ['read who uses this computer', reads('/etc/passwd')],
    ['read the shadow file', reads('/etc/shadow')],
    ['read an SSH key', reads(`${home}/.ssh/id_decoy`)],
    ['read an SSH key by ..', reads(`${project}/../home/.ssh/id_decoy`)],
    ['read the shell’s settings', reads(`${home}/.bashrc`)],
    ['list the home folder', got(`ls -A ${home} | grep -q ssh`)],
    ['read the bridge secret', reads(`${data}/bridge.secret`)],
    ['read the settings', reads(`${data}/settings.json`)],
    ['read another session’s folder', reads(`${data}/sessions/other/home/file`)],
    ['read beside the project', reads(`${outside}/kept`)],
    ['read through a symbolic link', `ln -s ${outside} way-out; ${reads('way-out/kept')}; rm way-out`],
    ['read through a hard link', `${got(`ln ${outside}/kept hard && cat hard`)}; rm -f hard`],
    ['read the environment of a process outside', reads(`/proc/${victim}/environ`)],
    ['read through the root of a process', reads(`/proc/${victim}/root${outside}/kept`)],
    ['see processes outside', got(`test -e /proc/${victim}/status`)],
  ];
}

function writing({ outside, home, data, project }: EscapePlace): Named[] {
  return [
    ['write beside the project', writes(`${outside}/new`)],
    ['write by ..', writes(`${project}/../outside/new`)],
    ['write a new file through a linked folder', `ln -s ${outside} way; ${writes('way/new')}; rm way`],
    [
      'write a new file through a dangling link',
      `ln -s ${outside}/new dangling; ${writes('dangling')}; rm dangling`,
    ],
    ['change what is kept', writes(`${outside}/kept`)],
    ['make a folder outside', got(`mkdir ${outside}/made`)],
    ['remove a file outside', got(`rm ${outside}/kept`)],
    ['rename a file outside', got(`mv ${outside}/kept ${outside}/moved`)],
    ['change permissions outside', got(`chmod 600 ${outside}/kept`)],
    ['make a file that runs as its owner', `${got('touch owners && chmod u+s owners')}; rm -f owners`],
    ['add a key to those that may log in', writes(`${home}/.ssh/authorized_keys`)],
    ['allow itself more', writes(`${data}/settings.json`)],
  ].map(([name = '', script = '']) => [name, `${script}; echo kept > ${outside}/kept 2>/dev/null`] as const);
}

/** What Git would run, or obey, outside of the sandbox. What is there is put back as it was. */
function repository({ outside, project }: EscapePlace): Named[] {
  const git = `${project}/.git`;
  const back = `rm -rf ${project}/moved.link; [ -d ${project}/moved ] && { rm -f ${git}; mv -T ${project}/moved ${git}; }`;
  return [
    ['write a hook of Git', `${writes(`${git}/hooks/pre-commit`)}; rm -f ${git}/hooks/pre-commit`],
    ['write the settings of Git', `${writes(`${git}/config`)}; echo kept > ${git}/config`],
    [
      'write the settings of Git by a hard link',
      `${got(`ln ${git}/config linked && echo decoy > linked`)}; rm -f linked; echo kept > ${git}/config`,
    ],
    ['rename what Git keeps', `${got(`mv ${git} ${project}/moved`)}; ${back}`],
    [
      'put a link in the place of what Git keeps',
      `${got(`mv ${git} ${project}/moved && ln -s ${outside} ${git}`)}; ${back}`,
    ],
  ].map(([name = '', script = '']) => [name, script] as const);
}

function reaching({ port, abstractSocket, socket, victim }: EscapePlace): Named[] {
  return [
    ['connect to a port of this computer', got(`exec 5<>/dev/tcp/127.0.0.1/${port}`)],
    ['connect to a port by its other address', got(`exec 5<>/dev/tcp/localhost/${port}`)],
    ['connect to an abstract socket', connect(`"\\0${abstractSocket}"`)],
    ['connect to a socket in a folder outside', connect(`"${socket}"`)],
    ['set a limit of a process outside', got(`prlimit --pid ${victim} --nofile=512:512`)],
    ['ask whether a process outside is there', got(`kill -0 ${victim}`)],
    ['stop a process outside', got(`kill -STOP ${victim} && kill -CONT ${victim}`)],
  ];
}

/** Not tried where nothing confines them: they would change the host, or depend on it. */
function kernel({ victim }: EscapePlace): Named[] {
  return [
    ['trace a process', syscall(101, 117, `16, ${victim}, 0, 0`)],
    ['read the memory of a process', syscall(310, 270, `${victim}, 0, 0, 0, 0, 0`)],
    ['open a socket of virtual machines', syscall(41, 198, '40, 1, 0')],
    ['make a user namespace', got('unshare --user true')],
    ['make a user namespace by the call itself', syscall(272, 97, '0x10000000')],
    ['make a process in a new namespace', syscall(56, 220, '0x10000011, 0, 0, 0, 0')],
    ['enter a namespace', syscall(308, 268, '0, 0')],
    ['mount something', got('mount -t tmpfs none /tmp')],
    ['mount the root for writing', got('mount -o remount,rw /')],
    ['take away what covers /proc', got('umount /proc')],
    ['change the root', syscall(161, 51, '"/"')],
    ['open a file by its handle', syscall(304, 265, '-100, 0, 0')],
    ['use the kernel’s keys', syscall(250, 219, '0, -3, 0')],
    ['load a program into the kernel', syscall(321, 280)],
    ['use io_uring, which no filter sees', syscall(425, 425, '1, 0')],
    ['type into the terminal', syscall(16, 29, '0, 0x5412, 0')],
    // Opened for writing and closed again: what the kernel does when a core is written is not touched.
    ['set where the kernel writes cores', got('(exec 9<>/proc/sys/kernel/core_pattern)')],
    [
      'set anything of the kernel',
      got(
        'find /proc/sys /proc/irq /proc/bus /proc/fs /proc/mtrr -type f -writable 2>/dev/null | while read -r at; do (exec 9<>"$at") 2>/dev/null && echo "$at"; done | grep -q .',
      ),
    ],
    ['ask the kernel for something by SysRq', got('(exec 9<>/proc/sysrq-trigger)')],
    ['make a device', got('mknod disk b 8 0')],
  ];
}

function others({ victim }: EscapePlace): Named[] {
  return [
    ['end a process outside', got(`kill -KILL ${victim}`)],
    ['write among the system’s programs', writes('/usr/bin/decoy')],
    ['write into the root', writes('/decoy')],
    ['fill the memory behind /dev/shm', writes('/dev/shm/decoy')],
    ['become somebody else by a program of root', got('grep -q "NoNewPrivs:.0" /proc/self/status')],
    ['keep a capability', got('grep -q "CapEff:.*[1-9a-f]" /proc/self/status')],
    [
      'find more of the harbor’s sockets than its wire and its output',
      got('test $(ls -l /proc/$$/fd | grep -o "socket:.*" | sort -u | wc -l) -gt 3'),
    ],
    [
      'write into a /tmp without bounds',
      got('touch /tmp/decoy.$$ && rm /tmp/decoy.$$ && test $(df --output=size -k /tmp | tail -1) -gt 262144'),
    ],
    ['speak to Docker', connect('"/var/run/docker.sock"')],
    ['speak to the system’s bus', connect('"/run/dbus/system_bus_socket"')],
  ];
}
