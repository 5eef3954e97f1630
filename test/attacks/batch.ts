/**
 * Combines many attacks into one bash script: starting a program for each from an engine would take minutes.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Attack } from './attack';
import type { Decoys } from './place';

export interface Batch {
  /** The script, which code in a session runs. */
  file: string;
  /** The output of an attack; `over` is true if it ran to its end. */
  said(index: number): string;
}

/** @param chosen indexes of the attacks to run */
export function writeBatch(attacks: readonly Attack[], chosen: readonly number[], decoys: Decoys): Batch {
  const code = `${decoys.shared.project}/code`;
  for (const folder of ['attempts', 'said']) mkdirSync(`${code}/${folder}`);
  for (const index of chosen) {
    const script = attacks[index]?.script(decoys.place(index));
    writeFileSync(`${code}/attempts/${index}`, `${script}\n`);
    writeFileSync(`${code}/said/${index}`, '');
  }
  // A shell per attack, so that an invalid script does not end the others.
  const each = `( cd ${code}/$each && . ${code}/attempts/$each ) >> ${code}/said/$each 2>&1 < /dev/null`;
  const file = `${code}/batch.sh`;
  writeFileSync(
    file,
    `for each in ${chosen.join(' ')}; do\n${each}\necho over >> ${code}/said/$each\ndone\n`,
  );
  return { file, said: (index) => readFileSync(`${code}/said/${index}`, 'utf8') };
}
