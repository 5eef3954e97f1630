/** Fifty sessions at once on one harbor: each is its own, and nothing of them is left. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { call, values } from '../evaluation';
import { PATIENT, StartedHarbor } from '../started-harbor';

const SESSIONS = 50;
const CLIENTS = 5;

/** Fifty starts on a busy machine. */
const LIMIT_MS = 120_000;

interface Images {
  sessions: { session: string; pid: number; memory_bytes: number }[];
  memory: { images_bytes: number };
}

/** Whether a process runs; a zombie does not. */
const alive = (pid: number) => existsSync(`/proc/${pid}/exe`);

it(
  'open, evaluate and close all at the same time',
  async ({ annotate }) => {
    const harbor = await StartedHarbor.start({ args: ['--engine', 'sbcl'] });
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => harbor.client()));
    const clientOf = (index: number) => clients[index % CLIENTS] as Client;
    const all = <T>(work: (index: number) => Promise<T>) =>
      Promise.all(Array.from({ length: SESSIONS }, (_, index) => work(index)));

    const handles = await all(
      async (index) =>
        (await call<{ session: string }>(clientOf(index), 'open_session', {})).structured.session,
    );
    expect(new Set(handles).size).toBe(SESSIONS);
    const inSession = (index: number, code: string) =>
      values(clientOf(index), code, { session: handles[index] });

    await all((index) =>
      inSession(
        index,
        `(defvar *me* ${index}) (defun only-${index} ()) (setf *print-base* ${2 + (index % 30)})`,
      ),
    );
    const told = await all((index) =>
      inSession(
        index,
        `(let ((*print-base* 10))
           (list (princ-to-string *me*) (mapcar #'symbol-name (apropos-list "ONLY-" *package*))))`,
      ),
    );
    expect(told).toEqual(handles.map((_, index) => [`("${index}" ("ONLY-${index}"))`]));

    const { structured } = await call<Images>(clientOf(0), 'images');
    expect(structured.sessions.map(({ session }) => session).sort()).toEqual([...handles].sort());
    const pids = structured.sessions.map(({ pid }) => pid);
    expect(new Set(pids).size).toBe(SESSIONS);
    expect(structured.memory.images_bytes).toBeGreaterThan(0);
    await annotate(`${SESSIONS} images take ${Math.round(structured.memory.images_bytes / 1024 ** 2)} MiB`);

    await all((index) => call(clientOf(index), 'close_session', { session: handles[index] }));
    expect((await call<Images>(clientOf(0), 'images')).structured.sessions).toEqual([]);
    await expect.poll(() => pids.filter(alive), PATIENT).toEqual([]);
    const folders = readdirSync(path.join(harbor.data, 'sessions'));
    expect(folders.filter((folder) => handles.includes(folder))).toEqual([]);
    expect(await harbor.stop()).toBe(0);
  },
  LIMIT_MS,
);
