/** Many attacks as one script for bash: starting a program for each of them from an engine would take minutes. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Attack } from './attack';
import type { Decoys } from './place';

export interface Batch {
  /** The script, which code of a session runs. */
  file: string;
  /** What an attack said, with `over` at its end once it has come to that. */
  said(index: number): string;
}

/** @param chosen those attacks that are tried, by their index */
export function writeBatch(attacks: readonly Attack[], chosen: readonly number[], decoys: Decoys): Batch {
  const code = `${decoys.shared.project}/code`;
  for (const folder of ['attempts', 'said']) mkdirSync(`${code}/${folder}`);
  for (const index of chosen) {
    const script = attacks[index]?.script(decoys.place(index));
    writeFileSync(`${code}/attempts/${index}`, `${script}\n`);
    writeFileSync(`${code}/said/${index}`, '');
  }
  // Read by the shell that runs it, so that not even a script that is none ends the others.
  const each = `( cd ${code}/$each && . ${code}/attempts/$each ) >> ${code}/said/$each 2>&1 < /dev/null`;
  const file = `${code}/batch.sh`;
  writeFileSync(
    file,
    `for each in ${chosen.join(' ')}; do\n${each}\necho over >> ${code}/said/$each\ndone\n`,
  );
  return { file, said: (index) => readFileSync(`${code}/said/${index}`, 'utf8') };
}
