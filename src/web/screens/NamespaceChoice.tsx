import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useData } from '../data/port.ts';
import { ErrorAlert } from '../kit/ErrorAlert.tsx';
import { FieldGroup } from '../kit/FieldGroup.tsx';
import { TextField } from '../kit/fields.tsx';
import { CheckLine } from '../kit/input.tsx';
import type { FormState } from '../kit/use-form.ts';
import { namespacesIn } from './namespace-names.ts';

/** Which namespaces somebody chooses: by a tick, and by typing names that are not listed. */
export interface ChosenNamespaces {
  /** All of them, sorted. */
  readonly names: readonly string[];
  readonly ticked: ReadonlySet<string>;
  readonly typed: string;
  readonly toggle: (name: string, isChosen: boolean) => void;
  readonly type: (text: string) => void;
}

/** Begins with the namespaces that are chosen already. */
export function useChosenNamespaces(first: readonly string[]): ChosenNamespaces {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set(first));
  const [typed, type] = useState('');
  return {
    names: [...new Set([...ticked, ...namespacesIn(typed)])].sort(),
    ticked,
    typed,
    toggle: (name, isChosen) =>
      setTicked(new Set(isChosen ? [...ticked, name] : [...ticked].filter((one) => one !== name))),
    type,
  };
}

/** What is wrong with names that were sent as `field`, as one sentence; undefined where nothing is. */
export function issueOfNames(
  names: readonly string[],
  field: string,
  issue: FormState['issue'],
): string | undefined {
  const wrong = names.findIndex((_, index) => issue(`${field}.${index}`) !== undefined);
  return wrong === -1
    ? issue(field)
    : `“${names[wrong] ?? ''}” cannot be a namespace. ${issue(`${field}.${wrong}`) ?? ''}`;
}

interface NamespaceChoiceProps {
  /** Of several the same names are chosen. */
  readonly clusters: readonly { readonly id: number; readonly name: string }[];
  readonly label: string;
  readonly chosen: ChosenNamespaces;
  readonly issue: string | undefined;
}

/** The namespaces of clusters to tick, and a field for others. */
export function NamespaceChoice({ clusters, label, chosen, issue }: NamespaceChoiceProps) {
  const { queries } = useData();
  const known = useQueries({ queries: clusters.map(({ id }) => queries.namespaces(id)) });
  const names = known.flatMap(({ data = [] }) => data.map(({ name }) => name));
  const offered = [...new Set([...names, ...chosen.ticked])].sort();
  return (
    <>
      {clusters.map(({ id, name }, index) => (
        <ErrorAlert
          key={id}
          title={`Could not load the namespaces of ${name}.`}
          error={known[index]?.error}
          onRetry={() => void known[index]?.refetch()}
          isRetrying={known[index]?.isFetching ?? false}
        />
      ))}
      {offered.length > 0 && (
        <FieldGroup label={label}>
          <div className="flex max-h-56 flex-col gap-0.5 overflow-y-auto rounded-sm border border-border px-2 py-1">
            {offered.map((name) => (
              <CheckLine
                key={name}
                className="narrow:min-h-9"
                checked={chosen.ticked.has(name)}
                onChange={({ target }) => chosen.toggle(name, target.checked)}
              >
                <span className="wrap-anywhere whitespace-normal">{name}</span>
              </CheckLine>
            ))}
          </div>
        </FieldGroup>
      )}
      <TextField
        label="More namespaces"
        value={chosen.typed}
        error={issue}
        help="By name, separated by spaces: also those that do not exist yet."
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => chosen.type(target.value)}
      />
    </>
  );
}
