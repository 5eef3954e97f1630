/** What the prover prints, as data: its lines are broken wherever the margin is. */
import { expect, it } from 'vitest';
import { warningsIn } from '../../electron/images/acl2/messages';

const SUMMARY = `
Summary
Form:  ( INCLUDE-BOOK "std/lists/top" ...)
Rules: NIL
Warnings:  Compiled file
`;

it.each([
  [
    'after its heading',
    'ACL2 Warning [Compiled file] in ( INCLUDE-BOOK "top" ...):  Unable to load it\nat all.\n',
  ],
  [
    'on the next line',
    'ACL2 Warning [Compiled file] in ( INCLUDE-BOOK "std/top" ...):\nUnable to load it\nat all.\n',
  ],
  [
    'and the heading is broken',
    'ACL2 Warning [Compiled file] in ( INCLUDE-BOOK\n"top" ...):  Unable to load it\nat all.\n',
  ],
])('the text of a warning begins %s', (_where, printed) => {
  expect(warningsIn(`\n${printed}\n${SUMMARY}`, 1)).toEqual([
    { severity: 'warning', type: 'Compiled file', message: 'Unable to load it at all.', form: 1 },
  ]);
});
