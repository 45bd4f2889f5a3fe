import { useQuery } from '@tanstack/react-query';
import { type FormEvent, Fragment, type ReactNode, useState } from 'react';
import { auditOutcomes } from '../../../contract/audit.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { TextField } from '../../kit/fields.tsx';
import { Select } from '../../kit/Select.tsx';
import { useViewSearch } from '../../workspace/view.ts';
import { type AskedName, actionPhrase, askedNames } from './asked.ts';
import { outcomeWords } from './Outcome.tsx';

/** No console is older. */
const firstDay = '1970-01-01';

const textNames = ['words', 'person', 'object'] as const;

interface FiltersProps {
  /** The name of the form. */
  readonly label: string;
  /** What can be looked for; all of it without them. */
  readonly names?: readonly AskedName[];
}

/** What is looked for, kept in the address. Choices apply at once, textNames with Enter or when they are left. */
export function Filters({ label: title, names = askedNames }: FiltersProps) {
  const { queries } = useData();
  const [search, setSearch] = useViewSearch();
  const clusters = useQuery(queries.clusters);
  const settings = useQuery({
    ...queries.auditSettings,
    enabled: names.includes('action') || names.includes('cluster'),
  });
  const [typed, setTyped] = useState<Partial<Record<AskedName, string>>>({});
  const ask = (change: Partial<Record<AskedName, string>>) => setSearch({ ...change, entry: undefined });
  const apply = () => {
    if (textNames.some((name) => typed[name] !== undefined && typed[name] !== (search[name] ?? '')))
      ask(typed);
    setTyped({});
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply();
  };
  const isAsked = names.some((name) => search[name] !== undefined);
  const clear = () => {
    setTyped({});
    ask(Object.fromEntries(names.map((name) => [name, undefined])));
  };

  const text = (name: (typeof textNames)[number], label: string, placeholder?: string) => (
    <TextField
      label={label}
      placeholder={placeholder}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={253}
      value={typed[name] ?? search[name] ?? ''}
      onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
      onBlur={apply}
    />
  );
  const date = (name: 'from' | 'until', label: string) => (
    <TextField
      label={label}
      type="date"
      max="9999-12-31"
      value={typed[name] ?? search[name] ?? ''}
      onChange={({ target: { value } }) => {
        // Whoever types a year passes by 0002 and 0202: nothing is looked for meanwhile.
        const isWhole = value === '' || value >= firstDay;
        setTyped({ ...typed, [name]: isWhole ? undefined : value });
        if (isWhole) ask({ [name]: value === '' ? undefined : value });
      }}
    />
  );
  const choice = (name: 'cluster' | 'action' | 'outcome', label: string, options: [string, string][]) => (
    <Select
      label={label}
      value={search[name] ?? ''}
      options={[['', 'Any'] as const, ...options].map(([value, shown]) => ({ value, label: shown }))}
      onChange={(value) => ask({ [name]: value })}
    />
  );

  const fields: Readonly<Record<AskedName, () => ReactNode>> = {
    words: () => (
      <div className="col-span-2">{text('words', 'Search', 'A person, team, object, cluster or act')}</div>
    ),
    changes: () => (
      <Select
        label="Show"
        value={search['changes'] ?? ''}
        options={[
          { value: '', label: 'Everything' },
          { value: 'yes', label: 'Changes only' },
        ]}
        onChange={(value) => ask({ changes: value })}
      />
    ),
    person: () => text('person', 'Person'),
    object: () => text('object', 'Object'),
    cluster: () =>
      choice('cluster', 'Cluster', [
        ...(clusters.data ?? []).map(({ id, name }): [string, string] => [String(id), name]),
        ...(settings.data?.goneClusters ?? []).map(({ id, name }): [string, string] => [
          String(id),
          `${name} (deleted)`,
        ]),
      ]),
    action: () =>
      choice(
        'action',
        'Action',
        (settings.data?.actions ?? []).map((action) => [action, actionPhrase(action)]),
      ),
    outcome: () =>
      choice(
        'outcome',
        'Outcome',
        auditOutcomes.map((outcome) => [outcome, outcomeWords[outcome].title]),
      ),
    from: () => date('from', 'From'),
    until: () => date('until', 'Until'),
  };

  return (
    <form
      className="grid grid-cols-[repeat(auto-fill,minmax(8.25rem,1fr))] items-end gap-x-3 gap-y-2 narrow:grid-cols-2"
      aria-label={title}
      onSubmit={submit}
    >
      {names.map((name) => (
        <Fragment key={name}>{fields[name]()}</Fragment>
      ))}
      <div className="flex gap-2 narrow:col-span-2">
        <Button type="submit" variant="secondary">
          Search
        </Button>
        <Button variant="transparent" onClick={clear} reason={isAsked ? undefined : 'Nothing is filtered.'}>
          Clear
        </Button>
      </div>
    </form>
  );
}
