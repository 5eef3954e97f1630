import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { addListeners, onAbort } from '../../electron/host/listeners';

it('removes the listeners that it has added, and no others', () => {
  const emitter = new EventEmitter<{ data: [text: string]; close: [] }>();
  const received: string[] = [];
  const other = () => undefined;
  emitter.on('close', other);
  const remove = addListeners(emitter, (on) => {
    on('data', (text) => received.push(text));
    on('close', () => received.push('closed'));
  });
  emitter.emit('data', 'one');
  emitter.emit('close');
  remove();
  emitter.emit('data', 'two');
  expect(received).toEqual(['one', 'closed']);
  expect(emitter.listeners('data')).toEqual([]);
  expect(emitter.listeners('close')).toEqual([other]);
});

it('calls an action at an abort, unless it was removed before', () => {
  const controller = new AbortController();
  const called: string[] = [];
  onAbort(controller.signal, () => called.push('added'));
  onAbort(controller.signal, () => called.push('removed'))();
  controller.abort();
  expect(called).toEqual(['added']);
  onAbort(controller.signal, () => called.push('late'));
  expect(called).toEqual(['added', 'late']);
});
