/** A field for each argument of a tool. */
import { Input, Label, Text, TextArea, TextField } from 'react-aria-components';
import { Select } from '../parts/field';
import fieldStyles from '../parts/field.module.css';
import form from '../parts/form.module.css';
import { useWords } from '../services';
import styles from './diagnostics.module.css';
import type { ArgumentField } from './tool-form';

interface ArgumentFieldsProps {
  fields: readonly ArgumentField[];
  typed: Readonly<Record<string, string>>;
  onType: (typed: Readonly<Record<string, string>>) => void;
}

export function ArgumentFields({ fields, typed, onType }: ArgumentFieldsProps) {
  return (
    <div className={form.fields}>
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={typed[field.name] ?? ''}
          onChange={(value) => onType({ ...typed, [field.name]: value })}
        />
      ))}
    </div>
  );
}

interface FieldProps {
  field: ArgumentField;
  value: string;
  onChange: (value: string) => void;
}

function Field({ field, value, onChange }: FieldProps) {
  const words = useWords().diagnostics;
  const { name, kind, isRequired, about, options } = field;
  const title = isRequired ? `${name} (${words.required})` : name;
  if (kind === 'choice')
    return (
      <div className={form.field}>
        <span className={form.label}>{title}</span>
        <Select
          label={name}
          value={value}
          options={[
            { value: '', title: words.usual },
            ...options.map((option) => ({ value: option, title: option })),
          ]}
          onChange={onChange}
        />
        {about !== '' && <span className={form.hint}>{about}</span>}
      </div>
    );
  const look = `${fieldStyles.text} ${styles.code}`;
  return (
    <TextField value={value} onChange={onChange} className={form.field ?? ''}>
      <Label className={form.label ?? ''}>{title}</Label>
      {kind === 'text' || kind === 'json' ? (
        <TextArea className={look} rows={kind === 'text' ? 3 : 1} spellCheck={false} />
      ) : (
        <Input className={look} inputMode={kind === 'number' ? 'decimal' : 'text'} spellCheck={false} />
      )}
      {about !== '' && (
        <Text slot="description" className={form.hint ?? ''}>
          {about}
        </Text>
      )}
    </TextField>
  );
}
