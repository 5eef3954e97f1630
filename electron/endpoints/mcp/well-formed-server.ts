/** A server whose messages any reader of JSON takes, whatever an image printed or a client sent (`host/well-formed.ts`). */
import { Server, type Transport } from '@modelcontextprotocol/server';
import { wellFormedData } from '../../host/well-formed';

export class WellFormedServer extends Server {
  override connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(wellFormedData(message), options);
    return super.connect(transport);
  }
}
