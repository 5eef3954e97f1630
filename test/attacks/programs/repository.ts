/** Writes protected paths: Git’s files, and files of editors, shells, agents and servers. */
import { RUNS_OUTSIDE } from '../../../electron/sandbox/protected-paths';
import { type Attack, attacks, KEPT, type Place } from '../attack';
import { called, got, perl, writes } from '../scripts';

/** In the project as it is when the attack starts; moved files are moved back. */
const git = ({ project }: Place) => `${project}/.git`;
const kept = (place: Place) => `printf '${KEPT.trim()}\\n' > ${git(place)}/config`;
const back = (place: Place) =>
  `rm -f ${place.project}/moved.link; [ -d ${place.project}/moved ] && { rm -rf ${git(place)}; mv -T ${place.project}/moved ${git(place)}; }`;

const exchanged = (one: string, other: string) =>
  perl(`my ($a, $b) = ("${one}", "${other}"); exit(${called([316, 276], '-100, $a, -100, $b, 2')} != 0)`);

const OF_GIT = attacks('what runs outside is written', [
  [
    'writes a hook of Git',
    (place) => `${writes(`${git(place)}/hooks/pre-commit`)}; rm -f ${git(place)}/hooks/pre-commit`,
  ],
  ['writes the settings of Git', (place) => `${writes(`${git(place)}/config`)}; ${kept(place)}`],
  [
    'writes the settings of Git by a hard link',
    (place) => `${got(`ln ${git(place)}/config linked && echo decoy > linked`)}; ${kept(place)}`,
  ],
  [
    'writes the settings of Git by .. and a link',
    (place) => `ln -s ${place.project} way; ${writes('way/.git/config')}; ${kept(place)}`,
  ],
  [
    'writes attributes that name a filter',
    (place) => `${writes(`${git(place)}/info/attributes`)}; rm -f ${git(place)}/info/attributes`,
  ],
  ['renames what Git keeps', (place) => `${got(`mv ${git(place)} ${place.project}/moved`)}; ${back(place)}`],
  [
    'puts a link in the place of what Git keeps',
    (place) =>
      `${got(`mv ${git(place)} ${place.project}/moved && ln -s ${place.outside} ${git(place)}`)}; ${back(place)}`,
  ],
  [
    'changes what Git keeps for a folder of its own',
    (place) =>
      `mkdir own; if ${exchanged(`${place.work}/own`, git(place))}; then echo ESCAPED; ${exchanged(`${place.work}/own`, git(place))}; fi`,
  ],
]);

/** Folders contain a file each; all must be unchanged afterwards. */
const OF_OTHERS: readonly Attack[] = attacks(
  'what runs outside is written',
  RUNS_OUTSIDE.filter(({ place }) => place !== '.git').flatMap(({ place: name }) => [
    [
      `writes into ${name}`,
      ({ project }) => got(`echo x > ${project}/${name}/made && rm ${project}/${name}/made`),
    ],
    [
      `puts its own in the place of ${name}`,
      ({ project, work }) =>
        got(
          `mv -T ${project}/${name} ${work}/taken && mkdir ${project}/${name} && rmdir ${project}/${name} && mv -T ${work}/taken ${project}/${name}`,
        ),
    ],
  ]),
);

export const REPOSITORY = [...OF_GIT, ...OF_OTHERS];
