/** While code of one image floods its wire, the other sessions are answered; and what is no flood of events ends that image alone. */

import { expect, it } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import type { Session } from '../../electron/sessions/session/session';
import { evaluate, sessionsFixture } from './sessions-fixture';

/** Code that writes the text to the wire so many times. Each byte goes out, or the wire is closed and the image ends. */
const writing = (text: string, times: number) => `(let ((octets (sb-ext:string-to-octets ${text})))
  (loop repeat ${times}
        do (loop with start = 0
                 while (< start (length octets))
                 do (incf start (or (sb-sys:with-pinned-objects (octets)
                                      (sb-unix:unix-write 3 octets start (- (length octets) start)))
                                    0)))))`;

const lines = (line: string, count: number) =>
  `(apply #'concatenate 'string (loop repeat ${count} collect ${JSON.stringify(line)} collect (string #\\Newline)))`;

const EVENT = JSON.stringify({ event: 'output', id: null, stream: 'stdout', text: 'x' });

/** How often the other session was answered until the attack was over, and what became of that. */
async function during(code: string) {
  const { open } = sessionsFixture();
  const [attacking, other] = [await open(), await open()];
  const attack = evaluate(attacking, code).settled;
  let over = false;
  void attack.then(() => {
    over = true;
  });
  let answered = 0;
  do {
    await expectAnswer(other, answered);
    answered += 1;
  } while (!over);
  return { outcome: await attack, answered };
}

async function expectAnswer(session: Session, number: number): Promise<void> {
  const { forms } = await evaluate(session, `(1+ ${number})`).settled;
  expect(forms).toMatchObject([{ values: [String(number + 1)] }]);
}

it('a flood of events', async () => {
  const { outcome, answered } = await during(writing(lines(EVENT, 1000), 100));
  expect(outcome.outcome).toBe('ok');
  // Whoever is answered only when the flood is over is answered once.
  expect(answered).toBeGreaterThan(4);
});

it.each([
  ['lines of nonsense', writing(lines('abc', 10_000), 50), /invalid messages/],
  [
    'a line that never ends',
    writing(`(make-string 1000000 :initial-element #\\[)`, 60),
    /a line of more than/,
  ],
  [
    'a long line that is one event',
    `${writing('"{\\"event\\":\\"fault\\",\\"message\\":["', 1)} ${writing(`(apply #'concatenate 'string (loop repeat 100000 collect "[0],"))`, 80)} ${writing(`(format nil "0]}~%")`, 1)}`,
    /cannot be an event/,
  ],
])('%s', async (_, code, reason) => {
  const { outcome } = await during(code);
  expect(outcome.outcome).toBe('crashed');
  expect(noteTexts(outcome.notes).join(' ')).toMatch(reason);
});
