import { useViewSearch } from '../../workspace/view.ts';

/** What an object can be looked at with besides its overview. */
export type DetailTool = 'logs' | 'shell' | 'attach' | 'yaml' | 'values' | 'manifest';
const titles: Readonly<Record<DetailTool, string>> = {
  logs: 'Logs',
  shell: 'Shell',
  attach: 'Attach',
  yaml: 'YAML',
  values: 'Values',
  manifest: 'Manifest',
};

interface SectionNavProps {
  readonly tools: readonly DetailTool[];
  readonly tool: DetailTool | undefined;
}

/** The ways to look at an object. */
export function SectionNav({ tools, tool }: SectionNavProps) {
  const [, setSearch] = useViewSearch();
  return (
    <nav className="sec-nav" aria-label="Views of the object">
      {[undefined, ...tools].map((one) => (
        <button
          key={one ?? 'overview'}
          type="button"
          className={`inset ${one === tool ? 'on' : ''}`}
          aria-current={one === tool ? 'page' : undefined}
          onClick={() => setSearch({ view: one, container: undefined, previous: undefined }, 'push')}
        >
          {one === undefined ? 'Overview' : titles[one]}
        </button>
      ))}
    </nav>
  );
}
