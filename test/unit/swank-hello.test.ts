/** What may come to a Swank port, told by its first bytes. */
import { describe, expect, it } from 'vitest';
import { type Opening, openingOf } from '../../electron/endpoints/editors/swank';

const opening = (...parts: string[]): Opening => openingOf(Buffer.from(parts.join('')));

const MESSAGE = '000016(:emacs-rex (swank:connection-info) nil t 1)';

describe('the opening of a connection', () => {
  it('is SLIME’s when a list comes after six hex digits', () => {
    expect(opening(MESSAGE)).toEqual({ editor: 'SLIME', secretBytes: 0 });
    expect(opening('00000A(:emacs-rex nil')).toEqual({ editor: 'SLIME', secretBytes: 0 });
    expect(opening('000004(:a)')).toEqual({ editor: 'SLIME', secretBytes: 0 });
  });

  it('may be a secret, which is told apart from what follows', () => {
    expect(opening('000007éhush!', MESSAGE)).toEqual({ editor: 'SLIME', secretBytes: 13 });
  });

  it('is awaited while it may still be either', () => {
    const beginnings = [
      '',
      '0',
      '000016',
      '000006hus',
      '000006hush!!',
      '000006hush!!0000',
      '000032(:emacs-rex',
      MESSAGE.slice(0, 20),
    ];
    for (const begun of beginnings) expect(opening(begun), begun).toBe('undecided');
  });

  it('is SLY’s when it calls Slynk, also after a secret', () => {
    const message = '00002c(:emacs-rex (slynk:connection-info) nil t 1)';
    expect(opening(message)).toEqual({ editor: 'SLY', secretBytes: 0 });
    expect(opening(`000005hush!${message}`)).toEqual({ editor: 'SLY', secretBytes: 11 });
    for (const begun of [message.slice(0, 30), message.slice(0, 8)])
      expect(opening(begun), begun).toBe('undecided');
  });

  it.each([
    ['a web page', 'GET / HTTP/1.1\r\n'],
    ['a web page that posts', 'POST / HTTP/1.1\r\n'],
    ['a method that begins like a number', 'DELETE / HTTP/1.1'],
    ['TLS', '\x16\x03\x01\x02\x00'],
    ['MCP', '{"jsonrpc":"2.0"}'],
    ['what is too long for a secret', '0f0000hush'],
    ['two secrets', '000002hi000002ho'],
    ['too long for a first message', '0f0000(:emacs-rex'],
    ['a secret and then a web page', '000002hiGET /'],
  ])('is foreign when it is %s', (_name, bytes) => {
    expect(opening(bytes)).toBe('foreign');
  });

  it('is decided no later than its first foreign byte', () => {
    expect(opening('G')).toBe('foreign');
    expect(opening('\x16')).toBe('foreign');
  });
});
