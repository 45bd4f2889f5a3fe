import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type PasskeyHolders, passkeyHolders, type PasskeyRuleState } from '../../../contract/passkeys.ts';
import { useData } from '../../data/port.ts';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { SetCard } from '../../kit/SetCard.tsx';

/** Texts of a rule: as it stands, of the button that sets it, and of the question before that. */
interface RuleText {
  readonly state: string;
  readonly button: string;
  readonly title: string;
  readonly act: string;
  readonly effect: string;
}

const ruleTexts: Readonly<Record<PasskeyHolders, RuleText>> = {
  nobody: {
    state: 'People sign in with a password, a provider or a passkey, as they like.',
    button: 'Stop requiring passkeys…',
    title: 'Stop requiring passkeys?',
    act: 'Stop requiring',
    effect: 'People can open the organisation with a password or a provider again.',
  },
  owners: {
    state:
      'Owners can open this organisation only with a passkey. Sessions of an enforced provider are exempt.',
    button: 'Require passkeys of Owners…',
    title: 'Require passkeys of Owners?',
    act: 'Require passkeys',
    effect:
      'Sessions of Owners that were not opened with a passkey end at once. Other people need no passkey. People who become Owners later register a passkey at their next sign-in. Owners who lose theirs need the help of another Owner or of the operator.',
  },
  everybody: {
    state: 'Everybody can open this organisation only with a passkey.',
    button: 'Require passkeys of everybody…',
    title: 'Require passkeys of everybody?',
    act: 'Require passkeys',
    effect:
      'Sessions that were not opened with a passkey end at once, with the API tokens that were created in them. People who join later register a passkey at their first sign-in. People who lose theirs need the help of an Owner or of the operator.',
  },
};

/** Why a rule cannot be set now; undefined where it can. */
function obstacle(rule: PasskeyRuleState, next: PasskeyHolders): string | undefined {
  if (next === 'nobody' || !isStronger(next, rule.requiredOf)) return undefined;
  const { without, unavailable } = rule.readiness[next];
  if (unavailable !== null) return unavailable;
  if (!rule.cameByPasskey)
    return 'Sign in with a passkey first. You register one under Sign-in and sessions.';
  if (without.length === 0) return undefined;
  return `${without.length === 1 ? '1 person has' : `${without.length} people have`} no passkey yet.`;
}

const isStronger = (next: PasskeyHolders, now: PasskeyHolders) =>
  passkeyHolders.indexOf(next) > passkeyHolders.indexOf(now);

/** The people without a passkey whom a rule binds or would bind. */
function Without({ label, names }: { readonly label: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p className="wrap-anywhere text-text-2">
      {label} without a passkey ({names.length}): {names.join(', ')}.
    </p>
  );
}

/** The rule that the Owners of the organisation, or everybody, sign in with a passkey. */
export function PasskeyRule() {
  const { api, queries, queryClient } = useData();
  const rule = useQuery(queries.passkeyRule);
  const [next, setNext] = useState<PasskeyHolders>();
  const { data } = rule;
  return (
    <SetCard title="Passkeys">
      <ErrorAlert
        title="Could not load the rule for passkeys."
        error={rule.error}
        onRetry={() => void rule.refetch()}
        isRetrying={rule.isFetching}
      />
      {data !== undefined && (
        <>
          <p className="text-text-2">
            {data.requiredOf !== 'nobody' && <Badge tone="ok">On</Badge>} {ruleTexts[data.requiredOf].state}
          </p>
          <Without label="Owners" names={data.readiness.owners.without} />
          <Without label="People" names={data.readiness.everybody.without} />
          <div className="flex flex-wrap gap-2">
            {passkeyHolders
              .filter((one) => one !== data.requiredOf)
              .map((one) => (
                <Button
                  key={one}
                  variant="secondary"
                  reason={obstacle(data, one)}
                  onClick={() => setNext(one)}
                >
                  {ruleTexts[one].button}
                </Button>
              ))}
          </div>
        </>
      )}
      {next !== undefined && (
        <ConfirmDialog
          title={ruleTexts[next].title}
          act={ruleTexts[next].act}
          acting="Saving..."
          onClose={() => setNext(undefined)}
          onConfirm={async () => {
            const saved = await api.setPasskeyRule({ body: { requiredOf: next } });
            queryClient.setQueryData(queries.passkeyRule.queryKey, saved);
            setNext(undefined);
          }}
        >
          <p>{ruleTexts[next].effect}</p>
        </ConfirmDialog>
      )}
    </SetCard>
  );
}
