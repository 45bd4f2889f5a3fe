/** Entries of one object or list that are shown, and how deep. */
const mostEntries = 200;
const deepest = 8;

interface JsonTreeProps {
  readonly value: unknown;
  readonly depth?: number;
}

/** A value of JSON as nested lists of names and values. */
export function JsonTree({ value, depth = 0 }: JsonTreeProps) {
  if (typeof value !== 'object' || value === null) {
    return (
      <span className={`json-${typeof value}`}>
        {typeof value === 'string' ? value : JSON.stringify(value)}
      </span>
    );
  }
  if (depth === deepest) return <span className="muted">{JSON.stringify(value).slice(0, 200)}</span>;
  const entries = Object.entries(value);
  return (
    <dl className={depth === 0 ? 'json-tree' : ''}>
      {entries.slice(0, mostEntries).map(([name, child]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <JsonTree value={child} depth={depth + 1} />
          </dd>
        </div>
      ))}
      {entries.length > mostEntries && (
        <div>
          <dt className="muted">and {entries.length - mostEntries} more</dt>
        </div>
      )}
    </dl>
  );
}
