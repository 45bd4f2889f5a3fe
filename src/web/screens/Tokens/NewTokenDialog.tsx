import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type TokenScope, tokenScopes } from '../../../contract/token-scopes.ts';
import { tokenDays } from '../../../contract/tokens.ts';
import { useData } from '../../data/port.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { FieldGroup } from '../../kit/FieldGroup.tsx';
import { FieldHelp, TitleField } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/FormDialog.tsx';
import { CheckLine } from '../../kit/input.tsx';
import { Select } from '../../kit/Select.tsx';
import { useForm } from '../../kit/use-form.ts';
import { MadeTokenDialog } from './MadeTokenDialog.tsx';
import { scopeGroups, scopeLabel } from './scope-label.ts';

const lifetimes = [7, 30, tokenDays, 180, 365].map((days) => ({
  value: String(days),
  label: `${days} days`,
}));

const checkLook = 'min-w-0 py-0.5 narrow:min-h-9';
const wordsLook = 'min-w-0 wrap-anywhere whitespace-normal';

/** With or without one of a set. */
function toggled<T>(all: ReadonlySet<T>, one: T, isIn: boolean): ReadonlySet<T> {
  const next = new Set(all);
  if (isIn) next.add(one);
  else next.delete(one);
  return next;
}

/** Asks what a token is for, what it may do, where and how long; then shows it, once. */
export function NewTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const { api, queries, queryClient } = useData();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<ReadonlySet<TokenScope>>(new Set());
  const [isLimited, setLimited] = useState(false);
  const [clusterIds, setClusterIds] = useState<ReadonlySet<number>>(new Set());
  const [days, setDays] = useState(tokenDays);
  const [made, setMade] = useState<{ readonly name: string; readonly secret: string } | undefined>(undefined);
  const form = useForm(async () => {
    const { secret, made: token } = await api.createToken({
      body: {
        name,
        scopes: tokenScopes.filter((scope) => scopes.has(scope)),
        clusterIds: isLimited ? [...clusterIds] : null,
        expiresInDays: days,
      },
    });
    setMade({ name: token.name, secret });
    await queryClient.invalidateQueries({ queryKey: queries.ownTokens.queryKey });
  });
  if (made !== undefined) return <MadeTokenDialog {...made} onClose={onClose} />;
  const reason =
    name.trim() === ''
      ? 'Enter a name first.'
      : scopes.size === 0
        ? 'Choose at least one scope.'
        : isLimited && clusterIds.size === 0
          ? 'Choose a cluster, or give the token access to all of them.'
          : undefined;
  return (
    <FormDialog
      title="New API token"
      width="wide"
      form={form}
      isChanged={name !== '' || scopes.size > 0 || isLimited}
      act="Create token"
      acting="Creating..."
      reason={reason}
      onClose={onClose}
    >
      <TitleField
        help="The audit records each use with the name of the token and yours."
        spellCheck={false}
        value={name}
        error={form.issue('name')}
        onChange={setName}
      />
      <Select
        label="Expires after"
        options={lifetimes}
        value={String(days)}
        error={form.issue('expiresInDays')}
        onChange={(value) => setDays(Number(value))}
      />
      <FieldHelp>A token can never do more than you can do yourself at that moment.</FieldHelp>
      {scopeGroups.map((group) => (
        <FieldGroup key={group.title} label={group.title} className="narrow:gap-0">
          <div className="grid min-w-0 grid-cols-2 gap-x-4 narrow:grid-cols-1">
            {group.scopes.map((scope) => (
              <CheckLine
                key={scope}
                className={checkLook}
                checked={scopes.has(scope)}
                onChange={({ target }) => setScopes(toggled(scopes, scope, target.checked))}
              >
                <span className={wordsLook}>{scopeLabel(scope)}</span>
              </CheckLine>
            ))}
          </div>
        </FieldGroup>
      ))}
      <FieldGroup label="Clusters">
        <CheckLine checked={isLimited} onChange={({ target }) => setLimited(target.checked)}>
          Only some of my clusters
        </CheckLine>
        {isLimited && <ClusterChoice chosen={clusterIds} onChoose={setClusterIds} />}
      </FieldGroup>
    </FormDialog>
  );
}

interface ClusterChoiceProps {
  readonly chosen: ReadonlySet<number>;
  readonly onChoose: (chosen: ReadonlySet<number>) => void;
}

/** The clusters that the person reaches, to be ticked. */
function ClusterChoice({ chosen, onChoose }: ClusterChoiceProps) {
  const { queries } = useData();
  const clusters = useQuery(queries.clusters);
  return (
    <>
      <ErrorAlert
        title="Could not load the clusters."
        error={clusters.error}
        onRetry={() => void clusters.refetch()}
        isRetrying={clusters.isFetching}
      />
      {clusters.data?.length === 0 && <FieldHelp>You have no access to a cluster yet.</FieldHelp>}
      <div className="grid min-w-0 grid-cols-2 gap-x-4 pl-5 narrow:grid-cols-1">
        {clusters.data?.map(({ id, name }) => (
          <CheckLine
            key={id}
            className={checkLook}
            checked={chosen.has(id)}
            onChange={({ target }) => onChoose(toggled(chosen, id, target.checked))}
          >
            <span className={wordsLook}>{name}</span>
          </CheckLine>
        ))}
      </div>
    </>
  );
}
