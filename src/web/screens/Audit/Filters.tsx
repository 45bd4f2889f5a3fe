import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
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

const textNames = ['person', 'object'] as const;

/** What is looked for, kept in the address. Choices apply at once, textNames with Enter or when they are left. */
export function Filters() {
  const { queries } = useData();
  const [search, setSearch] = useViewSearch();
  const clusters = useQuery(queries.clusters);
  const settings = useQuery(queries.auditSettings);
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
  const isAsked = askedNames.some((name) => search[name] !== undefined);
  const clear = () => {
    setTyped({});
    ask(Object.fromEntries(askedNames.map((name) => [name, undefined])));
  };

  const text = (name: (typeof textNames)[number], label: string) => (
    <TextField
      label={label}
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

  return (
    <form
      className="grid grid-cols-[repeat(auto-fill,minmax(8.25rem,1fr))] items-end gap-x-3 gap-y-2 narrow:grid-cols-2"
      aria-label="Filter of the audit"
      onSubmit={submit}
    >
      {text('person', 'Person')}
      {text('object', 'Object')}
      {choice(
        'cluster',
        'Cluster',
        (clusters.data ?? []).map(({ id, name }) => [String(id), name]),
      )}
      {choice(
        'action',
        'Action',
        (settings.data?.actions ?? []).map((action) => [action, actionPhrase(action)]),
      )}
      {choice(
        'outcome',
        'Outcome',
        auditOutcomes.map((outcome) => [outcome, outcomeWords[outcome].title]),
      )}
      {date('from', 'From')}
      {date('until', 'Until')}
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
