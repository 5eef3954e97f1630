/** Writes protected paths: Git’s files, and files of editors, shells, agents and servers. */
import { PROTECTED_PLACES } from '../../../electron/contract/protected-places';
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

/** A name for each protected place. */
export const PROTECTED_NAMES = [...new Set(PROTECTED_PLACES.map(({ place }) => place.replaceAll('*', 'x')))];

/** Runs the script for each place but Git's own, as `$at`, and names those where it succeeds. */
const forEach = ({ project }: Place, script: string) =>
  `for at in ${PROTECTED_NAMES.filter((name) => name !== '.git').join(' ')}; do at=${project}/$at; if { ${script}; } 2>/dev/null; then echo "ESCAPED $at"; fi; done`;

/** Each is a folder; all must be unchanged afterwards. */
const OF_OTHERS: readonly Attack[] = attacks('what runs outside is written', [
  ['writes into each', (place) => forEach(place, 'echo x > $at/made && rm $at/made')],
  [
    'puts its own in the place of each',
    (place) =>
      forEach(
        place,
        `mv -T $at ${place.work}/taken && mkdir $at && rmdir $at && mv -T ${place.work}/taken $at`,
      ),
  ],
  [
    'writes into each by a link',
    (place) => forEach(place, 'ln -sfn $at way && echo x > way/made && rm $at/made'),
  ],
]);

export const REPOSITORY = [...OF_GIT, ...OF_OTHERS];
