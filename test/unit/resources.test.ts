/** The shelf of resources over families of its own: pages, cursors and addresses. */
import { describe, expect, it } from 'vitest';
import {
  addressOf,
  OfferedResources,
  RESOURCES_PAGE,
  type ResourceFamily,
  variablesOf,
} from '../../electron/tools/resources/resource';

const TEMPLATE = {
  uriTemplate: 'lisp://number/{id}/text',
  name: 'number',
  title: 'A number',
  description: 'A number.',
  mimeType: 'text/plain',
};

function numbers(ids: () => readonly string[]): ResourceFamily {
  const { uriTemplate: _, ...rest } = TEMPLATE;
  return {
    template: TEMPLATE,
    list: () => ids().map((id) => ({ ...rest, uri: addressOf(TEMPLATE, { id }) })),
    exists: ({ id = '' }) => ids().includes(id),
    read: async ({ id = '' }) => `number ${id}`,
    values: () => ids(),
  };
}

function shelfOf(ids: () => readonly string[]): OfferedResources {
  return new OfferedResources([numbers(ids)], () => ({
    client: { key: 'a', scopes: new Set() },
    project: '/p',
  }));
}

describe('a shelf', () => {
  it('is listed page by page, each resource once', () => {
    const ids = Array.from({ length: 2 * RESOURCES_PAGE + 1 }, (_, n) => String(n));
    const shelf = shelfOf(() => ids);
    const first = shelf.list();
    const second = shelf.list(first.next);
    const third = shelf.list(second.next);
    expect([first, second, third].map(({ resources }) => resources.length)).toEqual([50, 50, 1]);
    expect(third.next).toBeUndefined();
    const listed = [first, second, third].flatMap(({ resources }) => resources.map(({ uri }) => uri));
    expect(listed).toEqual(ids.map((id) => `lisp://number/${id}/text`));
  });

  it('has no empty page after a full one', () => {
    const ids = Array.from({ length: RESOURCES_PAGE }, (_, n) => String(n));
    expect(shelfOf(() => ids).list().next).toBeUndefined();
  });

  it('goes on where the page ended, although earlier ones are gone, and refuses a cursor that is gone', () => {
    let ids = Array.from({ length: RESOURCES_PAGE + 5 }, (_, n) => String(n));
    const shelf = shelfOf(() => ids);
    const { next } = shelf.list();
    ids = ids.slice(3);
    expect(shelf.list(next).resources.map(({ uri }) => uri)).toEqual(
      ids.slice(RESOURCES_PAGE - 3).map((id) => `lisp://number/${id}/text`),
    );
    ids = [];
    expect(() => shelf.list(next)).toThrow('The list has changed since that page');
  });

  it('reads by address and says so when there is none', async () => {
    const shelf = shelfOf(() => ['1 a/b']);
    const uri = 'lisp://number/1%20a%2Fb/text';
    expect(await shelf.read(uri)).toEqual({ uri, mimeType: 'text/plain', text: 'number 1 a/b' });
    await expect(shelf.read('lisp://number/2/text')).rejects.toMatchObject({ code: 'unknown_resource' });
  });
});

describe('a template', () => {
  it.each([
    ['lisp://number/12/text', { id: '12' }],
    ['lisp://number/a%2Fb/text', { id: 'a/b' }],
    ['lisp://number//text', null],
    ['lisp://number/12', null],
    ['lisp://number/12/text/', null],
    ['lisp://number/1/2/text', null],
    ['lisp://number/%E0%A4%A/text', null],
    ['http://number/12/text', null],
  ])('describes %s as %j', (uri, variables) => {
    expect(variablesOf(TEMPLATE, uri)).toEqual(variables);
  });
});
