/** The tools of cl-mcp-server for the library Telos, for which a stand-in stands: its names, and what they answer, are the real
 * ones. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

const TELOS = `(defpackage :telos (:use :cl)
  (:export #:list-features #:feature-intent #:get-intent #:intent-chain #:feature-members #:feature-decisions
           #:list-decisions #:intent-purpose #:intent-role #:intent-belongs-to #:intent-goals #:intent-constraints
           #:intent-assumptions #:intent-failure-modes #:decision-id #:decision-chose #:decision-over
           #:decision-because #:decision-decided-by #:decision-date))
(in-package :telos)
(defstruct intent purpose role belongs-to goals constraints assumptions failure-modes)
(defstruct decision id chose over because date decided-by)
(defvar *known* '()) (defvar *decisions* '())
(defun list-features (&optional filter) (declare (ignore filter)) (mapcar #'car *known*))
(defun feature-intent (name) (cdr (assoc name *known*)))
(defun get-intent (name) (get name 'intent))
(defun feature-members (name) (list :functions (if (string= name "PAYING") (list 'cl-user::pay)) :classes nil))
(defun feature-decisions (name) (cdr (assoc name *decisions*)))
(defun list-decisions () *decisions*)
(defun intent-chain (name)
  (list (list :type :function :name name :role "Cashier" :failure-modes '((:broke "No money")))
        (list :type :feature :name 'cl-user::selling :purpose "Earn")))
(setf *known* (list (cons 'cl-user::selling (make-intent :purpose "Earn ~a" :goals '((:fast "At once"))))
                       (cons 'cl-user::paying (make-intent :purpose "Get it" :belongs-to 'cl-user::selling))
                       (cons :selling (make-intent)))
      *decisions* (list (cons 'cl-user::paying (list (make-decision :id :cash :chose "Cash" :over '("Card" "Barter")
                                                                    :because "Simple")))))
(setf (get 'cl-user::pay 'intent) (make-intent :role "Cashier" :belongs-to 'cl-user::paying))`;

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.over('stdio', 'cl-mcp-server');
});
afterAll(() => harbor.stop());

const ask = async (name: string, args: Record<string, unknown> = {}) =>
  (await call(client, `telos-${name}`, args)).first;

describe('cl-mcp-server: the library Telos', () => {
  it('S1-103 says that it is not loaded', async () => {
    const { isError, text } = await call(client, 'telos-list-features');
    expect(isError).toBe(true);
    expect(text).toMatch(/^\[ERROR\] SIMPLE-ERROR\nTelos is not loaded/);
  });

  it('S1-103 tells features, intents, members and decisions by the names that people write', async () => {
    expect((await call(client, 'evaluate-lisp', { code: TELOS })).isError).toBe(false);
    expect(await ask('list-features', { filter: 'pay' })).toBe(
      'Features (1):\nPAYING\n  Purpose: Get it\n  Parent: SELLING',
    );
    expect(await ask('feature-intent', { feature: 'cl-user::Selling' })).toBe(
      'Feature: SELLING\nPurpose: Earn ~a\nGoals:\n  fast: At once',
    );
    expect(await ask('get-intent', { name: 'pay' })).toBe('PAY\nRole: Cashier\nBelongs to: PAYING');
    expect(await ask('intent-chain', { name: 'pay', package: 'cl-user' })).toBe(
      'Intent Chain (2 levels):\n1. [function] PAY\n   Role: Cashier\n   Failure modes: BROKE\n2. [feature] SELLING\n   Purpose: Earn',
    );
    expect(await ask('feature-members', { feature: 'paying' })).toBe(
      'Members of PAYING:\nFunctions (1):\n  PAY',
    );
    const decided =
      'Decisions for PAYING (1):\n1. cash\n   Chose: Cash\n   Over: Card, Barter\n   Because: Simple';
    expect(await ask('feature-decisions', { feature: 'paying' })).toBe(decided);
    expect(await ask('list-decisions')).toBe(decided);
  });

  it('S1-103 names what there is, and asks for a package where a name is not enough', async () => {
    expect(await ask('feature-intent', { feature: 'buying' })).toMatch(
      /There is no feature called buying\. There are: .*PAYING/,
    );
    expect(await ask('feature-intent', { feature: 'selling' })).toMatch(
      /selling may be \S+ or \S+: write it with its package\.$/,
    );
    expect(await ask('get-intent', { name: 'car', package: 'no-such-package' })).toMatch(
      /There is no name with an intent/,
    );
  });

  it('S1-103 takes a name for a name', async () => {
    await ask('feature-intent', { feature: '") (defparameter cl-user::*run* t) ("' });
    await ask('get-intent', { name: '#.(defparameter cl-user::*run* t)', package: '" t' });
    expect((await call(client, 'evaluate-lisp', { code: "(boundp 'cl-user::*run*)" })).first).toBe('=> NIL');
  });
});
