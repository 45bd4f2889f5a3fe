import { cva } from 'class-variance-authority';
import type { KubeconfigContext } from '../../../contract/clusters.ts';
import { useNow } from '../../data/now.ts';
import { Badge } from '../../kit/Badge.tsx';
import { TextField } from '../../kit/fields.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { expiryOf } from '../../data/cluster-health.ts';

/** The person's choices for a context. */
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

const rowLook = cva('rounded-sm border border-border px-2.5 py-1.5', {
  variants: { isOff: { true: 'bg-raised', false: 'bg-surface' } },
});
const nameLook = cva('min-w-0 truncate font-semibold', { variants: { isOff: { true: 'text-text-2' } } });

/** One context of a kubeconfig: whether to add it and under which name, or why it cannot be added. */
export function ContextRow({ context, entry, onChange }: ContextRowProps) {
  const now = useNow();
  const expiry = expiryOf(context.credentialExpiresAt, now);
  const isOff = context.problem !== undefined;
  return (
    <div className={rowLook({ isOff })} role="group" aria-label={context.name}>
      <label className="flex min-h-6 min-w-0 items-center gap-1.5">
        <input
          type="checkbox"
          checked={entry.isChosen && !isOff}
          disabled={isOff}
          onChange={(event) => onChange({ isChosen: event.target.checked })}
        />
        <b className={nameLook({ isOff })}>{context.name}</b>
        {context.isCurrent && <Badge>current</Badge>}
        <span className="min-w-0 flex-1" />
        <span className="mono min-w-0 truncate text-text-3">{context.server}</span>
      </label>
      {isOff ? (
        <p className="flex gap-1.25 pb-0.5 pl-5 text-warn-fg *:[svg]:mt-0.75">
          <Glyph tone="warn" size={12} />
          <span className="wrap-anywhere whitespace-pre-line">{context.problem}</span>
        </p>
      ) : (
        <p className="pl-5 text-xs text-text-3">
          {context.credential}
          {expiry !== undefined && (expiry.tone === 'bad' ? ', expired' : `, ends in ${expiry.text}`)}
        </p>
      )}
      {entry.isChosen && !isOff && (
        <div className="grid gap-2.5 pt-2 pb-1.5 pl-5 narrow:grid-cols-1 md:grid-cols-[1fr_1.4fr]">
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
