import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import type { Ref } from 'react';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { Field } from '../../kit/fields.tsx';
import { Input, InputBox } from '../../kit/input.tsx';
import { Select } from '../../kit/Select.tsx';
import { useViewSearch } from '../../workspace/view.ts';
import { type FilterName, filterNames } from './shown-members.ts';

type Options = readonly (readonly [value: string, label: string])[];

const roles: Options = [
  ['owner', 'Owners'],
  ['member', 'Members'],
];
const seenTimes: Options = [
  ['day', 'In the last day'],
  ['week', 'In the last 7 days'],
  ['month', 'In the last 30 days'],
  ['not-month', 'Not for 30 days'],
  ['not-quarter', 'Not for 90 days'],
  ['never', 'Never'],
];
const states: Options = [
  ['active', 'Active'],
  ['suspended', 'Suspended'],
];
const signIns: Options = [
  ['password', 'Password'],
  ['passkey', 'Passkey'],
  ['provider', 'Single sign-on'],
];

/** The search and the filters of the members, kept in the address. @param field the search field */
export function MemberFilters({ field }: { readonly field: Ref<HTMLInputElement> }) {
  const { queries } = useData();
  const [search, setSearch] = useViewSearch();
  const teams = useQuery(queries.teams);
  const set = (name: FilterName, value: string) => setSearch({ [name]: value === '' ? undefined : value });
  const isFiltered = filterNames.some((name) => search[name] !== undefined);
  const choice = (name: FilterName, label: string, options: Options) => (
    <Select
      label={label}
      value={search[name] ?? ''}
      options={[['', 'Any'] as const, ...options].map(([value, shown]) => ({ value, label: shown }))}
      onChange={(value) => set(name, value)}
    />
  );
  return (
    <form
      className="grid grid-cols-[repeat(auto-fill,minmax(8.25rem,1fr))] items-end gap-x-3 gap-y-2 narrow:grid-cols-2"
      aria-label="Filter of the members"
      onSubmit={(event) => event.preventDefault()}
    >
      <div className="col-span-2">
        <Field id="member-search" label="Search" required={false}>
          <InputBox>
            <Search className="text-text-3" size={13} strokeWidth={1.75} aria-hidden="true" />
            <Input
              ref={field}
              id="member-search"
              type="search"
              placeholder="Name, email or team"
              autoComplete="off"
              spellCheck={false}
              maxLength={253}
              value={search['q'] ?? ''}
              onChange={({ target }) => set('q', target.value)}
            />
          </InputBox>
        </Field>
      </div>
      {choice('role', 'Role', roles)}
      {choice('team', 'Team', [
        ['none', 'In no team'],
        ...(teams.data ?? []).map(({ id, name }) => [String(id), name] as const),
      ])}
      {choice('seen', 'Last seen', seenTimes)}
      {choice('state', 'State', states)}
      {choice('signin', 'Sign-in', signIns)}
      <div>
        <Button
          variant="transparent"
          reason={isFiltered ? undefined : 'Nothing is filtered.'}
          onClick={() => setSearch(Object.fromEntries(filterNames.map((name) => [name, undefined])))}
        >
          Clear
        </Button>
      </div>
    </form>
  );
}
