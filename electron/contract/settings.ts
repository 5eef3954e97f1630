/** The settings file: one schema, defaults included. Only the harbor that holds the data folder writes it. */
import { z } from 'zod';
import { AllowEntry } from './allow-list';
import { LANGUAGE_CHOICES, THEMES } from './appearance';
import { ApprovalRule } from './approvals';
import { CpuSeconds, HeapMiB, OutputChars } from './memory';
import { EngineName } from './model';
import { TrustTag } from './proof';
import { RedactedPattern } from './redaction';
import { Container, ServerAddress } from './server';
import { UpdateChannel } from './updates';

/** What a person is called for who does not look at the window. */
export const CallsFor = z.object({
  approvals: z.boolean().default(true),
  heldErrors: z.boolean().default(true),
  finishedJobs: z.boolean().default(true),
  droppedClients: z.boolean().default(true),
});
export type CallsFor = z.infer<typeof CallsFor>;

export const Settings = z.object({
  version: z.literal(1).default(1),
  theme: z.enum(THEMES).default('system'),
  language: z.enum(LANGUAGE_CHOICES).default('system'),
  /** Port of the HTTP endpoint; 0 takes any free one. */
  port: z.number().int().min(0).max(65535).default(4617),
  /** Engine of new sessions; absent means `sbcl` where it is found, else `nbb`. */
  engine: EngineName.optional(),
  /** Folders a person approved as projects; one below an approved folder is approved too. */
  projects: z.array(z.string()).default([]),
  /** The project of sessions opened in the window. */
  project: z.string().optional(),
  /** Folders that images and the file tools may read or write beside the project; a person adds them. */
  allowList: z.array(AllowEntry).default([]),
  /** Projects whose images may open network connections; one below such a folder too. */
  networkProjects: z.array(z.string()).default([]),
  /** Folders of default entries that a person took off: libraries, and a project's `.git`, which then may be written. */
  withoutDefaults: z.array(z.string()).default([]),
  /** Reasons why images are not sandboxed that a person has accepted: results do not tell of those any more. */
  acceptedUnsandboxed: z.array(z.string().max(4000)).default([]),
  /** What clients may do without asking, beside what is usual; the later of two rules wins. */
  approvals: z.array(ApprovalRule).default([]),
  /** Servers that sessions may be attached to; a person names them here or in the window. */
  servers: z.array(ServerAddress).default([]),
  /** Containers in which a Lisply backend may be started; a person names them here or in the window. */
  containers: z.array(Container).default([]),
  /** A client then sees only its own rows of the history. */
  ownHistoryOnly: z.boolean().default(false),
  /** How many days evaluations and calls are kept in the history; null for ever. What an open session rests on stays. */
  historyDays: z.number().int().min(1).max(36_500).nullable().default(null),
  /** How much the history may hold, in 10^9 bytes; null for any amount. Beyond it the output and long values of the oldest
   * evaluations go; their code stays. */
  historyGigabytes: z.number().int().min(1).max(100_000).nullable().default(20),
  /** Texts that are taken out of all that is written into the history from then on, as contract/redaction.ts says. */
  redact: z.array(RedactedPattern).max(200).default([]),
  /** Keys and tokens of well-known services as well. */
  redactWellKnown: z.boolean().default(false),
  /** Milliseconds after which a call answers with a job while its evaluation goes on. */
  softLimitMs: z.number().int().min(100).max(600_000).default(45_000),
  /** Milliseconds between two questions to an attached nREPL server whether it is there. */
  heartbeatMs: z.number().int().min(1_000).max(600_000).default(45_000),
  /** The command line of an SBCL of one's own, program first: what it loads is there in each new image. */
  sbclCommand: z.array(z.string().min(1)).min(1).optional(),
  /** Heap of a new SBCL image in MiB. */
  sbclHeapMiB: HeapMiB.default(2048),
  /** Memory that a new ACL2 image may fill, in MiB. */
  acl2HeapMiB: HeapMiB.default(2048),
  /** Trust tags, by name, that ACL2's certified system books may use; what uses one says so. */
  acl2TrustTags: z.array(TrustTag).default([]),
  /** Heap of a new JVM in MiB. */
  javaHeapMiB: HeapMiB.default(1024),
  /** Processor time of one evaluation in a new session; null for as much as it takes. */
  cpuSeconds: CpuSeconds.nullable().default(null),
  /** Characters that one evaluation in a new session may print: by default as many as the history keeps of it. */
  outputChars: OutputChars.default(4 * 1024 * 1024),
  /** Keep images started for sessions to come, as many as were opened lately suggest. */
  keepReady: z.boolean().default(true),
  /** Sessions of the last time are asleep when the harbor is started again, and come back when they are used. */
  sessionsComeBack: z.boolean().default(true),
  /** The harbor goes on when its window is closed, where a tray brings that back. */
  keepRunning: z.boolean().default(true),
  /** Starts hidden when the person logs in. */
  startAtLogin: z.boolean().default(false),
  /** Memory is called short when less than this many MiB of it are available. */
  memoryReserveMiB: z.number().int().min(0).max(1_048_576).default(512),
  /** Which newer versions of the app are looked for, where it was built with an address for them. */
  updates: UpdateChannel.default('stable'),
  /** Home shows the first steps while there are any: a Lisp to install, a program to connect. */
  firstSteps: z.boolean().default(true),
  /** Keyboard shortcuts that a person chose, by command, as `Mod+Shift+K`; '' for none. */
  shortcuts: z.record(z.string().max(60), z.string().max(40)).default({}),
  /** For what a notification calls a person who does not look at the window. */
  callsFor: CallsFor.prefault({}),
  /** The folder of SLIME, with swank-loader.lisp in it; absent means that it is looked for. */
  slimeFolder: z.string().min(1).optional(),
});
export type Settings = z.infer<typeof Settings>;

/**
 * Which settings restrict: what clients and images may do, reach, see or take. One of those that cannot be read must not be
 * taken for one that says nothing: the harbor does not start, and one that runs keeps what was in force. Of the others the
 * default is harmless. A new setting has to be here.
 */
export const RESTRICTS: Readonly<Record<keyof Settings, boolean>> = {
  // A file of another version may mean something else by any of its settings.
  version: true,
  theme: false,
  language: false,
  port: false,
  engine: false,
  projects: true,
  project: true,
  allowList: true,
  networkProjects: true,
  withoutDefaults: true,
  acceptedUnsandboxed: true,
  approvals: true,
  servers: true,
  containers: true,
  ownHistoryOnly: true,
  historyDays: false,
  historyGigabytes: false,
  redact: true,
  redactWellKnown: true,
  softLimitMs: false,
  heartbeatMs: false,
  // A person's own command may be what confines or bounds their SBCL.
  sbclCommand: true,
  sbclHeapMiB: true,
  acl2HeapMiB: true,
  acl2TrustTags: true,
  javaHeapMiB: true,
  cpuSeconds: true,
  outputChars: true,
  keepReady: false,
  sessionsComeBack: false,
  keepRunning: false,
  startAtLogin: false,
  memoryReserveMiB: true,
  updates: false,
  firstSteps: false,
  shortcuts: false,
  callsFor: false,
  slimeFolder: false,
};

const { shape } = Settings;

/** A change names some settings. It has no defaults: they would set back every setting that it does not name. */
export const SettingsChange = z
  .object({
    theme: shape.theme.unwrap(),
    language: shape.language.unwrap(),
    port: shape.port.unwrap(),
    engine: shape.engine,
    projects: shape.projects.unwrap(),
    project: shape.project,
    allowList: shape.allowList.unwrap(),
    networkProjects: shape.networkProjects.unwrap(),
    withoutDefaults: shape.withoutDefaults.unwrap(),
    acceptedUnsandboxed: shape.acceptedUnsandboxed.unwrap(),
    approvals: shape.approvals.unwrap(),
    servers: shape.servers.unwrap(),
    containers: shape.containers.unwrap(),
    ownHistoryOnly: shape.ownHistoryOnly.unwrap(),
    historyDays: shape.historyDays.unwrap(),
    historyGigabytes: shape.historyGigabytes.unwrap(),
    redact: shape.redact.unwrap(),
    redactWellKnown: shape.redactWellKnown.unwrap(),
    softLimitMs: shape.softLimitMs.unwrap(),
    heartbeatMs: shape.heartbeatMs.unwrap(),
    sbclHeapMiB: shape.sbclHeapMiB.unwrap(),
    acl2HeapMiB: shape.acl2HeapMiB.unwrap(),
    acl2TrustTags: shape.acl2TrustTags.unwrap(),
    javaHeapMiB: shape.javaHeapMiB.unwrap(),
    cpuSeconds: shape.cpuSeconds.unwrap(),
    outputChars: shape.outputChars.unwrap(),
    keepReady: shape.keepReady.unwrap(),
    sessionsComeBack: shape.sessionsComeBack.unwrap(),
    keepRunning: shape.keepRunning.unwrap(),
    startAtLogin: shape.startAtLogin.unwrap(),
    memoryReserveMiB: shape.memoryReserveMiB.unwrap(),
    updates: shape.updates.unwrap(),
    firstSteps: shape.firstSteps.unwrap(),
    shortcuts: shape.shortcuts.unwrap(),
    callsFor: CallsFor,
    slimeFolder: shape.slimeFolder,
  })
  .partial();
export type SettingsChange = z.infer<typeof SettingsChange>;
