/** Entries of one object or list that are shown, and how deep. */
const maxEntries = 200;
const maxDepth = 8;

const valueLooks: Readonly<Record<string, string>> = {
  string: 'text-code-string',
  number: 'text-code-number',
  boolean: 'text-code-number',
};
const treeLook = 'mt-0.5 mr-3 mb-1.5 ml-9 border-l-2 border-border bg-raised px-2.5 py-1';

interface JsonTreeProps {
  readonly value: unknown;
  readonly depth?: number;
}

/** A value of JSON as nested lists of names and values. */
export function JsonTree({ value, depth = 0 }: JsonTreeProps) {
  if (typeof value !== 'object' || value === null) {
    return (
      <span className={valueLooks[typeof value]}>
        {typeof value === 'string' ? value : JSON.stringify(value)}
      </span>
    );
  }
  if (depth === maxDepth) return <span className="text-text-3">{JSON.stringify(value).slice(0, 200)}</span>;
  const entries = Object.entries(value);
  return (
    <dl className={depth === 0 ? treeLook : 'ml-4'}>
      {entries.slice(0, maxEntries).map(([name, child]) => (
        <div key={name} className="flex flex-wrap gap-x-2.5">
          <dt className="text-code-key">{name}</dt>
          <dd className="min-w-0 wrap-anywhere whitespace-pre-wrap">
            <JsonTree value={child} depth={depth + 1} />
          </dd>
        </div>
      ))}
      {entries.length > maxEntries && (
        <div>
          <dt className="text-text-3">and {entries.length - maxEntries} more</dt>
        </div>
      )}
    </dl>
  );
}
