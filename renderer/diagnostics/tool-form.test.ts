/** Form fields from a schema, and arguments from form fields. */
import { expect, it } from 'vitest';
import { argumentsOf, fieldsOf, indented } from './tool-form';

const fields = fieldsOf({
  inputSchema: {
    type: 'object',
    properties: {
      session: { type: 'string' },
      code: { type: 'string', description: 'Lisp code' },
      on_error: { type: 'string', enum: ['report', 'debug'] },
      wait_ms: { type: 'integer' },
      try: { type: 'boolean' },
      edits: { type: 'array' },
    },
    required: ['code'],
  },
});

it('makes a field of each argument, those that are required first', () => {
  expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
    ['code', 'text'],
    ['session', 'line'],
    ['on_error', 'choice'],
    ['wait_ms', 'number'],
    ['try', 'choice'],
    ['edits', 'json'],
  ]);
  expect(fields[0]).toMatchObject({ isRequired: true, about: 'Lisp code' });
});

it('makes arguments of what is typed, and names what cannot be read', () => {
  const typed = {
    code: '(+ 1 2)',
    on_error: 'debug',
    wait_ms: '50',
    try: 'true',
    edits: '[1]',
    session: ' ',
  };
  expect(argumentsOf(fields, typed)).toEqual({
    json: JSON.stringify({ code: '(+ 1 2)', on_error: 'debug', wait_ms: 50, try: true, edits: [1] }, null, 2),
  });
  expect(argumentsOf(fields, { edits: '[' })).toEqual({ problem: 'edits' });
  expect(argumentsOf(fields, { wait_ms: '"soon"' })).toEqual({ problem: 'wait_ms' });
});

it('has fields of no schema but an object’s', () => {
  expect(fieldsOf({ inputSchema: {} })).toEqual([]);
});

it('indents what is JSON', () => {
  expect(indented('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(indented('no')).toBe('no');
});
