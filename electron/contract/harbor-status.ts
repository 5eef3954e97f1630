/** State of the harbor as a whole: endpoint, ports, installable engines, updates, log and diagnostics. */
import { z } from 'zod';
import { ApplicationView } from './application';
import { EngineFound, EngineName, SandboxReport, SessionId } from './model';

const port = z.object({ host: z.string(), port: z.number().int() });

/** A port with the number of its present connections. */
const connected = port.extend({ connections: z.number().int() });

/** The protocols of the servers that Emacs uses for Common Lisp: Swank for SLIME, Slynk for SLY. */
export const EmacsProtocol = z.enum(['swank', 'slynk']);
export type EmacsProtocol = z.infer<typeof EmacsProtocol>;

/** The protocols of editor ports. */
export const EditorProtocol = z.enum(['nrepl', ...EmacsProtocol.options]);
export type EditorProtocol = z.infer<typeof EditorProtocol>;

/**
 * A local port for a person's editor. `session` is null until the first editor connects to a port without a
 * session; `version` is that of SLIME or SLY, null until its server is loaded or if it does not report one;
 * `portFile` is the file in the project that has the port.
 */
export const EditorPortView = connected.extend({
  protocol: EditorProtocol,
  session: SessionId.nullable(),
  version: z.string().nullable(),
  portFile: z.string().nullable(),
  /** A command, or a path of menus, for each editor that speaks the protocol. */
  connect: z.array(z.object({ editor: z.string(), enter: z.string() })),
});
export type EditorPortView = z.infer<typeof EditorPortView>;

/** The ACL2 Bridge on a port, a Unix socket, or both. Each connection has its own world. */
export const Acl2BridgeView = connected.extend({
  port: z.number().int().nullable(),
  socket: z.string().nullable(),
});
export type Acl2BridgeView = z.infer<typeof Acl2BridgeView>;

/** The Lisply port, which requires no token. */
export const LisplyView = port.extend({ url: z.string() });
export type LisplyView = z.infer<typeof LisplyView>;

/** The port for MCP over lines. Each connection is a client of its own. */
export const TcpView = connected.extend({ profile: z.string() });
export type TcpView = z.infer<typeof TcpView>;

/** The telnet port. `code` admits the next connection, once. */
export const TelnetView = connected.extend({ code: z.string() });
export type TelnetView = z.infer<typeof TelnetView>;

/** The open ports; null for a closed one. */
export const OpenPorts = z.object({
  swank: z.array(EditorPortView),
  slynk: z.array(EditorPortView),
  nrepl: z.array(EditorPortView),
  acl2Bridge: Acl2BridgeView.nullable(),
  lisply: LisplyView.nullable(),
  tcp: TcpView.nullable(),
  telnet: TelnetView.nullable(),
});
export type OpenPorts = z.infer<typeof OpenPorts>;

/** A missing component and the packages that install it. Only the user installs packages. */
export const Missing = z.object({
  /** An engine, or the sandbox. */
  brings: z.union([EngineName, z.literal('bubblewrap')]),
  packages: z.array(z.string()),
});
export type Missing = z.infer<typeof Missing>;

export const Installable = z.object({
  /** The command to type before the package names. */
  command: z.string(),
  missing: z.array(Missing),
});
export type Installable = z.infer<typeof Installable>;

/** State of app updates. */
export const UpdateChannel = z.enum(['off', 'stable', 'beta']);
export type UpdateChannel = z.infer<typeof UpdateChannel>;

const version = z.string();

export const UpdateView = z.discriminatedUnion('state', [
  /** This build has no update address. */
  z.object({ state: z.literal('absent') }),
  z.object({ state: z.literal('off') }),
  z.object({ state: z.literal('looking') }),
  /** No newer version was found; `at` in milliseconds since the epoch. */
  z.object({ state: z.literal('current'), at: z.number() }),
  z.object({ state: z.literal('found'), version }),
  z.object({ state: z.literal('getting'), version, percent: z.number() }),
  /**
   * Downloaded and verified. `installed`: it has already replaced the running app, which only needs a
   * restart. `wanted`: it is installed as soon as no evaluation runs.
   */
  z.object({
    state: z.literal('ready'),
    version,
    installed: z.boolean(),
    wanted: z.boolean(),
    running: z.number().int(),
  }),
  z.object({ state: z.literal('failed'), reason: z.string() }),
]);
export type UpdateView = z.infer<typeof UpdateView>;

/**
 * Overview of the harbor. `problem` says why the endpoint does not listen; `notices` are sentences to show,
 * including those about the settings file.
 */
export const HarborStatus = z.object({
  version: z.string(),
  dataFolder: z.string(),
  project: z.string(),
  /** null if no engine was found. */
  defaultEngine: EngineName.nullable(),
  engines: z.array(EngineFound),
  sandbox: SandboxReport,
  /** `httpsUrl` is null unless TLS is enabled. */
  endpoint: z.object({
    url: z.string().nullable(),
    httpsUrl: z.string().nullable(),
    problem: z.string().nullable(),
  }),
  ports: OpenPorts,
  applications: z.array(ApplicationView),
  settingsProblems: z.array(z.string()),
  notices: z.array(z.string()),
});
export type HarborStatus = z.infer<typeof HarborStatus>;

/** Log of the harbor and of its sessions, one sentence a line. */
export const LogLevel = z.enum(['debug', 'info', 'warn', 'error']);
export type LogLevel = z.infer<typeof LogLevel>;

/** `at` is milliseconds since the epoch. */
export const LogLine = z.object({ at: z.number(), level: LogLevel, text: z.string() });
export type LogLine = z.infer<typeof LogLine>;

/** The last lines of the log, oldest first. `whole` is false if there are more. */
export const HarborLog = z.object({ folder: z.string(), lines: z.array(LogLine), whole: z.boolean() });
export type HarborLog = z.infer<typeof HarborLog>;

/** A tool as clients see it; `inputSchema` is JSON Schema. */
export const OfferedTool = z.object({
  name: z.string(),
  description: z.string().default(''),
  inputSchema: z.record(z.string(), z.unknown()),
});
export type OfferedTool = z.infer<typeof OfferedTool>;

/** The JSON-RPC messages as sent, and the response time in milliseconds. */
export const ToolTrial = z.object({ request: z.string(), reply: z.string(), ms: z.number() });
export type ToolTrial = z.infer<typeof ToolTrial>;
