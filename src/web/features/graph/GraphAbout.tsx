import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { useCommands } from '../../core/commands.ts';
import { Button } from '../../kit/Button.tsx';
import { StatusText } from '../../kit/marks.tsx';
import type { Item } from './fold.ts';
import type { GraphNode } from './model.ts';
import type { TieLine } from './tree.ts';
import { groupText, statusText } from './words.ts';

interface GraphAboutProps {
  /** The object under the cursor. */
  readonly node: GraphNode | undefined;
  readonly objectRef: ObjectRef | undefined;
  /** The group under the cursor. */
  readonly text: Item | undefined;
  readonly ties: readonly TieLine[];
  readonly isRoot: boolean;
  /** The effect of folding, if there is anything to fold. */
  readonly fold: string | undefined;
  readonly onOpen: () => void;
  readonly onFold: () => void;
}

/** The object under the cursor, and its actions for the pointer. */
export function GraphAbout(props: GraphAboutProps) {
  const { node, objectRef, text, ties, isRoot, fold, onOpen, onFold } = props;
  const { run } = useCommands();
  const counts = new Map<string, number>();
  for (const { words } of ties) counts.set(words, (counts.get(words) ?? 0) + 1);
  return (
    <div className="flex min-h-8.5 items-center gap-2 border-t border-hairline px-2.5 py-1">
      <span className="flex min-w-0 flex-1 gap-2 whitespace-nowrap" aria-live="polite">
        {node === undefined ? (
          <span className="min-w-0 truncate">{text === undefined ? '' : groupText(text)}</span>
        ) : (
          <>
            <span className="text-text-3">{node.label}</span>
            <b className="min-w-0 truncate">{node.name}</b>
            {node.status === undefined ? (
              <span className="text-text-3">{statusText(node)}</span>
            ) : (
              <StatusText tone={node.status.tone} label={node.status.label} />
            )}
            {[...counts].map(([words, count]) => (
              <span key={words} className="text-text-3 narrow:hidden">
                {words} {count}
              </span>
            ))}
          </>
        )}
      </span>
      {fold !== undefined && (
        <Button size="sm" variant="secondary" onClick={onFold}>
          {fold}
        </Button>
      )}
      {objectRef !== undefined && !isRoot && node?.known !== 'missing' && (
        <Button
          size="sm"
          variant="secondary"
          onClick={() =>
            run('object.graph', {}, { subject: { type: 'objects', refs: [objectRef], from: 'args' } })
          }
        >
          Graph of this
        </Button>
      )}
      {objectRef !== undefined && node?.known !== 'missing' && (
        <Button size="sm" variant="secondary" onClick={onOpen}>
          Open
        </Button>
      )}
    </div>
  );
}
