import { type AuditEntry, type AuditOutcome, outcomeOf } from '../../../contract/audit.ts';
import type { Tone } from '../../../registry/tone.ts';
import { Badge } from '../../kit/Badge.tsx';

/** How an outcome is said and shown. */
export const outcomeWords: Readonly<Record<AuditOutcome, { title: string; tone: Tone | undefined }>> = {
  done: { title: 'Done', tone: undefined },
  refused: { title: 'Refused', tone: 'warn' },
  failed: { title: 'Failed', tone: 'bad' },
  open: { title: 'No outcome', tone: 'info' },
};

/** How an entry ended. */
export function Outcome({ status }: Pick<AuditEntry, 'status'>) {
  const { title, tone } = outcomeWords[outcomeOf(status)];
  return <Badge tone={tone}>{title}</Badge>;
}
