import { describe, expect, it } from 'vitest';
import { lisplyPath } from '../../electron/compat/lisply/lisply-backend';
import { routeOf } from '../../electron/endpoints/http/http-server';
import {
  bearerToken,
  isOwnHost,
  isOwnOrigin,
  preflightHeaders,
} from '../../electron/endpoints/http/loopback-http';

describe('guard', () => {
  it('knows its own hosts exactly', () => {
    expect(isOwnHost(['127.0.0.1:4617'], 4617)).toBe(true);
    expect(isOwnHost(['localhost:4617'], 4617)).toBe(true);
    for (const host of [
      undefined,
      '',
      'localhost',
      '127.0.0.1:461',
      '127.0.0.1:46170',
      'localhost:4617.evil',
      '[::1]:4617',
    ]) {
      expect(isOwnHost(host === undefined ? host : [host], 4617)).toBe(false);
      expect(isOwnHost(['127.0.0.1:4617', 'evil.example'], 4617)).toBe(false);
    }
  });

  it('knows its own origins exactly', () => {
    expect(isOwnOrigin('http://127.0.0.1:4617', 4617, 'http')).toBe(true);
    for (const origin of [
      'null',
      '',
      '127.0.0.1:4617',
      'https://localhost:4617',
      'http://localhost:4617/',
      'http://localhost:1',
    ]) {
      expect(isOwnOrigin(origin, 4617, 'http')).toBe(false);
    }
    expect(preflightHeaders('http://localhost:4617')).not.toHaveProperty('access-control-allow-credentials');
  });

  it('reads a bearer token and nothing else', () => {
    expect(bearerToken('Bearer abc-._~+/=')).toBe('abc-._~+/=');
    expect(bearerToken('bearer abc')).toBe('abc');
    for (const header of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Bearer a b',
      'Basic abc',
      'Bearer a,b',
      ` Bearer a`,
    ]) {
      expect(bearerToken(header)).toBeUndefined();
    }
    expect(bearerToken(`Bearer ${'a'.repeat(10_000)}`)).toBeUndefined();
  });
});

describe('route', () => {
  const lisplyBelow = (prefix: string) => (method: string, path: string) => lisplyPath(method, path, prefix);
  const served = { profiles: ['default', 'acl2'], mounts: [lisplyBelow('lisply')] };
  const route = (method: string, target: string) => routeOf(method, target, served);

  it('finds the profile, or that none is named', () => {
    expect(route('POST', '/mcp')).toEqual({ to: 'mcp', profile: null });
    expect(route('GET', '/mcp?x=1')).toEqual({ to: 'mcp', profile: null });
    expect(route('DELETE', '/mcp/acl2')).toEqual({ to: 'mcp', profile: 'acl2' });
  });

  it('knows no other path, however it is written', () => {
    for (const target of [
      '',
      '*',
      '/',
      '/MCP',
      '/mcp/',
      '//mcp',
      '/mcp/../health',
      '/mcp/acl2/',
      'http://x/mcp',
      '/mcp/__proto__',
    ]) {
      expect([target, route('POST', target).to]).toEqual([target, 'nowhere']);
    }
    expect(route('OPTIONS', '/mcp/none').to).toBe('nowhere');
  });

  it('allows the methods of each path', () => {
    expect(route('OPTIONS', '/mcp/acl2')).toEqual({
      to: 'preflight',
      allow: 'GET, POST, DELETE, OPTIONS',
    });
    expect(route('PUT', '/mcp')).toEqual({ to: 'wrong-method', allow: 'GET, POST, DELETE, OPTIONS' });
    expect(route('GET', '/health')).toEqual({ to: 'health' });
    expect(route('OPTIONS', '/health')).toEqual({ to: 'wrong-method', allow: 'GET' });
  });

  it('finds what Lisply is asked below its prefix, and of which session', () => {
    expect(route('GET', '/lisply/ping-lisp')).toEqual({ to: 'lisply', operation: 'ping' });
    expect(route('GET', '/lisply/tools/list')).toEqual({ to: 'lisply', operation: 'tools' });
    expect(route('POST', '/lisply/sbcl-1/lisp-eval?x=1')).toEqual({
      to: 'lisply',
      operation: 'eval',
      session: 'sbcl-1',
    });
    expect(route('GET', '/lisply/lisp-eval')).toEqual({ to: 'wrong-method', allow: 'POST, OPTIONS' });
    expect(route('OPTIONS', '/lisply/lisp-eval')).toEqual({ to: 'preflight', allow: 'POST, OPTIONS' });
    const deep = routeOf('GET', '/a/b/ping-lisp', { ...served, mounts: [lisplyBelow('a/b')] });
    expect(deep).toEqual({ to: 'lisply', operation: 'ping' });
    for (const target of [
      '/lisply',
      '/lisply/',
      '/lisply/tools',
      '/lisply/a/b/ping-lisp',
      '/LISPLY/ping-lisp',
    ])
      expect([target, route('GET', target).to]).toEqual([target, 'nowhere']);
  });
});
