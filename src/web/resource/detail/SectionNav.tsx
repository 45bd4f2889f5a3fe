import { optionNames } from '../../logs/option-names.ts';
import { useViewSearch } from '../../workspace/view.ts';

/** What an object can be looked at with besides its overview. */
export type DetailTool =
  | 'logs'
  | 'shell'
  | 'attach'
  | 'yaml'
  | 'edit'
  | 'compare'
  | 'graph'
  | 'values'
  | 'manifest';
const titles: Readonly<Record<DetailTool, string>> = {
  logs: 'Logs',
  shell: 'Shell',
  attach: 'Attach',
  yaml: 'YAML',
  edit: 'Edit',
  compare: 'Compare',
  graph: 'Graph',
  values: 'Values',
  manifest: 'Manifest',
};

/** Another view of the object begins with nothing of a log's, and with no other side. */
const without = Object.fromEntries(['to', 'status', 'form', ...optionNames].map((name) => [name, undefined]));

interface SectionNavProps {
  readonly tools: readonly DetailTool[];
  readonly tool: DetailTool | undefined;
}

/** Brings the view that shows into the bar's sight. */
const reveal = (button: HTMLButtonElement | null) =>
  button?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** The ways to look at an object. */
export function SectionNav({ tools, tool }: SectionNavProps) {
  const [, setSearch] = useViewSearch();
  return (
    <nav className="sec-nav scroll-x" aria-label="Views of the object">
      {[undefined, ...tools].map((one) => (
        <button
          key={one ?? 'overview'}
          ref={one === tool ? reveal : undefined}
          type="button"
          className={`inset ${one === tool ? 'on' : ''}`}
          aria-current={one === tool ? 'page' : undefined}
          onClick={() => setSearch({ ...without, view: one }, 'push')}
        >
          {one === undefined ? 'Overview' : titles[one]}
        </button>
      ))}
    </nav>
  );
}
