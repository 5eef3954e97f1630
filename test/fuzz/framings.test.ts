/** How messages are cut out of bytes: by lines, by lengths, by commands among text. */
import { Buffer } from 'node:buffer';
import { frame as bridgeFrame, CommandReader } from '../../electron/compat/acl2-bridge/bridge-frames';
import { TelnetReader } from '../../electron/compat/telnet/telnet-reader';
import { BencodeDecoder, BencodeError } from '../../electron/host/bencode';
import { LineReader } from '../../electron/host/line-reader';
import { FrameDecoder, frame as swankFrame } from '../../electron/host/swank-framing';
import { FrameReader, type WirePiece } from '../../electron/images/acl2/wire';
import { fuzzFraming } from './parser';
import { conversations, recorded } from './recorded';

const NONCE = '1cce646a4049330c4e2039811b73155e';

/** As the helper in ACL2 writes a record, with what was printed before it. */
function acl2Frame(text: string): string {
  return `printed λ\n\x1e${NONCE} ${Buffer.byteLength(text)}\n${text}\n`;
}

fuzzFraming({
  name: 'lines',
  seeds: conversations(recorded('agent-events'), (event) => `${event}\r\n`),
  tokens: ['\n', '\r\n', '{"event":"left","id":1,"level":1}\n'],
  reader: () => new LineReader(1_000),
});

fuzzFraming({
  name: 'bencode',
  seeds: conversations(recorded('nrepl-messages'), (message) => message),
  tokens: ['d', 'l', 'e', 'i1e', '1:a', '0:', 'i-', '3:', 'd1:ale', '9:__proto__', '9007199254740993'],
  reader: () => new BencodeDecoder({ bytes: 200_000 }),
  refuses: (error) => error instanceof BencodeError,
});

fuzzFraming({
  name: 'frames of Swank',
  seeds: conversations(recorded('swank-messages'), swankFrame),
  tokens: ['000000', '000004', '(:a)', '00000A', '0000ff', '-00001'],
  reader: () => new FrameDecoder(),
  refuses: (error) => error instanceof Error && error.message === 'a message does not begin with its length',
});

fuzzFraming<WirePiece>({
  name: 'frames of ACL2',
  seeds: conversations(recorded('acl2-records'), acl2Frame),
  tokens: [`\x1e${NONCE} `, `\x1e${NONCE} 2\n{}\n`, `\x1e${NONCE} 0\n\n`, '\x1e', '12\n', NONCE.slice(0, 9)],
  reader: () => {
    const reader = new FrameReader();
    reader.expect(NONCE);
    return reader;
  },
  whole: joinedText,
});

fuzzFraming<WirePiece>({
  name: 'output of ACL2 before anything is expected of it',
  seeds: conversations(recorded('acl2-commentary'), (text) => text),
  tokens: ['\x1e', '12\n', '2\n{}\n', `\x1e${NONCE} 2\n{}\n`],
  reader: () => new FrameReader(),
  whole: joinedText,
});

fuzzFraming({
  name: 'commands of the ACL2 Bridge',
  seeds: [
    bridgeFrame('LISP', '(+ 1 2)').toString('latin1'),
    ['LISP', 'JSON', 'LISP_MV'].map((type) => bridgeFrame(type, '(list "λ" 1)').toString('latin1')).join(''),
    `LISP 3\nλ𝒳x\n`,
  ],
  tokens: ['LISP 7\n', 'LISP ', '(+ 1 2)\n', 'JSON_MV 1\nT\n', '\x80', '4194305\n', 'X 0\n\n'],
  broke: [[`LISP 7\n${'\x80'.repeat(28)}(+ 1 2)\nLISP 7\n(+ 1 2)\n`, []]],
  reader: () => new CommandReader(),
  // After what is no frame all is dropped that is there by then, so how it came decides how much that is.
  whole: (messages) => {
    const wrong = messages.findIndex(({ kind }) => kind !== 'command');
    return wrong < 0 ? messages : messages.slice(0, wrong + 1);
  },
});

fuzzFraming({
  name: 'telnet',
  seeds: [
    '123456\r\n(+ 1 2)\r\n',
    '\xff\xfd\x03\xff\xfb\x18(car\r\0\xff\xf4\xff\xfa\x18\x00xterm\xff\xf0\x04',
    '\xce\xbb\n',
  ],
  tokens: ['\xff', '\xff\xfd\x01', '\xff\xfa', '\xff\xf0', '\xff\xf4', '\r\0', '\r\n', '\x03', '\x04', 'a'],
  reader: () => new TelnetReader(100),
});

/** Text may be told in pieces; between frames it is one. */
function joinedText(said: readonly WirePiece[]): WirePiece[] {
  const whole: WirePiece[] = [];
  for (const each of said) {
    const last = whole.at(-1);
    if ('text' in each && last && 'text' in last) whole.splice(-1, 1, { text: last.text + each.text });
    else whole.push(each);
  }
  return whole;
}
