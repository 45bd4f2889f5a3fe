import { Plus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { textBefore } from '../../../registry/kinds/change-text.ts';
import type { ArgDefinition, ArgDefinitions } from '../../../registry/kinds/kind-action.ts';
import { Button, IconButton } from '../../kit/Button.tsx';
import { FieldGroup } from '../../kit/FieldGroup.tsx';
import { FieldError, TextField } from '../../kit/fields.tsx';
import { Input, InputBox } from '../../kit/input.tsx';
import { NumberField } from '../../kit/NumberField.tsx';
import { Select } from '../../kit/Select.tsx';
import { type FieldValue, type Fields, type FormBasis, type MapRow, membersOf } from './args.ts';
import { RevisionField } from './RevisionField.tsx';

interface ArgFieldsProps {
  readonly definitions: ArgDefinitions;
  readonly fields: Fields;
  /** Messages of invalid arguments, by the argument's name. */
  readonly issues: Readonly<Record<string, string>>;
  /** The first object that is acted on. */
  readonly self: ObjectRef;
  readonly basis: FormBasis;
  readonly onChange: (name: string, value: FieldValue) => void;
}

/** The form of an action, made from its arguments. */
export function ArgFields({ definitions, fields, issues, self, basis, onChange }: ArgFieldsProps) {
  return Object.entries(definitions).map(([name, definition]) => (
    <ArgField
      key={name}
      definition={definition}
      before={
        definition.type === 'text'
          ? textBefore(definition, definitions, { facts: basis.facts, chosen: (one) => fields[one] })
          : ''
      }
      value={fields[name] ?? ''}
      issue={issues[name]}
      self={self}
      basis={basis}
      onChange={(value) => onChange(name, value)}
    />
  ));
}

interface ArgFieldProps {
  readonly definition: ArgDefinition;
  /** The text that this one replaces; empty if there is none, or it is not known. */
  readonly before: string;
  readonly value: FieldValue;
  readonly issue: string | undefined;
  readonly self: ObjectRef;
  readonly basis: FormBasis;
  readonly onChange: (value: FieldValue) => void;
}

function ArgField({ definition, before, value, issue, self, basis, onChange }: ArgFieldProps) {
  const text = typeof value === 'string' ? value : '';
  switch (definition.type) {
    case 'number':
      return (
        <NumberField
          label={definition.label}
          min={definition.min}
          max={definition.max}
          value={text}
          before={definition.from === undefined ? '' : String(basis.facts[definition.from] ?? '')}
          error={issue}
          onChange={onChange}
        />
      );
    case 'text':
      return (
        <TextField
          label={definition.label}
          value={text}
          error={issue}
          help={
            before === '' || text.trim() === before ? (
              definition.help
            ) : (
              <Replaced before={before} after={text} />
            )
          }
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    case 'member': {
      const members = membersOf(definition.of, basis);
      return members.length === 0 ? (
        <TextField
          label={definition.label}
          value={text}
          error={issue}
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <Select
          label={definition.label}
          value={text}
          error={issue}
          options={members.map((member) => ({ value: member, label: member }))}
          onChange={onChange}
        />
      );
    }
    case 'choice':
      return (
        <Select
          label={definition.label}
          value={text}
          error={issue}
          help={definition.options.find((one) => one.value === text)?.help}
          options={definition.options}
          onChange={onChange}
        />
      );
    case 'revision':
      return (
        <RevisionField label={definition.label} self={self} value={text} issue={issue} onChange={onChange} />
      );
    case 'map':
      return (
        <MapField
          label={definition.label}
          rows={typeof value === 'string' ? [] : value}
          issue={issue}
          onChange={onChange}
        />
      );
    default: {
      const never: never = definition;
      return never;
    }
  }
}

/** The text that an argument replaces, and the one in its place. */
function Replaced({ before, after }: { readonly before: string; readonly after: string }) {
  return (
    <b className="font-semibold wrap-anywhere">
      {before} → {after}
    </b>
  );
}

interface MapFieldProps {
  readonly label: string;
  readonly rows: readonly MapRow[];
  readonly issue: string | undefined;
  readonly onChange: (rows: readonly MapRow[]) => void;
}

/** The line whose key gets the focus once it shows, or the button below when there is no such line. */
interface FocusWanted {
  readonly index: number;
}

/** Keys and values, one pair a line; a line that is taken away removes its key. */
export function MapField({ label, rows, issue, onChange }: MapFieldProps) {
  const edit = (id: number, change: Partial<MapRow>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...change } : row)));
  const lines = useRef<HTMLFieldSetElement>(null);
  // The focus follows what was done: into the new line, or to the line that moved up.
  const [wanted, setWanted] = useState<FocusWanted | undefined>(undefined);
  useEffect(() => {
    if (wanted === undefined) return;
    const keys = lines.current?.querySelectorAll<HTMLElement>('[data-key]');
    const last = lines.current?.querySelector<HTMLElement>('[data-add]');
    (keys?.[wanted.index] ?? last)?.focus();
  }, [wanted]);
  const add = () => {
    const id = Math.max(0, ...rows.map((row) => row.id)) + 1;
    onChange([...rows, { id, key: '', value: '' }]);
    setWanted({ index: rows.length });
  };
  const remove = (id: number, index: number) => {
    onChange(rows.filter((row) => row.id !== id));
    setWanted({ index });
  };
  return (
    <FieldGroup ref={lines} label={label}>
      {rows.map(({ id, key, value }, index) => (
        <div key={id} className="flex min-w-0 items-center gap-1.5">
          <InputBox className="flex-1">
            <Input
              data-key=""
              aria-label={`Key ${index + 1}`}
              placeholder="key"
              value={key}
              spellCheck={false}
              autoCapitalize="none"
              onChange={(event) => edit(id, { key: event.target.value })}
            />
          </InputBox>
          <InputBox className="flex-1">
            <Input
              aria-label={`Value ${index + 1}`}
              placeholder="value"
              value={value}
              spellCheck={false}
              autoCapitalize="none"
              onChange={(event) => edit(id, { value: event.target.value })}
            />
          </InputBox>
          <IconButton
            label={`Remove ${key === '' ? 'the line' : key}`}
            size="sm"
            onClick={() => remove(id, index)}
          >
            <X size={13} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      <div className="flex min-w-0 items-center gap-1.5">
        <Button
          data-add=""
          size="sm"
          variant="secondary"
          icon={<Plus size={13} strokeWidth={1.75} aria-hidden="true" />}
          onClick={add}
        >
          Add
        </Button>
        {issue !== undefined && <FieldError role="alert">{issue}</FieldError>}
      </div>
    </FieldGroup>
  );
}
