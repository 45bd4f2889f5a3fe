import type { KubeconfigContext } from '../../../contract/clusters.ts';
import { useNow } from '../../data/now.ts';
import { Badge } from '../../ui/Badge.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Glyph } from '../../ui/marks.tsx';
import { expiryOf } from '../cluster-health.ts';

/** What the person decided about a context. */
export interface Entry {
  readonly isChosen: boolean;
  readonly name: string;
  readonly description: string;
}

interface ContextRowProps {
  readonly context: KubeconfigContext;
  readonly entry: Entry;
  readonly onChange: (change: Partial<Entry>) => void;
}

/** One context of a kubeconfig: whether to add it and under which name, or why it cannot be added. */
export function ContextRow({ context, entry, onChange }: ContextRowProps) {
  const now = useNow();
  const expiry = expiryOf(context.credentialExpiresAt, now);
  const isOff = context.problem !== undefined;
  return (
    <div className={`context ${isOff ? 'off' : ''}`} role="group" aria-label={context.name}>
      <label className="row">
        <input
          type="checkbox"
          checked={entry.isChosen && !isOff}
          disabled={isOff}
          onChange={(event) => onChange({ isChosen: event.target.checked })}
        />
        <b className="semi trunc">{context.name}</b>
        {context.isCurrent && <Badge>current</Badge>}
        <span className="grow" />
        <span className="muted trunc mono">{context.server}</span>
      </label>
      {isOff ? (
        <p className="problem">
          <Glyph tone="warn" size={12} />
          <span className="lines">{context.problem}</span>
        </p>
      ) : (
        <p className="sub">
          {context.credential}
          {expiry !== undefined && (expiry.tone === 'bad' ? ', expired' : `, ends in ${expiry.text}`)}
        </p>
      )}
      {entry.isChosen && !isOff && (
        <div className="context-fields">
          <TextField
            label="Name"
            required
            maxLength={100}
            value={entry.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
          <TextField
            label="Description"
            maxLength={1000}
            value={entry.description}
            onChange={(event) => onChange({ description: event.target.value })}
          />
        </div>
      )}
    </div>
  );
}
