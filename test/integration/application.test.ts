/** An application of the settings: reached from outside, reloaded by an agent, and started again in each new image. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../evaluation';
import { freePort } from '../free-port';
import { PATIENT, StartedHarbor, temporaryFolder } from '../started-harbor';

/** A server of one page, in files of the project. */
const SHOP = `(require :sb-bsd-sockets)
(defpackage :shop (:use :cl) (:export #:run))
(in-package :shop)
(defun page () "first")
(defun run (port)
  (let ((listener (make-instance 'sb-bsd-sockets:inet-socket :type :stream :protocol :tcp)))
    (setf (sb-bsd-sockets:sockopt-reuse-address listener) t)
    (sb-bsd-sockets:socket-bind listener #(127 0 0 1) port)
    (sb-bsd-sockets:socket-listen listener 5)
    (sb-thread:make-thread
     (lambda ()
       (loop
         (let* ((socket (sb-bsd-sockets:socket-accept listener))
                (stream (sb-bsd-sockets:socket-make-stream socket :input t :output t :buffering :full)))
           (ignore-errors
            (loop for line = (read-line stream nil "") until (< (length line) 2))
            (format stream "HTTP/1.0 200 OK~C~C~C~C~A" #\\return #\\newline #\\return #\\newline (page))
            (finish-output stream))
           (sb-bsd-sockets:socket-close socket)))))))
`;

let harbor: StartedHarbor;
let agent: Client;
let port: number;
const project = temporaryFolder('project');
const data = temporaryFolder('data');

beforeAll(async () => {
  port = await freePort();
  writeFileSync(path.join(project, 'shop.lisp'), SHOP);
  await started();
});
afterAll(() => harbor.stop());

async function started(): Promise<void> {
  const run = `(progn (load "${project}/shop.lisp") (uiop:symbol-call :shop :run ${port}))`.replace(
    'uiop:symbol-call :shop :run',
    'funcall (intern "RUN" :shop)',
  );
  const settings = { applications: [{ project, run, port, engine: 'sbcl' }] };
  harbor = await StartedHarbor.start({ data, project, settings });
  agent = await harbor.client();
}

async function page(): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/`).catch((error: Error) => error.message);
  return typeof answer === 'string' ? answer : answer.text();
}

async function application(): Promise<Record<string, string>> {
  return (await call<{ application: Record<string, string> }>(agent, 'images', {})).structured.application;
}

it('starts with the harbor, is reached from this computer, and agents learn where', async () => {
  await expect
    .poll(application, PATIENT)
    .toMatchObject({ state: 'running', url: `http://127.0.0.1:${port}` });
  expect(await page()).toBe('first');
});

it('runs on while an agent reloads code in its session, which only the user may close', async () => {
  const { session } = await application();
  await call(agent, 'eval', { session, code: '(defun shop::page () "second")' });
  expect(await page()).toBe('second');
  const refused = await call(agent, 'close_session', { session });
  expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('not_approved')]);
});

it('starts again after its image has ended', async () => {
  const { session } = await application();
  await call(agent, 'eval', { session, code: '(sb-ext:exit :abort t)' });
  await expect.poll(page, PATIENT).toBe('first');
  await expect.poll(application, PATIENT).toMatchObject({ state: 'running', session });
});

it('starts again with the harbor, in the same session', async () => {
  const { session } = await application();
  await harbor.stop();
  await started();
  await expect.poll(application, PATIENT).toMatchObject({ state: 'running', session });
  expect(await page()).toBe('first');
});
