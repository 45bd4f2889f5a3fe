import { useState } from 'react';
import type { ApplyResult } from '../../contract/manifests.ts';
import { comparable } from '../actions/comparable.ts';
import { DiffText } from '../actions/DiffText.tsx';
import { Button } from '../ui/Button.tsx';
import { ErrorAlert } from '../ui/ErrorAlert.tsx';
import { TextField } from '../ui/fields.tsx';
import { Glyph } from '../ui/marks.tsx';
import { toYaml } from '../yaml/to-yaml.ts';
import type { Applying } from './use-apply.ts';

interface ApplyPanelProps {
  readonly applying: Applying;
  readonly clusterName: string;
}

/** What applying would do to each object, whose fields it would take, and the button that does it. */
export function ApplyPanel({ applying, clusterName }: ApplyPanelProps) {
  const [typed, setTyped] = useState('');
  const { results, takeOver, isBusy, mustType } = applying;
  if (results === undefined) return <ErrorAlert message={applying.error} />;
  const ready = results.filter(({ ok }) => ok).length;
  return (
    <section className="card apply-panel" aria-label="What applying will do">
      <ErrorAlert message={applying.error} />
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
      <div className="row">
        <span className="grow" />
        <Button variant="secondary" onClick={applying.clear}>
          Back
        </Button>
        <Button
          isLoading={isBusy}
          loadingText="Applying..."
          reason={
            ready === 0
              ? 'Nothing of this can be applied as it is.'
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

interface AppliedObjectProps {
  readonly result: ApplyResult;
  readonly isTaken: boolean;
  readonly isBusy: boolean;
  readonly onTake: (isTaken: boolean) => void;
}

function AppliedObject({ result, isTaken, isBusy, onTake }: AppliedObjectProps) {
  const { ok, message, conflicts, before, after } = result;
  return (
    <div className="applied">
      <p className="row">
        <Glyph tone={ok ? 'ok' : conflicts.length > 0 ? 'warn' : 'bad'} size={12} />
        <span>{message}</span>
      </p>
      {conflicts.length > 0 && (
        <ul>
          {conflicts.map(({ field, manager }) => (
            <li key={`${field} ${manager}`}>
              <code>{field}</code> is owned by <b className="semi">{manager}</b>
            </li>
          ))}
        </ul>
      )}
      {(conflicts.length > 0 || isTaken) && (
        <label className="check">
          <input
            type="checkbox"
            checked={isTaken}
            disabled={isBusy}
            onChange={({ target }) => onTake(target.checked)}
          />
          Take over these fields from their owners
        </label>
      )}
      {after !== undefined && (
        <DiffText
          title={before === undefined ? 'What will be created' : 'What will change'}
          before={before === undefined ? '' : toYaml(comparable(before))}
          after={toYaml(comparable(after))}
          same="Nothing: it is so already."
        />
      )}
    </div>
  );
}
