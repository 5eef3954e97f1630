/** How lisp-mcp-server's later versions load a system that is loaded already, and how long calls wait for it. */
import { utimesSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { type Files, system, writeFiles } from '../integration/loading-fixture';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';
import { lispMcpClient } from './lisp-mcp-client';

let harbor: StartedHarbor;
let client: Client;

const { told, evaluated } = lispMcpClient(() => client);

const FILES: Files = {
  'ships.asd': `${system('ships', '(:file "ships")', ':depends-on ("ships/base")')}${system('ships/base', '(:file "base")')}${system('ships/slow', '(:file "slow")')}${system('ships/noted', '(:file "noted")')}${system('ships/warned', '(:file "warned")')}`,
  'base.lisp':
    '(defpackage :ships (:use :cl))\n(in-package :ships)\n(defun mast () :file)\n(defvar *kept* :file)\n',
  'ships.lisp': '(in-package :ships)\n(defun sail () :file)\n(defparameter *wind* :file)\n',
  'noted.lisp': '(defun noted (x) (declare (optimize speed)) (+ x 1))\n',
  'warned.lisp': '(defun warned (x y) (declare (optimize speed)) (+ x 1))\n',
  'slow.lisp': '(loop until (boundp (quote cl-user::*go*)) do (sleep 0.01))\n',
};

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.over('HTTP', 'lisp-mcp-server');
  writeFiles(harbor.project, FILES);
  // ASDF compares times of whole seconds: what is written and compiled within one would be compiled again.
  const past = new Date(Date.now() - 60_000);
  for (const name of Object.keys(FILES)) utimesSync(path.join(harbor.project, name), past, past);
  await told('load-system', { system: 'ships' });
  // After the load that compiled a system, ASDF loads it once more.
  await told('load-system', { system: 'ships', force: false });
});
afterAll(() => harbor.stop());

const REDEFINED =
  '(progn (defun ships::sail () 1) (defun ships::mast () 1) (setf ships::*wind* 1 ships::*kept* 1) :done)';
const state = () =>
  evaluated('(format nil "~A" (list (ships::sail) (ships::mast) ships::*wind* ships::*kept*))');

describe('a system that is loaded already', () => {
  it('S2-78 is loaded anew, with what its definition file defines beside it', async () => {
    await evaluated(REDEFINED);
    expect(await told('load-system', { system: 'ships', force: false })).toMatch(/^System ships loaded/);
    expect(await state()).toBe('"(1 1 1 1)"');
    expect(await told('load-system', { system: 'ships' })).toMatch(
      /^System ships loaded successfully in \d+ms$/,
    );
    expect(await state()).toBe('"(FILE FILE FILE 1)"');
  });

  it('S2-78 is compiled only when that is asked for, or its files have changed', async () => {
    const compiled = async (args: object) => {
      const answer = await call<{ stdout?: string }>(client, 'load-system', {
        system: 'ships',
        ...args,
      });
      return answer.structured.stdout?.match(/(?<=\/)\w+\.lisp$/gm) ?? [];
    };
    expect(await compiled({})).toEqual([]);
    expect(await compiled({ clear_fasls: true })).toEqual(['base.lisp', 'ships.lisp']);
    const later = new Date(Date.now() + 60_000);
    utimesSync(path.join(harbor.project, 'ships.lisp'), later, later);
    expect(await compiled({ force: false })).toEqual(['ships.lisp']);
  });

  it('S2-78 is found again where only its own file says that it is there', async () => {
    const hidden = path.join(harbor.project, '.hidden');
    writeFiles(hidden, {
      'cave.asd': system('cave', '(:file "cave")'),
      'cave.lisp': '(defun cave () :file)\n',
    });
    await evaluated(`(asdf:load-asd "${hidden}/cave.asd")`);
    await told('load-system', { system: 'cave' });
    await evaluated('(defun cave () 1)');
    await told('load-system', { system: 'cave' });
    expect(await evaluated('(cave)')).toBe(':FILE');
  });

  it('S2-78 tells how many warnings there were, and notes beside', async () => {
    expect(await told('load-system', { system: 'ships/noted' })).toMatch(
      /^System ships\/noted loaded successfully in \d+ms\n; \d+ more notes/,
    );
    expect(await told('load-system', { system: 'ships/warned' })).toMatch(
      /^System ships\/warned loaded successfully in \d+ms \(1 warning\)\n[\s\S]*The variable Y/,
    );
  });

  it('S2-78 waits no longer than it is asked to', async () => {
    for (const tool of ['load-system', 'run-tests']) {
      await evaluated('(makunbound (quote cl-user::*go*))');
      const { structured } = await call<{ job: string }>(client, tool, {
        ...{ system: 'ships/slow', timeout_seconds: 0.2 },
      });
      expect(structured.job).toMatch(/^job-/);
      await call(client, 'job', { job: structured.job, action: 'cancel' });
    }
  });
});
