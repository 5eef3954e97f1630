/**
 * Resource exhaustion by code in a session: a fork bomb and endless allocation, both bounded here, stay
 * within the limits of the image.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import { BubblewrapLauncher, readHostLayout } from '../../electron/launchers/bubblewrap';

import { imageLimits } from '../../electron/launchers/choose';
import type { Session } from '../../electron/sessions/session/session';
import { evaluate } from '../integration/sessions-fixture';
import { confinedSession, evaluated } from './confined-session';
import { ACL2, type AttackedEngine, CLOJURE, SBCL } from './engines';
import { placeDecoys } from './place';

const MIB = 1024 ** 2;
/** Enough for each engine with its threads, and less than the attacks use. */
const MOST = { tasks: 60, memoryBytes: 500 * MIB };

/** Sixty forks that end with the pipe of the first process, which prints their number. */
const BOMB = `perl -e 'pipe(R, W); for (1..60) { my $p = fork; last unless defined $p; if ($p == 0) { close W; <R>; exit } $n++ } print $n; close W; 1 while wait > 0'`;

const GLUTTON = `perl -e '$x = "x" x (700 * 1024 ** 2)'; echo "exit $?"`;

const ENGINES = [
  { attacked: SBCL, define: '(defvar *kept* 42)', recall: '*kept*' },
  { attacked: ACL2, define: '(defconst *kept* 42)', recall: '*kept*' },
  { attacked: CLOJURE, define: '(def kept 42)', recall: 'kept' },
];

interface Limited {
  session: Session;
  /** The limits that are missing here; empty if there are none. */
  gap: string;
  /** Runs the script in the session and returns its output. */
  said: (script: string) => Promise<string>;
}

async function limited(attacked: AttackedEngine): Promise<Limited> {
  const limits = await imageLimits({ most: MOST });
  const launcher = new BubblewrapLauncher(readHostLayout(), limits);
  const atEnd = (end: () => unknown) => onTestFinished(async () => void (await end()));
  const decoys = await placeDecoys(1, atEnd);
  const session = await confinedSession(attacked, launcher, decoys, atEnd);
  const { work } = decoys.place(0);
  const said = async (script: string) => {
    writeFileSync(`${work}/attack.sh`, `{ ${script}; } > ${work}/said 2>&1 < /dev/null\n`);
    await evaluated(session, attacked.bash(`${work}/attack.sh`));
    return readFileSync(`${work}/said`, 'utf8');
  };
  return { session, gap: limits.gap ?? '', said };
}

async function values(session: Session, code: string): Promise<string[]> {
  return (await evaluate(session, code).settled).forms.flatMap((form) => form.values);
}

describe.each(ENGINES)('in a session of $attacked.title', ({ attacked, define, recall }) => {
  it('a fork bomb ends at the limit, and the session goes on', async () => {
    const { session, gap, said } = await limited(attacked);
    await evaluate(session, define).settled;
    const [forks = 0] = (await said(BOMB)).match(/\d+/) ?? [];
    if (gap.includes('processes')) expect(Number(forks)).toBe(60);
    else expect(Number(forks)).toBeLessThan(MOST.tasks);
    expect(await values(session, recall)).toEqual(['42']);
  });

  it('a program that takes memory without end is killed, and the session keeps its state', async () => {
    const { session, gap, said } = await limited(attacked);
    await evaluate(session, define).settled;
    expect(await said(GLUTTON)).toContain(gap.includes('memory') ? 'exit 0' : 'exit 137');
    expect(await values(session, recall)).toEqual(['42']);
  });
});

it('an image that takes memory beyond its heap is killed, that is told, and another one comes', async () => {
  const { session, gap } = await limited(SBCL);
  const code = `(let ((sap (sb-alien:alien-sap (sb-alien:make-alien (sb-alien:unsigned 8) ${700 * MIB})))) (dotimes (i ${700 * MIB} :all) (setf (sb-sys:sap-ref-8 sap i) 1)))`;
  const { outcome, notes, forms } = await evaluate(session, code).settled;
  // The heap has its own limit.
  if (gap.includes('memory')) expect(forms[0]?.values).toEqual([':ALL']);
  else {
    expect(outcome).toBe('crashed');
    expect(noteTexts(notes).join()).toMatch(
      /SBCL was killed (because it and its child processes used more than 500 MiB of memory|by SIGKILL)/,
    );
  }
  expect(await values(session, '(+ 1 2)')).toEqual(['3']);
});
