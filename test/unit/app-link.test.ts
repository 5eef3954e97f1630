/** Links to places in the window: those of the table and no others. */
import { describe, expect, it } from 'vitest';
import { isLinkedRoute, routeOfLink } from '../../electron/host/app-link';

describe('a link', () => {
  it.each([
    ['lisp-harbor://home', '#/home'],
    ['lisp-harbor://settings/', '#/settings'],
    ['LISP-HARBOR://history/812', '#/history/812'],
    ['lisp-harbor://history/call/7', '#/history/call/7'],
    ['lisp-harbor://sessions/sbcl-nzn3a3', '#/sessions/sbcl-nzn3a3'],
  ])('%s leads to %s', (link, route) => {
    expect(routeOfLink(link)).toBe(route);
    expect(isLinkedRoute(route)).toBe(true);
  });

  it.each([
    'lisp-harbor://',
    'lisp-harbor://eval/(quit)',
    'lisp-harbor://sessions/a/b/c',
    'lisp-harbor://sessions/../settings',
    'lisp-harbor://history/812?run=1',
    'lisp-harbor://history/1#/settings',
    'lisp-harbor://home\n',
    'https://history/812',
    'history/812',
  ])('%j leads nowhere', (link) => {
    expect(routeOfLink(link)).toBeNull();
  });
});
