/** What a client of the ACL2 Bridge gets that reads slowly. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { MessageWriter } from '../../electron/compat/acl2-bridge/bridge-frames';

const MIB = 1024 * 1024;

it('keeps little for a client that does not read, and tells it what is missing', async () => {
  const stream = new PassThrough({ highWaterMark: MIB });
  const messages = new MessageWriter(stream);
  for (let mebibytes = 0; mebibytes < 64; mebibytes += 1) messages.print('x'.repeat(MIB));
  expect(stream.writableLength + stream.readableLength).toBeLessThan(8 * MIB);
  messages.send('RETURN', '3');
  stream.end();
  const received = await text(stream);
  const sent = received.split('STDOUT 1048576\n').length - 1;
  expect(received).toContain(`… ${(64 - sent) * MIB} characters were not sent`);
  expect(received).toMatch(/not read in time …\n\nRETURN 1\n3\n$/);
});
