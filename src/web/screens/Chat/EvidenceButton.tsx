import type { Evidence } from '../../../contract/diagnosis.ts';
import { useCommands } from '../../core/commands.ts';
import { kindLabel } from '../../core/kinds/names.ts';
import { qualifiedName, refIn } from '../../features/actions/acting.ts';
import { openBeside } from '../../features/actions/open-beside.ts';

interface EvidenceButtonProps {
  readonly clusterId: number;
  readonly evidence: Evidence;
}

/** What a sentence stands on: a press opens it beside the chat, or as a tab where no further tile fits. */
export function EvidenceButton({ clusterId, evidence }: EvidenceButtonProps) {
  const { services } = useCommands();
  const { ref } = evidence;
  const open = () => {
    const { view, search } = shownOf(evidence);
    openBeside(services, refIn(clusterId, ref), view, search);
  };
  return (
    <button
      type="button"
      className="max-w-full rounded-sm border border-border bg-raised px-1.5 py-0.5 text-left text-xs text-text-2 hover:border-control hover:text-text narrow:min-h-9"
      onClick={open}
    >
      {/* A message of a runtime may be longer than the answer that stands on it: the object has all of it. */}
      <span className="line-clamp-2 wrap-anywhere">
        <span className="font-medium">
          {kindLabel(ref.kind)} {qualifiedName(ref)}
        </span>{' '}
        {saidBy(evidence)}
      </span>
    </button>
  );
}

/** What evidence says, in a few words. */
function saidBy(evidence: Evidence): string {
  switch (evidence.type) {
    case 'field':
      return `${evidence.path}: ${evidence.value ?? 'not set'}`;
    case 'event':
      return `event ${evidence.reason}: ${evidence.message}`;
    case 'log':
      return `log of ${evidence.container}${evidence.previous ? ', the run before' : ''}${evidence.line === undefined ? '' : `: ${evidence.line}`}`;
    case 'object':
      return evidence.exists ? 'exists' : 'does not exist';
    default: {
      const unknown: never = evidence;
      return unknown;
    }
  }
}

/** The view of the object in which it can be looked up. */
function shownOf(evidence: Evidence): {
  readonly view?: string;
  readonly search?: Readonly<Record<string, string>>;
} {
  if (evidence.type === 'log')
    return {
      view: 'logs',
      search: { container: evidence.container, ...(evidence.previous ? { previous: 'true' } : {}) },
    };
  return evidence.type === 'field' ? { view: 'yaml' } : {};
}
