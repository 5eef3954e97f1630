/** The settings. Each change is saved immediately. */

import { type ReactNode, useState } from 'react';
import type { Settings as Values } from '../../electron/contract/settings';
import { useSettings } from '../bridge-queries';
import { DiagnosticsButtons } from '../diagnostics/try-tool';
import { LogButtons } from '../log/log-list';
import { Button, Shortcut } from '../parts/button';
import { Checkbox } from '../parts/field';
import { tagNames } from '../parts/format';
import { ScrollArea } from '../parts/scroll-area';
import { Problem, View } from '../parts/view';
import { useLive, useServices, useWords } from '../services';
import { shortcutLabel, shortcutOf } from '../shortcuts';
import { Projects, RedactionRules, Servers } from './named-lists';
import { CallsForChoice, EngineChoice, LineField, NumberField, Segments } from './setting-fields';
import styles from './settings-view.module.css';
import { UpdateChoice } from './update-choice';

export function Settings() {
  const words = useWords();
  const { data, error } = useSettings();
  const problems = useLive((state) => state.status?.settingsProblems) ?? [];
  return (
    <View title={words.settings.title}>
      <ScrollArea label={words.settings.title} className={styles.page} rememberAs="settings">
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

/** Boolean settings. */
type Choice = Exclude<
  { [Name in keyof Values]-?: Values[Name] extends boolean ? Name : never }[keyof Values],
  'firstSteps'
>;

function Rows({ settings }: { settings: Values }) {
  const { actions } = useServices();
  const { settings: words, common, diagnostics, shortcuts, updates } = useWords();
  const change = (part: Partial<Values>) => void actions.changeSettings(part);
  const choice = (name: Choice) => (
    <Checkbox label={words[name]} checked={settings[name]} onChange={(on) => change({ [name]: on })} />
  );
  return (
    <>
      <Setting title={words.theme}>
        <Segments
          label={words.theme}
          chosen={settings.theme}
          titles={words.themes}
          onChange={(theme) => change({ theme })}
        />
      </Setting>
      <Setting title={words.language}>
        <Segments
          label={words.language}
          chosen={settings.language}
          titles={words.languages}
          onChange={(language) => change({ language })}
        />
      </Setting>
      <Setting title={words.callingYou} about={words.callingYouAbout}>
        <CallsForChoice callsFor={settings.callsFor} />
      </Setting>
      <Setting title={words.engine} about={words.engineAbout}>
        <EngineChoice engine={settings.engine} />
      </Setting>
      <Setting title={words.projects} about={words.projectsAbout}>
        <Projects projects={settings.projects} current={settings.project} />
      </Setting>
      <Setting title={words.servers} about={words.serversAbout}>
        <Servers servers={settings.servers} />
      </Setting>
      <Setting title={words.port} about={words.portAbout}>
        <NumberField
          label={words.port}
          value={settings.port}
          min={0}
          max={65_535}
          onChange={(port) => change({ port })}
        />
      </Setting>
      <Setting title={words.softLimit} about={words.softLimitAbout}>
        <NumberField
          label={words.softLimit}
          unit={words.seconds}
          value={settings.softLimitMs / 1_000}
          min={0.1}
          max={600}
          onChange={(seconds) => change({ softLimitMs: Math.round(seconds * 1_000) })}
        />
      </Setting>
      <HeapSetting
        title={words.sbclHeap}
        value={settings.sbclHeapMiB}
        onChange={(sbclHeapMiB) => change({ sbclHeapMiB })}
      />
      <HeapSetting
        title={words.acl2Heap}
        value={settings.acl2HeapMiB}
        onChange={(acl2HeapMiB) => change({ acl2HeapMiB })}
      />
      <Setting title={words.trustTags} about={words.trustTagsAbout}>
        <LineField
          label={words.trustTags}
          placeholder={common.none}
          value={settings.acl2TrustTags.join(', ') || undefined}
          onChange={(names) => change({ acl2TrustTags: tagNames(names ?? '') })}
        />
        {choice('acl2TrustSystemBooks')}
      </Setting>
      <HeapSetting
        title={words.javaHeap}
        value={settings.javaHeapMiB}
        onChange={(javaHeapMiB) => change({ javaHeapMiB })}
      />
      <Setting title={words.processorTime} about={words.processorTimeAbout}>
        <NumberField
          label={words.processorTime}
          unit={words.seconds}
          value={settings.cpuSeconds ?? 0}
          min={0}
          max={86_400}
          onChange={(seconds) => change({ cpuSeconds: seconds === 0 ? null : Math.ceil(seconds) })}
        />
      </Setting>
      <Setting title={words.output} about={words.outputAbout}>
        <NumberField
          label={words.output}
          unit={words.characters}
          value={settings.outputChars}
          min={10_000}
          max={100_000_000}
          onChange={(characters) => change({ outputChars: Math.round(characters) })}
        />
      </Setting>
      <Setting title={words.disk} about={words.diskAbout}>
        <NumberField
          label={words.sessionDisk}
          unit={words.sessionDiskUnit}
          value={settings.sessionDiskMiB ?? 0}
          min={0}
          max={100_000_000}
          onChange={(size) => change({ sessionDiskMiB: diskLimit(size) })}
        />
        <NumberField
          label={words.projectGrowth}
          unit={words.projectGrowthUnit}
          value={settings.projectGrowthMiB ?? 0}
          min={0}
          max={100_000_000}
          onChange={(size) => change({ projectGrowthMiB: diskLimit(size) })}
        />
      </Setting>
      <Setting title={words.memory} about={words.memoryAbout}>
        <NumberField
          label={words.memoryReserve}
          unit="MiB"
          value={settings.memoryReserveMiB}
          min={0}
          max={1_048_576}
          onChange={(reserve) => change({ memoryReserveMiB: Math.round(reserve) })}
        />
      </Setting>
      <Setting title={words.ready} about={words.readyAbout}>
        {choice('keepReady')}
      </Setting>
      <Setting title={words.sessions} about={words.sessionsAbout}>
        {choice('sessionsComeBack')}
      </Setting>
      <Setting title={words.window} about={words.windowAbout}>
        {choice('keepRunning')}
        {choice('startAtLogin')}
      </Setting>
      <Setting title={updates.title} about={updates.about}>
        <UpdateChoice settings={settings} />
      </Setting>
      <Setting title={shortcuts.title} about={shortcuts.about}>
        <ShortcutTable chosen={settings.shortcuts} />
      </Setting>
      <Setting title={words.slime} about={words.slimeAbout}>
        <LineField
          label={words.slimeFolder}
          placeholder={words.slimeUsual}
          value={settings.slimeFolder}
          onChange={(slimeFolder) => change({ slimeFolder })}
        />
        <LineField
          label={words.slyFolder}
          placeholder={words.slimeUsual}
          value={settings.slyFolder}
          onChange={(slyFolder) => change({ slyFolder })}
        />
      </Setting>
      <Setting title={words.editor} about={words.editorAbout}>
        <LineField
          label={words.editor}
          placeholder={words.editorExample}
          value={settings.editor}
          onChange={(editor) => change({ editor })}
        />
      </Setting>
      <Setting title={words.keepHistory} about={words.keepHistoryAbout}>
        <NumberField
          label={words.keepHistory}
          unit={words.days}
          value={settings.historyDays ?? 0}
          min={0}
          max={36_500}
          onChange={(days) => change({ historyDays: days === 0 ? null : Math.ceil(days) })}
        />
        <NumberField
          label={words.historySize}
          unit="GB"
          value={settings.historyGigabytes ?? 0}
          min={0}
          max={100_000}
          onChange={(size) => change({ historyGigabytes: size === 0 ? null : Math.ceil(size) })}
        />
      </Setting>
      <Setting title={words.redaction} about={words.redactionAbout}>
        <RedactionRules patterns={settings.redact} />
        {choice('redactWellKnown')}
      </Setting>
      <Setting title={words.history} about={words.historyAbout}>
        {choice('ownHistoryOnly')}
      </Setting>
      <Setting title={words.log} about={words.logAbout}>
        <LogButtons />
      </Setting>
      <Setting title={diagnostics.title} about={diagnostics.about}>
        <DiagnosticsButtons />
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

/** The heap of one engine, within the bounds of `HeapMiB`. */
function HeapSetting({
  title,
  value,
  onChange,
}: {
  title: string;
  value: number;
  onChange: (mebibytes: number) => void;
}) {
  const words = useWords();
  return (
    <Setting title={title} about={words.settings.heapAbout}>
      <NumberField label={title} unit="MiB" value={value} min={256} max={65_536} onChange={onChange} />
    </Setting>
  );
}

/** All commands with their shortcuts, which the user can change. */
export function ShortcutTable({ chosen }: { chosen: Readonly<Record<string, string>> }) {
  const words = useWords();
  const { actions, commands, mac } = useServices();
  const [changing, setChanging] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const change = (id: string, shortcut: string | null) => {
    const { [id]: _, ...others } = chosen;
    void actions.changeSettings({ shortcuts: shortcut === null ? others : { ...others, [id]: shortcut } });
    setChanging(null);
  };
  /** Saves the pressed shortcut, unless another command uses it. */
  const press = (id: string, shortcut: string) => {
    const other = commands.find((command) => command.id !== id && command.shortcut === shortcut);
    if (other) setProblem(words.shortcuts.taken(shortcutLabel(shortcut, mac), other.title));
    else change(id, shortcut);
  };
  return (
    <ul className={styles.table} aria-label={words.shortcuts.title}>
      {commands.map(({ id, title, standard, shortcut }) => (
        <li key={id}>
          <span>{title}</span>
          {changing === id ? (
            <button
              type="button"
              className={styles.press}
              aria-label={words.shortcuts.pressFor(title)}
              // biome-ignore lint/a11y/noAutofocus: the user just chose to press a shortcut here
              autoFocus
              onBlur={() => setChanging(null)}
              onKeyDown={(event) => {
                if (event.key === 'Tab') return;
                event.preventDefault();
                event.stopPropagation();
                const pressed = shortcutOf(event, mac);
                if (event.key === 'Escape') setChanging(null);
                else if (event.key === 'Backspace') change(id, '');
                else if (pressed !== null) press(id, pressed);
              }}
            >
              {problem ?? words.shortcuts.press}
            </button>
          ) : (
            <span className={styles.keys}>{shortcut ? <Shortcut keys={shortcut} /> : words.common.none}</span>
          )}
          <Button
            aria-label={words.shortcuts.changeOf(title)}
            onPress={() => {
              setProblem(null);
              setChanging(id);
            }}
          >
            {words.shortcuts.change}
          </Button>
          {chosen[id] !== undefined && (
            <Button aria-label={words.shortcuts.usualOf(title)} onPress={() => change(id, null)}>
              {standard ? words.shortcuts.backTo(shortcutLabel(standard, mac)) : words.shortcuts.backToNone}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The least limit that the settings accept, in MiB. */
const LEAST_DISK = 16;

/** Returns the setting for a number in the window, where 0 means no limit. */
function diskLimit(mebibytes: number): number | null {
  return mebibytes === 0 ? null : Math.max(LEAST_DISK, Math.round(mebibytes));
}
