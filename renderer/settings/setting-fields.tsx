/** Fields of the settings. Text is saved on Enter or when the field loses the focus; empty means not set. */

import { useState } from 'react';
import { FieldError, Input, TextField, ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import type { EngineName } from '../../electron/contract/model';
import type { NotificationSettings } from '../../electron/contract/settings';
import { Checkbox, type Option, Select } from '../parts/field';
import fields from '../parts/field.module.css';
import { engineTitle } from '../parts/format';
import { useLive, useServices, useWords } from '../services';
import styles from './settings-view.module.css';

interface LineFieldProps {
  label: string;
  /** Default value, shown while the field is empty. */
  placeholder: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

export function LineField({ label, placeholder, value, onChange }: LineFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const finish = () => {
    if (typed === null) return;
    const line = typed.trim() || undefined;
    setTyped(null);
    if (line !== value) onChange(line);
  };
  return (
    <TextField
      aria-label={label}
      value={typed ?? value ?? ''}
      onChange={setTyped}
      onBlur={finish}
      onKeyDown={(event) => event.key === 'Enter' && finish()}
      className={styles.line ?? ''}
    >
      <Input className={fields.text ?? ''} placeholder={placeholder} />
    </TextField>
  );
}

interface NumberFieldProps {
  label: string;
  unit?: string;
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
}

export function NumberField({ label, unit, value, min, max, onChange }: NumberFieldProps) {
  const words = useWords();
  const [typed, setTyped] = useState<string | null>(null);
  const problem = typed === null ? null : isWithin(typed, min, max) ? null : words.settings.between(min, max);
  const finish = () => {
    if (typed === null || problem !== null) return;
    setTyped(null);
    if (Number(typed) !== value) onChange(Number(typed));
  };
  return (
    <TextField
      aria-label={label}
      inputMode="decimal"
      value={typed ?? String(value)}
      isInvalid={problem !== null}
      validationBehavior="aria"
      onChange={setTyped}
      onBlur={finish}
      onKeyDown={(event) => event.key === 'Enter' && finish()}
      className={styles.number ?? ''}
    >
      <Input className={`${fields.text} ${styles.numberInput}`} />
      {unit && <span className={styles.unit}>{unit}</span>}
      <FieldError className={styles.error ?? ''}>{problem}</FieldError>
    </TextField>
  );
}

function isWithin(typed: string, min: number, max: number): boolean {
  const number = Number(typed);
  return typed.trim() !== '' && number >= min && number <= max;
}

// A choice between a few visible options.

interface SegmentsProps<T extends string> {
  label: string;
  chosen: T;
  /** Titles by value, in order. */
  titles: Readonly<Record<T, string>>;
  onChange: (chosen: T) => void;
}

export function Segments<T extends string>({ label, chosen, titles, onChange }: SegmentsProps<T>) {
  const choices = Object.keys(titles) as T[];
  return (
    <ToggleButtonGroup
      aria-label={label}
      disallowEmptySelection
      selectedKeys={[chosen]}
      onSelectionChange={(keys) => {
        const pressed = choices.find((choice) => keys.has(choice));
        if (pressed !== undefined) onChange(pressed);
      }}
      className={styles.segments ?? ''}
    >
      {choices.map((choice) => (
        <ToggleButton key={choice} id={choice} className={styles.segment ?? ''}>
          {titles[choice]}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

/** The default engine, one of those installed. */
export function EngineChoice({ engine }: { engine: EngineName | undefined }) {
  const words = useWords();
  const { actions } = useServices();
  const engines = useLive((state) => state.status?.engines) ?? [];
  const started = engines.filter(({ servers }) => servers === undefined);
  const found: Option<EngineName | ''>[] = started.map((candidate) => ({
    value: candidate.engine,
    title: candidate.available
      ? engineTitle(candidate.engine)
      : words.settings.engineNotFound(engineTitle(candidate.engine)),
    disabled: !candidate.available && candidate.engine !== engine,
  }));
  return (
    <Select
      label={words.settings.engine}
      value={engine ?? ''}
      options={[{ value: '', title: words.settings.engineUsual }, ...found]}
      onChange={(chosen) => void actions.changeSettings({ engine: chosen || undefined })}
    />
  );
}

// Kinds of events that cause notifications.

const KINDS: readonly (keyof NotificationSettings)[] = [
  'approvals',
  'heldErrors',
  'finishedJobs',
  'droppedClients',
];

export function CallsForChoice({ callsFor }: { callsFor: NotificationSettings }) {
  const words = useWords();
  const { actions } = useServices();
  return KINDS.map((kind) => (
    <Checkbox
      key={kind}
      label={words.settings.callsFor[kind]}
      checked={callsFor[kind]}
      onChange={(on) => void actions.changeSettings({ callsFor: { ...callsFor, [kind]: on } })}
    />
  ));
}
