/** Schema of the settings file, with defaults. Only the harbor that owns the data folder writes it. */
import { z } from 'zod';
import { Application } from './application';
import { ApprovalRule } from './approvals';
import { UpdateChannel } from './harbor-status';
import { ImageHost } from './image-host';
import { CpuSeconds, DiskMiB, EngineName, HeapMiB, OutputChars } from './model';
import { LANGUAGE_CHOICES, THEMES } from './option-values';
import { TrustTag } from './proof';
import { AllowEntry } from './sandbox';
import { Container, ServerAddress } from './server';

/** Replaces redacted text. Any text that contains it was redacted. */
export const REDACTED = '⟨redacted⟩';

/**
 * A redaction pattern, compared without case, that matches at the start of a word. Each `*` stands for one or
 * more characters except blanks, quotes, brackets, commas, semicolons and backslashes, so `sk-*` matches any
 * key with that prefix.
 */
export const RedactedPattern = z
  .string()
  .max(200)
  .refine((text) => text.replaceAll('*', '').trim().length >= 3, 'at least three letters in addition to *')
  .refine((text) => text.split('*').length <= 4, 'at most three *');

/** Prefixes of keys and tokens of well-known services. */
export const WELL_KNOWN_SECRETS: readonly string[] = [
  ...['sk-*', 'ghp_*', 'gho_*', 'github_pat_*', 'glpat-*', 'npm_*', 'xoxb-*', 'xoxp-*', 'AKIA*', 'AIza*'],
  ...['hf_*', 'Bearer *', 'eyJ*.*.*'],
];

export function isRedacted(text: string): boolean {
  return text.includes(REDACTED);
}

/** Events that notify the user while the window does not have the focus. */
export const NotificationSettings = z.object({
  approvals: z.boolean().default(true),
  heldErrors: z.boolean().default(true),
  finishedJobs: z.boolean().default(true),
  droppedClients: z.boolean().default(true),
});
export type NotificationSettings = z.infer<typeof NotificationSettings>;

export const Settings = z.object({
  version: z.literal(1).default(1),
  theme: z.enum(THEMES).default('system'),
  language: z.enum(LANGUAGE_CHOICES).default('system'),
  /** Port of the HTTP endpoint; 0 for any free port. */
  port: z.number().int().min(0).max(65535).default(4617),
  /** Engine of new sessions; absent: `sbcl` if it is installed, else `nbb`. */
  engine: EngineName.optional(),
  /** Folders that the user approved as projects; subfolders are approved too. */
  projects: z.array(z.string()).default([]),
  /** The project of sessions opened in the window. */
  project: z.string().optional(),
  /** Folders outside the project that images and file tools may access; added by the user. */
  allowList: z.array(AllowEntry).default([]),
  /** Projects whose images may use the network; includes subfolders. */
  networkProjects: z.array(z.string()).default([]),
  /** Ports of servers on this computer that images with network access may connect to. */
  loopbackPorts: z.array(z.number().int().min(1).max(65535)).max(200).default([]),
  /**
   * Folders of default entries that the user removed: libraries, and a project's `.git`, which then becomes
   * writable.
   */
  withoutDefaults: z.array(z.string()).default([]),
  /** Reasons for missing sandboxing that the user accepted; results then have no note about them. */
  acceptedUnsandboxed: z.array(z.string().max(4000)).default([]),
  /** Approval rules in addition to the defaults; of several for one class and client the last applies. */
  approvals: z.array(ApprovalRule).default([]),
  /** Servers that sessions may attach to; added by the user here or in the window. */
  servers: z.array(ServerAddress).default([]),
  /** Containers that may be started for a Lisply backend; added by the user here or in the window. */
  containers: z.array(Container).default([]),
  /** Programs that are kept running in images of their projects; named by the user. */
  applications: z
    .array(Application)
    .max(50)
    .refine(
      (all) => new Set(all.map(({ project }) => project)).size === all.length,
      'one application for each project',
    )
    .default([]),
  /** Other machines on which images may run; added by the user here. */
  hosts: z
    .array(ImageHost)
    .max(100)
    .refine(
      (hosts) => new Set(hosts.map(({ name }) => name)).size === hosts.length,
      'Two hosts have one name.',
    )
    .default([]),
  /** Whether a client sees only its own rows of the history. */
  ownHistoryOnly: z.boolean().default(false),
  /** Days that the history is kept; null for ever. Rows that open sessions depend on stay. */
  historyDays: z.number().int().min(1).max(36_500).nullable().default(null),
  /**
   * Maximum size of the history in 10^9 bytes; null for no limit. Beyond it, output and long values of the
   * oldest evaluations are removed; their code stays.
   */
  historyGigabytes: z.number().int().min(1).max(100_000).nullable().default(20),
  /** Redaction patterns for text that is written to the history from now on, as `RedactedPattern`. */
  redact: z.array(RedactedPattern).max(200).default([]),
  /** Whether to redact keys and tokens of well-known services too. */
  redactWellKnown: z.boolean().default(false),
  /** Milliseconds after which a call returns a job while its evaluation continues. */
  softLimitMs: z.number().int().min(100).max(600_000).default(45_000),
  /** Milliseconds between health checks of an attached nREPL server. */
  heartbeatMs: z.number().int().min(1_000).max(600_000).default(45_000),
  /** Command line of a custom SBCL, program first; what it loads is present in each new image. */
  sbclCommand: z.array(z.string().min(1)).min(1).optional(),
  /** Heap of a new SBCL image in MiB. */
  sbclHeapMiB: HeapMiB.default(2048),
  /** Memory that a new ACL2 image may fill, in MiB. */
  acl2HeapMiB: HeapMiB.default(2048),
  /**
   * Names of trust tags that ACL2's certified system books may use; results that depend on one have a note.
   */
  acl2TrustTags: z.array(TrustTag).default([]),
  /** Whether final checks believe the certificates of ACL2's system books instead of rebuilding these books. */
  acl2TrustSystemBooks: z.boolean().default(false),
  /** Heap of a new JVM in MiB. */
  javaHeapMiB: HeapMiB.default(1024),
  /** CPU seconds of one evaluation in a new session; null for no limit. */
  cpuSeconds: CpuSeconds.nullable().default(null),
  /** Output characters of one evaluation in a new session; by default the amount that the history saves. */
  outputChars: OutputChars.default(4 * 1024 * 1024),
  /** MiB by which the files of a session's own folder, with its HOME, may grow; null for no limit. */
  sessionDiskMiB: DiskMiB.nullable().default(2048),
  /** MiB by which a project may grow while a session works in it; null for no limit. */
  projectGrowthMiB: DiskMiB.nullable().default(10_240),
  /** Whether to preload images for new sessions, as many as recent use suggests. */
  keepReady: z.boolean().default(true),
  /** Whether sessions of the last run are asleep after a restart and restored when they are used. */
  sessionsComeBack: z.boolean().default(true),
  /** Whether the harbor continues when its window is closed, if there is a tray. */
  keepRunning: z.boolean().default(true),
  /** Whether to start hidden at login. */
  startAtLogin: z.boolean().default(false),
  /** Free memory in MiB below which memory is reported as short. */
  memoryReserveMiB: z.number().int().min(0).max(1_048_576).default(512),
  /** Update channel, for a build with an update address. */
  updates: UpdateChannel.default('stable'),
  /** Whether Home shows the first steps while there are any: a Lisp to install, a program to connect. */
  firstSteps: z.boolean().default(true),
  /** Custom keyboard shortcuts by command, such as `Mod+Shift+K`; '' for none. */
  shortcuts: z.record(z.string().max(60), z.string().max(40)).default({}),
  /** Events that notify the user while the window does not have the focus. */
  callsFor: NotificationSettings.prefault({}),
  /** The folder of SLIME, with swank-loader.lisp in it; absent: it is searched for. */
  slimeFolder: z.string().min(1).optional(),
  /** The folder of SLY, with slynk/slynk-loader.lisp in it; absent: it is searched for. */
  slyFolder: z.string().min(1).optional(),
  /**
   * Command line that opens a source file in the user's editor: words, of which `{file}` and `{line}` are replaced.
   * Started only by the user, never by an agent.
   */
  editor: z.string().min(1).max(1_000).optional(),
  /** The address of an OpenTelemetry collector that gets a span of each evaluation; absent: none. */
  spansTo: z.url({ protocol: /^https?$/ }).optional(),
});
export type Settings = z.infer<typeof Settings>;

/**
 * Whether a setting restricts clients or images. If a restricting setting cannot be read, it must not be
 * ignored: the harbor does not start, and a running one keeps the present value. For the others the default
 * is harmless. Every setting is listed.
 */
export const RESTRICTING: Readonly<Record<keyof Settings, boolean>> = {
  // A file of another version may define any setting differently.
  version: true,
  theme: false,
  language: false,
  port: false,
  engine: false,
  projects: true,
  project: true,
  allowList: true,
  networkProjects: true,
  loopbackPorts: true,
  withoutDefaults: true,
  acceptedUnsandboxed: true,
  approvals: true,
  servers: true,
  containers: true,
  applications: false,
  hosts: true,
  ownHistoryOnly: true,
  historyDays: false,
  historyGigabytes: false,
  redact: true,
  redactWellKnown: true,
  softLimitMs: false,
  heartbeatMs: false,
  // A custom command may sandbox or limit SBCL.
  sbclCommand: true,
  sbclHeapMiB: true,
  acl2HeapMiB: true,
  acl2TrustTags: true,
  acl2TrustSystemBooks: true,
  javaHeapMiB: true,
  cpuSeconds: true,
  outputChars: true,
  sessionDiskMiB: true,
  projectGrowthMiB: true,
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
  slyFolder: false,
  editor: false,
  spansTo: false,
};

const { shape } = Settings;

/** A change of some settings. Without defaults, which would reset all settings that it does not name. */
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
    loopbackPorts: shape.loopbackPorts.unwrap(),
    withoutDefaults: shape.withoutDefaults.unwrap(),
    acceptedUnsandboxed: shape.acceptedUnsandboxed.unwrap(),
    approvals: shape.approvals.unwrap(),
    servers: shape.servers.unwrap(),
    containers: shape.containers.unwrap(),
    applications: shape.applications.unwrap(),
    hosts: shape.hosts.unwrap(),
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
    acl2TrustSystemBooks: shape.acl2TrustSystemBooks.unwrap(),
    javaHeapMiB: shape.javaHeapMiB.unwrap(),
    cpuSeconds: shape.cpuSeconds.unwrap(),
    outputChars: shape.outputChars.unwrap(),
    sessionDiskMiB: shape.sessionDiskMiB.unwrap(),
    projectGrowthMiB: shape.projectGrowthMiB.unwrap(),
    keepReady: shape.keepReady.unwrap(),
    sessionsComeBack: shape.sessionsComeBack.unwrap(),
    keepRunning: shape.keepRunning.unwrap(),
    startAtLogin: shape.startAtLogin.unwrap(),
    memoryReserveMiB: shape.memoryReserveMiB.unwrap(),
    updates: shape.updates.unwrap(),
    firstSteps: shape.firstSteps.unwrap(),
    shortcuts: shape.shortcuts.unwrap(),
    callsFor: NotificationSettings,
    slimeFolder: shape.slimeFolder,
    slyFolder: shape.slyFolder,
    editor: shape.editor,
    spansTo: shape.spansTo,
  })
  .partial();
export type SettingsChange = z.infer<typeof SettingsChange>;
