import { useState } from 'react';
import type { ApplyResult } from '../../../contract/manifests.ts';
import { comparable } from '../actions/comparable.ts';
import { DiffText } from '../actions/DiffText.tsx';
import { Button } from '../../kit/Button.tsx';
import { cardLook } from '../../kit/card.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { TextField } from '../../kit/fields.tsx';
import { CheckLine } from '../../kit/input.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { toYaml } from '../../yaml/to-yaml.ts';
import { WhyNotLack } from '../../kit/WhyNotButton.tsx';
import type { Applying } from './use-apply.ts';

interface ApplyPanelProps {
  readonly applying: Applying;
  readonly clusterName: string;
}

/** The preview of applying: the change of each object, the owners whose fields it would take, and the button. */
export function ApplyPanel({ applying, clusterName }: ApplyPanelProps) {
  const [typed, setTyped] = useState('');
  const { results, takeOver, isBusy, mustType } = applying;
  if (results === undefined) return <ErrorAlert error={applying.error} />;
  const ready = results.filter(({ ok }) => ok).length;
  return (
    <section className={`flex flex-col gap-2 px-3 py-2 ${cardLook}`} aria-label="What applying will do">
      <ErrorAlert error={applying.error} />
      <p className="font-semibold" role="status">
        {summaryOf(ready, results.length)}
      </p>
      {results.map((result, index) => (
        <AppliedObject
          key={`${index} ${result.kind} ${result.name}`}
          result={result}
          isTaken={takeOver.has(result.at)}
          isBusy={isBusy}
          onTake={(isTaken) => applying.take(result.at, isTaken)}
        />
      ))}
      {mustType && (
        <TextField
          label={`${clusterName} is protected. Type its name to apply.`}
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      <div className="flex min-w-0 items-center gap-1.5">
        <span className="min-w-0 flex-1" />
        <Button variant="secondary" onClick={applying.clear}>
          Back
        </Button>
        <Button
          isLoading={isBusy}
          loadingText="Applying..."
          reason={
            ready === 0
              ? 'Nothing here can be applied.'
              : mustType && typed !== clusterName
                ? `Type ${clusterName} to confirm.`
                : undefined
          }
          onClick={() => applying.apply(mustType ? typed : undefined)}
        >
          {ready === results.length ? 'Apply to the cluster' : `Apply ${ready} of ${results.length}`}
        </Button>
      </div>
    </section>
  );
}

/** How many of the objects can be applied. */
function summaryOf(ready: number, all: number): string {
  if (ready === 0) return 'Nothing here can be applied.';
  if (ready < all) return `${ready} of ${all} can be applied.`;
  return all === 1 ? 'This can be applied.' : `All ${all} can be applied.`;
}

interface AppliedObjectProps {
  readonly result: ApplyResult;
  readonly isTaken: boolean;
  readonly isBusy: boolean;
  readonly onTake: (isTaken: boolean) => void;
}

function AppliedObject({ result, isTaken, isBusy, onTake }: AppliedObjectProps) {
  const { ok, message, conflicts, before, after } = result;
  return (
    <div>
      <p className="flex min-w-0 items-baseline gap-1.5">
        <Glyph tone={ok ? 'ok' : conflicts.length > 0 ? 'warn' : 'bad'} size={12} />
        <span>{message}</span>
      </p>
      <WhyNotLack what={`Apply ${result.kind} ${result.name}`} lack={result.lacking} />
      {conflicts.length > 0 && (
        <ul>
          {conflicts.map(({ field, manager }) => (
            <li key={`${field} ${manager}`}>
              <code>{field}</code> is owned by <b className="font-semibold">{manager}</b>
            </li>
          ))}
        </ul>
      )}
      {(conflicts.length > 0 || isTaken) && (
        <CheckLine checked={isTaken} disabled={isBusy} onChange={({ target }) => onTake(target.checked)}>
          Take over these fields from their owners
        </CheckLine>
      )}
      {after !== undefined && (
        <DiffText
          title={before === undefined ? 'What will be created' : 'What will change'}
          before={before === undefined ? '' : toYaml(comparable(before))}
          after={toYaml(comparable(after))}
          same="Nothing: it already has these values."
        />
      )}
    </div>
  );
}
