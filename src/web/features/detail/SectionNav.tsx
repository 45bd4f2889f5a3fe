import type { ObjectTool } from '../../../registry/kinds/object-tools.ts';
import { logSearch } from '../../../registry/commands/route-search.ts';
import { useViewSearch } from '../../workspace/view.ts';

const titles: Readonly<Record<ObjectTool, string>> = {
  logs: 'Logs',
  shell: 'Shell',
  attach: 'Attach',
  yaml: 'YAML',
  edit: 'Edit',
  compare: 'Compare',
  graph: 'Graph',
  values: 'Values',
  manifest: 'Manifest',
  why: 'Why',
};

/** Another view of the object begins with nothing of a log's, and with no other side. */
const clearedSearch = Object.fromEntries(
  ['to', 'status', 'form', ...logSearch].map((name) => [name, undefined]),
);

interface SectionNavProps {
  readonly tools: readonly ObjectTool[];
  readonly tool: ObjectTool | undefined;
}

/**
 * Keeps the view that shows in the bar's sight: whenever the bar, or the row of its buttons, gets another width, as on a
 * page that has just loaded, whose bar has none at first. Returns what ends it.
 */
function keepInSight(button: HTMLButtonElement): () => void {
  const observer = new ResizeObserver(() => button.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
  const row = button.parentElement;
  for (const one of [row, row?.parentElement]) if (one) observer.observe(one);
  return () => observer.disconnect();
}

/** The ways to look at an object. */
export function SectionNav({ tools, tool }: SectionNavProps) {
  const [, setSearch] = useViewSearch();
  return (
    <nav
      className="scroll-shade flex h-7.5 flex-none items-stretch overflow-x-auto overflow-y-hidden px-2 text-(length:--text-xs) shadow-[inset_0_-1px_var(--color-border)] [scrollbar-width:none] narrow:h-11 low:h-8"
      aria-label="Views of the object"
    >
      <div className="flex flex-none items-stretch gap-0.5">
        {[undefined, ...tools].map((one) => (
          <button
            key={one ?? 'overview'}
            ref={one === tool ? keepInSight : undefined}
            type="button"
            className="flex-none border-b-2 border-transparent px-2 text-text-2 hover:text-text focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-text narrow:px-3 forced-colors:not-aria-[current=page]:border-[Canvas]"
            aria-current={one === tool ? 'page' : undefined}
            onClick={() => setSearch({ ...clearedSearch, view: one }, 'push')}
          >
            {one === undefined ? 'Overview' : titles[one]}
          </button>
        ))}
      </div>
    </nav>
  );
}
