/** The goal that ACL2's commentary has named last. */
import { expect, it } from 'vitest';
import { goalIn } from '../../electron/images/acl2/conversation';

it.each([
  ['', null],
  ['\n*1 (the initial Goal, a key checkpoint) is pushed for proof by induction.\n', null],
  ["two nontautological subgoals.\nSubgoal *1/2\nSubgoal *1/2'\nSubgoal *1/2''\n\n", "Subgoal *1/2''"],
  ["Goal'\nGoal'4'\n", "Goal'4'"],
  ['Goal\n[1]Subgoal *1.2/3.1.2\nThat completes', '[1]Subgoal *1.2/3.1.2'],
  ['Subgoal 2\n(EQUAL (F "Subgoal 1") X)\n', 'Subgoal 2'],
])('%j', (commentary, goal) => {
  expect(goalIn(commentary)).toBe(goal);
});
