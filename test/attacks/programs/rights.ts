/** Gains privileges, or creates files that give privileges to whoever runs them. */
import { type Attack, attacks } from '../attack';
import { called, got, perl, SETXATTR, syscall } from '../scripts';

/** Prints ESCAPED if the file is setuid or setgid, however it was created. */
const setuid = (make: string, file = 'owners') =>
  `{ ${make}; } 2>&1; ${got(`[ -u ${file} ] || [ -g ${file} ]`)}`;

const made = (code: string) => `touch owners; ${setuid(perl(code))}`;

const FCHMODAT2 = [452, 452] as const;

export const RIGHTS: readonly Attack[] = attacks('it gets more rights', [
  ['makes a file that runs as its owner', () => setuid('touch owners && chmod u+s owners')],
  ['makes a file that runs as its group', () => setuid('touch owners && chmod 2755 owners')],
  ['makes one by an open file', () => made('open(my $f, "<", "owners"); chmod(04755, $f)')],
  [
    'makes one by the call that follows no links',
    () =>
      `touch owners; ${perl(`print "LACKING\\n" if ${called(FCHMODAT2, '-100, "owners", 04755, 0')} == -1 && $! == 38`)}; ${got('[ -u owners ]')}`,
    { mayLack: true },
  ],
  [
    'makes one by a mode of more bits',
    () => made(`${called([268, 53], '-100, "owners", (1 << 32) + 04755')}`),
  ],
  ['makes one as it is made', () => setuid(perl(`${called([257, 56], '-100, "owners", 0101, 04755')}`))],
  [
    'makes one as it is made, by a newer call',
    () =>
      setuid(
        perl(`my $how = pack("QQQ", 0101, 04755, 0); ${called([437, 437], '-100, "owners", $how, 24')}`),
      ),
  ],
  [
    'makes one without a name',
    () =>
      setuid(
        perl(
          `my $fd = ${called([257, 56], '-100, ".", 020200001, 04755')}; my ($from, $to) = ("/proc/self/fd/$fd", "owners"); ${called([265, 37], '-100, $from, -100, $to, 0x400')}`,
        ),
      ),
  ],
  ['makes one as a node', () => setuid(perl(`${called([259, 33], '-100, "owners", 0100000 + 04755, 0')}`))],
  ['makes one by install', () => setuid('install -m 4755 /dev/null owners')],
  [
    'makes one by unpacking',
    () =>
      setuid(
        `perl -e 'my $h = pack("a100a8a8a8a12a12a8a1a100a6a2x247", "owners", "0004755", "0000000", "0000000", "0" x 11, "0" x 11, " " x 8, "0", "", "ustar", "00"); substr($h, 148, 8) = sprintf("%06o\\0 ", unpack("%32C*", $h)); print $h, "\\0" x 1536' | tar -xpf -`,
      ),
  ],
  ['makes one by copying one', () => setuid('cp -p /usr/bin/su owners'), { takes: 'CAP_CHOWN' }],
  [
    'makes one by linking one',
    () => setuid('ln /usr/bin/su owners'),
    { unreachable: 'programs may lie on another disk' },
  ],
  [
    'gives a program a capability',
    () =>
      perl(
        `my $v = pack("V5", 0x02000000, 0x2000, 0, 0, 0); open(my $f, ">", "own"); my $r = ${called(SETXATTR, '"own", "security.capability", $v, 20, 0')}; print $r == 0 ? "ESCAPED\\n" : $! == 95 ? "LACKING\\n" : ""`,
      ),
    { takes: 'CAP_SETFCAP', mayLack: true },
  ],
  ['can become somebody else by a program of root', () => got('grep -q "NoNewPrivs:.0" /proc/self/status')],
  ['keeps a capability', () => got('grep -q "CapEff:.*[1-9a-f]" /proc/self/status'), { takes: 'CAP_CHOWN' }],
  [
    'can get a capability back',
    () => got('grep -Eq "Cap(Prm|Inh|Amb):.*[1-9a-f]" /proc/self/status'),
    { takes: 'CAP_CHOWN' },
  ],
  ['becomes another user', () => perl('$< = $> = 1; print "ESCAPED\\n" if $< == 1'), { takes: 'CAP_CHOWN' }],
  ['takes a file for another user', () => got('touch own && chown 1 own'), { takes: 'CAP_CHOWN' }],
  [
    'takes more of the processor than it has',
    () => perl('print "ESCAPED\n" if setpriority(0, 0, getpriority(0, 0) - 1)'),
    { takes: 'CAP_SYS_NICE' },
  ],
  [
    'raises a limit of its own',
    () => got('ulimit -Hc unlimited && ulimit -Hn $(($(ulimit -Hn) + 1))'),
    { takes: 'CAP_SYS_RESOURCE' },
  ],
  [
    'is ended last when memory is short',
    () => got('echo -500 > /proc/self/oom_score_adj'),
    { takes: 'CAP_SYS_RESOURCE' },
  ],
  [
    'listens where only root may',
    () =>
      perl(
        'socket(my $s, 2, 1, 0) or exit; print "ESCAPED\\n" if bind($s, pack("SnC4x8", 2, 7, 127, 0, 0, 1))',
      ),
    { takes: 'CAP_SYS_ADMIN' },
  ],
  [
    'finds more of the harbor’s sockets than its wire and its output',
    () => got('test $(ls -l /proc/$$/fd | grep -o "socket:.*" | sort -u | wc -l) -gt 3'),
    { unreachable: 'no launcher passes them on' },
  ],
  [
    'finds descriptors that nobody named',
    () => got('test $(ls /proc/$$/fd | wc -l) -gt 9'),
    { unreachable: 'no launcher passes them on' },
  ],
  ['has the filter of calls taken from it', () => got('grep -q "Seccomp:.0" /proc/self/status')],
  [
    'keeps the harbor’s variables',
    () => got('[ -n "$HARBOR_DECOY" ]'),
    { unreachable: 'no launcher passes them on' },
  ],
  ['is let trace its own programs', () => syscall([101, 117], '0, 0, 0, 0')],
]);
