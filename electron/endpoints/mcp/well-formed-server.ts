/** A server whose messages any reader of JSON takes, whatever an image printed or a client sent (`host/well-formed.ts`). */
import {
  type JSONRPCRequest,
  type Result,
  Server,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server';
import { wellFormedData } from '../../host/well-formed';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

export class WellFormedServer extends Server {
  override connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(wellFormedData(message), options);
    return super.connect(transport);
  }

  /**
   * The SDK checks each call of a tool a second time, and what answers it, against schemas, which takes a tenth of an
   * evaluation. Our answers have one type, so calls are wrapped as those of the other methods are that may ask back.
   */
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    return super._wrapHandler(method === 'tools/call' ? 'prompts/get' : method, handler);
  }
}
