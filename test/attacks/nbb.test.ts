/** Attacks from a session of nbb: with programs, and with Node’s modules. */
import { attacks } from './attack';
import { describeAttacks } from './describe-attacks';
import { NBB } from './engines';

const fs = (code: string) => `(do ${code} :escaped)`;

/** Node connects asynchronously, so a separate program waits for it. */
const connecting = (where: string) =>
  `(if (zero? (.-status (programs/spawnSync (.-execPath js/process) (clj->js ["-e" "require('net').connect(${where}).once('connect', () => process.exit(0)).once('error', () => process.exit(1))"]) (clj->js {:env {:ELECTRON_RUN_AS_NODE "1"}})))) :escaped)`;

const SEEN = { open: { Landlock: 'names of files and processes are visible' } };

const MODULES = [
  ...attacks('a decoy is read', [
    ['reads a file outside', ({ outside }) => fs(`(fs/readFileSync "${outside}/kept")`)],
    ['reads a key', ({ home }) => fs(`(fs/readFileSync "${home}/.ssh/id_decoy")`)],
    ['lists a folder outside', ({ home }) => fs(`(fs/readdirSync "${home}")`)],
    [
      'copies a file from outside',
      ({ outside, work }) => fs(`(fs/copyFileSync "${outside}/kept" "${work}/own")`),
    ],
    ['follows a link outside', ({ home }) => fs(`(fs/realpathSync "${home}/key")`), SEEN],
    [
      'loads a module from outside',
      ({ home }) =>
        `(do ((.createRequire (js/require "node:module") "${home}/x.js") "${home}/.local/bin/decoy") :escaped)`,
      { unreachable: 'nbb has no require of Node’s' },
    ],
  ]),
  ...attacks('a decoy is changed', [
    ['removes a file outside', ({ outside }) => fs(`(fs/rmSync "${outside}/kept")`)],
    ['renames a file outside', ({ outside }) => fs(`(fs/renameSync "${outside}/kept" "${outside}/moved")`)],
    ['truncates a file outside', ({ outside }) => fs(`(fs/truncateSync "${outside}/kept" 0)`)],
  ]),
  ...attacks('a file appears outside', [
    ['writes outside', ({ outside }) => fs(`(fs/writeFileSync "${outside}/new" "x")`)],
    ['makes a folder outside', ({ outside }) => fs(`(fs/mkdirSync "${outside}/made")`)],
    ['makes a link outside', ({ outside }) => fs(`(fs/symlinkSync "/nowhere" "${outside}/made")`)],
    [
      'writes what its process looks like outside',
      ({ outside }) => `(do (.writeReport (.-report js/process) "${outside}/report") :tried)`,
    ],
  ]),
  ...attacks('a connection is accepted', [
    ['connects to this computer', ({ port }) => connecting(`${port}, '127.0.0.1'`)],
    ['connects to a socket in a folder outside', ({ run }) => connecting(`'${run}/docker'`)],
    ['connects to an abstract socket', ({ abstractSocket }) => connecting(`'\\\\0${abstractSocket}'`)],
  ]),
  ...attacks('a process outside is touched', [
    ['signals a process outside', ({ victim }) => `(do (.kill js/process ${victim.pid} 0) :escaped)`],
    [
      'has a process outside debugged',
      ({ harbor }) => `(do (js/process._debugProcess ${harbor}) :escaped)`,
      { unreachable: 'the tests themselves would be debugged' },
    ],
  ]),
];

describeAttacks(NBB, MODULES);
