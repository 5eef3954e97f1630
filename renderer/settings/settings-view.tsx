/** The settings file as a page. Each change is written at once. */
import type { ReactNode } from 'react';
import type { Settings as Values } from '../../electron/contract/settings';
import { useSettings } from '../bridge-queries';
import { LogButtons } from '../log/log-buttons';
import { Checkbox } from '../parts/checkbox';
import { Problem } from '../parts/feedback';
import { ScrollArea } from '../parts/scroll-area';
import { tagNames } from '../parts/tag-names';
import { View } from '../parts/view';
import { useLive, useServices } from '../services';
import { CallsForChoice } from './calls-for';
import { EngineChoice } from './engine-choice';
import { LineField } from './line-field';
import { NumberField } from './number-field';
import { Projects } from './project-list';
import { Servers } from './server-list';
import styles from './settings-view.module.css';
import { ShortcutTable } from './shortcut-table';
import { ThemeChoice } from './theme-choice';

export function Settings() {
  const { data, error } = useSettings();
  const problems = useLive((state) => state.status?.settingsProblems) ?? [];
  return (
    <View title="Settings">
      <ScrollArea label="Settings" className={styles.page} rememberAs="settings">
        {error && <Problem>{error.message}</Problem>}
        {problems.map((problem) => (
          <Problem key={problem} tone="warn">
            {problem}
          </Problem>
        ))}
        {data && <Rows settings={data} />}
      </ScrollArea>
    </View>
  );
}

/** Settings that are on or off. */
type Choice = { [Name in keyof Values]-?: Values[Name] extends boolean ? Name : never }[keyof Values];

function Rows({ settings }: { settings: Values }) {
  const { actions } = useServices();
  const change = (part: Partial<Values>) => void actions.changeSettings(part);
  const choice = (name: Choice, label: string) => (
    <Checkbox label={label} checked={settings[name]} onChange={(on) => change({ [name]: on })} />
  );
  return (
    <>
      <Setting title="Theme">
        <ThemeChoice theme={settings.theme} onChange={(theme) => change({ theme })} />
      </Setting>
      <Setting
        title="Calling you"
        about="A notification, while you do not look at this window. The badge and the marks count in any case."
      >
        <CallsForChoice callsFor={settings.callsFor} />
      </Setting>
      <Setting title="Default engine" about="What “New session” starts, here and for agents that name none.">
        <EngineChoice engine={settings.engine} />
      </Setting>
      <Setting
        title="Projects"
        about="Folders that sessions may write to. Agents can name these and folders in them."
      >
        <Projects projects={settings.projects} current={settings.project} />
      </Setting>
      <Setting title="Servers" about="Running Lisps that sessions may be attached to, by agents as well.">
        <Servers servers={settings.servers} />
      </Setting>
      <Setting title="Port" about="Of the endpoint, from the next start on; 0 takes any free one.">
        <NumberField
          label="Port"
          value={settings.port}
          min={0}
          max={65_535}
          onChange={(port) => change({ port })}
        />
      </Setting>
      <Setting
        title="Soft limit"
        about="A call that takes longer is answered with a job; its evaluation goes on."
      >
        <NumberField
          label="Soft limit"
          unit="seconds"
          value={settings.softLimitMs / 1_000}
          min={0.1}
          max={600}
          onChange={(seconds) => change({ softLimitMs: Math.round(seconds * 1_000) })}
        />
      </Setting>
      <HeapSetting
        title="SBCL heap"
        value={settings.sbclHeapMiB}
        onChange={(sbclHeapMiB) => change({ sbclHeapMiB })}
      />
      <HeapSetting
        title="ACL2 memory"
        value={settings.acl2HeapMiB}
        onChange={(acl2HeapMiB) => change({ acl2HeapMiB })}
      />
      <Setting
        title="ACL2 trust tags"
        about="That certified books of ACL2’s system may use, with commas between. What rests on one says so."
      >
        <LineField
          label="ACL2 trust tags"
          placeholder="none"
          value={settings.acl2TrustTags.join(', ') || undefined}
          onChange={(names) => change({ acl2TrustTags: tagNames(names ?? '') })}
        />
      </Setting>
      <HeapSetting
        title="Java heap"
        value={settings.javaHeapMiB}
        onChange={(javaHeapMiB) => change({ javaHeapMiB })}
      />
      <Setting
        title="Processor time"
        about="Of one evaluation in new sessions of SBCL and ACL2; 0 for as much as it takes."
      >
        <NumberField
          label="Processor time"
          unit="seconds"
          value={settings.cpuSeconds ?? 0}
          min={0}
          max={86_400}
          onChange={(seconds) => change({ cpuSeconds: seconds === 0 ? null : Math.ceil(seconds) })}
        />
      </Setting>
      <Setting
        title="Output"
        about="Of one evaluation in new sessions of SBCL and ACL2. Of more, both ends are kept."
      >
        <NumberField
          label="Output"
          unit="characters"
          value={settings.outputChars}
          min={10_000}
          max={100_000_000}
          onChange={(characters) => change({ outputChars: Math.round(characters) })}
        />
      </Setting>
      <Setting title="Memory" about="It is called short when less than this is available.">
        <NumberField
          label="Memory reserve"
          unit="MiB"
          value={settings.memoryReserveMiB}
          min={0}
          max={1_048_576}
          onChange={(reserve) => change({ memoryReserveMiB: Math.round(reserve) })}
        />
      </Setting>
      <Setting
        title="Ready images"
        about="As many as were opened lately suggest; none after ten quiet minutes or while memory is short."
      >
        {choice('keepReady', 'Keep images started for sessions to come')}
      </Setting>
      <Setting
        title="Sessions"
        about="Each is asleep when Lisp Harbor starts, and comes back when it is used, with its checkpoint and its definitions. Takes hold at the next start."
      >
        {choice('sessionsComeBack', 'Sessions of the last time come back')}
      </Setting>
      <Setting
        title="Window"
        about="Closed, the window comes back by the tray’s icon; where the desktop shows none, closing it quits. Agents start Lisp Harbor by themselves when they need it."
      >
        {choice('keepRunning', 'Keep running when the window is closed')}
        {choice('startAtLogin', 'Start hidden at login')}
      </Setting>
      <Setting
        title="Shortcuts"
        about="Where you type Lisp, keys of Emacs’s and the shell’s line editing stay theirs; Ctrl+Shift+P has all commands there."
      >
        <ShortcutTable chosen={settings.shortcuts} />
      </Setting>
      <Setting
        title="SLIME"
        about="The folder of your Emacs’s own SLIME, with swank-loader.lisp in it, for sessions opened from now on."
      >
        <LineField
          label="SLIME folder"
          placeholder="Debian’s or Quicklisp’s"
          value={settings.slimeFolder}
          onChange={(slimeFolder) => change({ slimeFolder })}
        />
      </Setting>
      <Setting
        title="Keep history"
        about="Older evaluations and calls are deleted for good, but for those that open sessions rest on; 0 keeps all."
      >
        <NumberField
          label="Keep history"
          unit="days"
          value={settings.historyDays ?? 0}
          min={0}
          max={36_500}
          onChange={(days) => change({ historyDays: days === 0 ? null : Math.ceil(days) })}
        />
      </Setting>
      <Setting title="History" about="Otherwise a client sees all evaluations of its project.">
        {choice('ownHistoryOnly', 'Clients see only their own evaluations')}
      </Setting>
      <Setting title="Log" about="What Lisp Harbor tells of itself, a file a day.">
        <LogButtons />
      </Setting>
    </>
  );
}

function Setting({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <div className={styles.setting}>
      <h2>{title}</h2>
      <div className={styles.control}>
        {children}
        {about && <p>{about}</p>}
      </div>
    </div>
  );
}

/** The heap of one engine's images, within the bounds of contract/memory.ts. */
function HeapSetting({
  title,
  value,
  onChange,
}: {
  title: string;
  value: number;
  onChange: (mebibytes: number) => void;
}) {
  return (
    <Setting title={title} about="Of images that are started from now on.">
      <NumberField label={title} unit="MiB" value={value} min={256} max={65_536} onChange={onChange} />
    </Setting>
  );
}
