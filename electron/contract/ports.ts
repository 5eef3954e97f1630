/** The ports that a harbor has open beside its one HTTP endpoint, as the window shows them. */
import { z } from 'zod';
import { SessionId } from './model';

const port = z.object({ host: z.string(), port: z.number().int() });

/** A port for one connection or several, and how many there are now. */
const connected = port.extend({ connections: z.number().int() });

/**
 * A port of this computer through which Emacs attaches to an image. `session` is null until the first one connects to
 * a port that serves no session yet, `version` of SLIME until Swank is loaded or when it does not say.
 */
export const SwankView = connected.extend({
  session: SessionId.nullable(),
  version: z.string().nullable(),
});
export type SwankView = z.infer<typeof SwankView>;

/** The ACL2 Bridge at a port, at a unix socket, or both, with a world for each connection. */
export const Acl2BridgeView = connected.extend({
  port: z.number().int().nullable(),
  socket: z.string().nullable(),
});
export type Acl2BridgeView = z.infer<typeof Acl2BridgeView>;

/** The port of Lisply that asks for no token. */
export const LisplyView = port.extend({ url: z.string() });
export type LisplyView = z.infer<typeof LisplyView>;

/** The port on which MCP is spoken in lines, with a client for each connection. */
export const TcpView = connected.extend({ profile: z.string() });
export type TcpView = z.infer<typeof TcpView>;

/** The port of telnet; `code` lets the next one in, once. */
export const TelnetView = connected.extend({ code: z.string() });
export type TelnetView = z.infer<typeof TelnetView>;

/** Those that are open; null for one that is not. */
export const OpenPorts = z.object({
  swank: z.array(SwankView),
  acl2Bridge: Acl2BridgeView.nullable(),
  lisply: LisplyView.nullable(),
  tcp: TcpView.nullable(),
  telnet: TelnetView.nullable(),
});
export type OpenPorts = z.infer<typeof OpenPorts>;
